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
   * `last-interaction`: the newest note or interaction, where a connection without any passes too; `interaction`: any of
   * them; `connected`: the date connected; `met`: any of them, or for a connection without any, the date connected.
   */
  readonly about:
    | 'last-interaction'
    | 'interaction'
    | 'connected'
    | 'met'
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
  const dates =
    silence?.until === undefined ? [] : [{ about: 'last-interaction' as const, to: silence.until }]
  const isAsked = silence !== undefined || saysWhatHappened(tokens)
  const found = (isAsked ? findDates(maskTaken(tokens), today) : []).map((date) => {
    take(tokens, date.at, date.length)
    return dateFacet(tokens, date, silence !== undefined)
  })
  const all = [...dates, ...found]
  if (silence && !all.some(({ about }) => about === 'last-interaction'))
    all.push({ about: 'last-interaction', to: unitsLater(today(), -1, 'year') })
  return all
}

const HAPPENED: readonly WordList[] = ['interaction', 'connected', 'met']

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

/** "haven't spoken to in a year"; with a date that follows as "since March", the date says since when. */
function readSilence(
  tokens: QuestionTokens,
  today: () => string,
): { readonly until: string | undefined } | undefined {
  for (let at = 0; at < tokens.words.length; at += 1) {
    const length = silenceLength(tokens.words, at)
    if (length === 0) continue
    take(tokens, at, length)
    const amount = amountOfTime(tokens.words, at + length, today())
    if (amount) take(tokens, at + length, amount.length)
    return { until: amount?.from }
  }
  return undefined
}

/** A phrase of the list, or a negation before a word for being in touch: `didn't I call`. */
function silenceLength(words: readonly string[], at: number): number {
  const whole = phraseLength('silence', words, at)
  const negation = phraseLength('negation', words, at)
  if (whole > 0 || negation === 0) return whole
  const verb = phraseLength('interaction', words, at + negation)
  return verb === 0 ? 0 : negation + verb
}

function dateFacet(
  { words }: QuestionTokens,
  { relation, from, to }: DateMatch,
  isSilence: boolean,
): DateFacet {
  // "since March" and "this year" both say that there was nothing from then on.
  if (isSilence) return { about: 'last-interaction', to: relation === 'after' ? to : from }
  const has = (list: WordList) => words.some((_, at) => phraseLength(list, words, at) > 0)
  const about = has('connected') ? 'connected' : has('met') ? 'met' : 'interaction'
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
