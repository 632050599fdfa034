/** The dates of a question as conditions: when the member was in touch, was not, met or added someone, and yearly days. */

import { unitsLater } from '../../dates/calendar-day.ts'
import {
  amountOfTime,
  findDates,
  findRecurringDates,
  isDateWord,
  type DateMatch,
} from '../../dates/find-dates.ts'
import { maskTaken, phraseLength, take, type QuestionTokens } from './phrases.ts'
import type { WordList } from './phrases.ts'

/**
 * Days as YYYY-MM-DD, with at least one end. Birthdays and anniversaries have both ends as MM-DD; if `to` is not after
 * `from`, the range includes the end of the year.
 */
export interface DateFacet {
  /**
   * `interaction`: any; `last-interaction`: the newest, where a connection without any passes too; `connected`: the date
   * connected; `met`: this date, or a meeting; `first-met`: this date, or else the first meeting; `last-met`: the newest.
   */
  readonly about:
    | 'interaction'
    | 'last-interaction'
    | 'connected'
    | 'met'
    | 'first-met'
    | 'last-met'
    | 'birthday'
    | 'anniversary'
  /** Inclusive. */
  readonly from?: string
  /** Exclusive. */
  readonly to?: string
}

/** Takes the words of the dates. `today` is YYYY-MM-DD. */
export function readQuestionDates(tokens: QuestionTokens, today: () => string): DateFacet[] {
  const occasions = readOccasions(tokens, today)
  if (occasions) return occasions
  const silence = readSilence(tokens, today)
  const isAsked = silence !== undefined || saysWhatHappened(tokens)
  const words = maskTaken(tokens)
  const found = isAsked ? findDates(words, today) : []
  const years = isAsked ? yearsAlone(tokens, found) : []
  const [since, others]: [DateFacet[], DateFacet[]] = [[], []]
  for (const date of [...found, ...years]) {
    take(tokens, date.at, date.length)
    if (silence && saysSince(words, date, silence)) since.push(sinceFacet(date))
    else others.push(dateFacet(words, date))
  }
  if (silence && since.length === 0) since.push(silenceFacet(silence, today))
  return [...since, ...others]
}

const HAPPENED: readonly WordList[] = ['interaction', 'connected', 'met', 'first-met']

/**
 * Whether dates say when the member was in touch, met or added someone, or nothing else is asked. Otherwise a date is
 * searched for as words: a note may tell what happened in 2021.
 */
function saysWhatHappened(tokens: QuestionTokens): boolean {
  const { words } = tokens
  const starts = (list: WordList, at: number) => phraseLength(list, words, at) > 0
  if (words.some((_, at) => HAPPENED.some((list) => starts(list, at)))) return true
  return maskTaken(tokens).every(
    (word, at) => word === '' || starts('question', at) || starts('weak', at) || isDateWord(word),
  )
}

/** Whether a date belongs to the silence, not to what happened: `met in 2019 and never called`, `never called but met in 2019`. */
function saysSince(words: readonly string[], { at: date }: DateMatch, silence: Silence): boolean {
  if (silence.until !== undefined) return false
  const verb = words.findLastIndex(
    (_, at) => at < date && HAPPENED.some((list) => phraseLength(list, words, at) > 0),
  )
  return verb === -1 || (verb < silence.at && silence.at < date)
}

/** "since March" and "this year" both say that there was nothing from then on. */
function sinceFacet({ relation, from, to }: DateMatch): DateFacet {
  return { about: 'last-interaction', to: relation === 'after' ? to : from }
}

function silenceFacet({ until, isNever, isMet }: Silence, today: () => string): DateFacet {
  if (until !== undefined || !isNever)
    return { about: 'last-interaction', to: until ?? unitsLater(today(), -1, 'year') }
  return { about: isMet ? 'last-met' : 'last-interaction', to: BEFORE_EVERY_DAY }
}

const BEFORE_EVERY_DAY = '0000-00-00'

/** A year after the speaker, which needs no preposition in German; the one of `met at Expo 2017` is a word. */
function yearsAlone(tokens: QuestionTokens, found: readonly DateMatch[]): DateMatch[] {
  const isDated = (at: number) => found.some((one) => at >= one.at && at < one.at + one.length)
  return maskTaken(tokens).flatMap((word, at): DateMatch[] => {
    if (!/^(?:19|20)\d\d$/.test(word) || isDated(at)) return []
    if (!SPEAKERS.has(tokens.words[at - 1] ?? '')) return []
    const to = `${Number(word) + 1}-01-01`
    return [{ relation: 'during', at, length: 1, from: `${word}-01-01`, to }]
  })
}

const SPEAKERS: ReadonlySet<string> = new Set(
  'i we ve ich wir je nous yo io eu ik wij я'.split(' '),
)

interface Silence {
  /** Index of its first token. */
  readonly at: number
  /** "for a year" after it. A date as "since March" says since when, too. */
  readonly until: string | undefined
  readonly isNever: boolean
  readonly isMet: boolean
}

/** "haven't spoken to in a year", with the speaker before it. */
function readSilence(tokens: QuestionTokens, today: () => string): Silence | undefined {
  const { words } = tokens
  for (let at = 0; at < words.length; at += 1) {
    const never = phraseLength('never', words, at)
    const length = silenceLength(words, at, never)
    if (length === 0) continue
    let start = at
    while (SPEAKERS.has(words[start - 1] ?? '')) start -= 1
    const ever = phraseLength('ever', words, at + length)
    const end = at + length + ever
    const amount = amountOfTime(words, end, today())
    take(tokens, start, end - start + (amount?.length ?? 0))
    const isMet = phraseLength('met', words, at + never) > 0
    return { at: start, until: amount?.from, isNever: never + ever > 0, isMet }
  }
  return undefined
}

/** A phrase of the list, or a negation before a word for being in touch: `didn't I call`. */
function silenceLength(words: readonly string[], at: number, never: number): number {
  const whole = phraseLength('silence', words, at)
  const negation = never || phraseLength('negation', words, at)
  if (whole > 0 || negation === 0) return whole
  const verb = phraseLength('interaction', words, at + negation)
  return verb === 0 ? 0 : negation + verb
}

function dateFacet(words: readonly string[], { relation, from, to }: DateMatch): DateFacet {
  const has = (list: WordList) => words.some((_, at) => phraseLength(list, words, at) > 0)
  const about = (['connected', 'first-met', 'met'] as const).find(has) ?? 'interaction'
  if (relation === 'since') return { about, from }
  if (relation === 'after') return { about, from: to }
  return relation === 'before' ? { about, to: from } : { about, from, to }
}

/** Birthdays and anniversaries. Undefined if the question names none; without a date, they are searched for as words. */
function readOccasions(tokens: QuestionTokens, today: () => string): DateFacet[] | undefined {
  const words = maskTaken(tokens)
  for (const about of ['birthday', 'anniversary'] as const) {
    if (!words.some((_, at) => phraseLength(about, words, at) > 0)) continue
    // Years of births are not in the index.
    const found = findRecurringDates(words, today).filter(
      ({ from, to }) => from.slice(5) !== to.slice(5),
    )
    if (found.length === 0) return []
    for (const at of words.keys()) take(tokens, at, phraseLength(about, words, at))
    for (const { at, length } of found) take(tokens, at, length)
    return found.map((date) => yearlyFacet(about, date))
  }
  return undefined
}

const FIRST_DAY = '01-01'

function yearlyFacet(
  about: 'birthday' | 'anniversary',
  { relation, from, to }: DateMatch,
): DateFacet {
  const [start, end] = [from.slice(5), to.slice(5)]
  if (relation === 'since') return { about, from: start, to: FIRST_DAY }
  if (relation === 'after') return { about, from: end, to: FIRST_DAY }
  if (relation === 'before') return { about, from: FIRST_DAY, to: start }
  return { about, from: start, to: end }
}
