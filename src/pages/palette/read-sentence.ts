/** What a sentence of the palette says beside who it is about: an action, a day, how often, and the rest. */

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { tokenize } from '../../base/tokenize.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { lengthAt } from '../../dates/date-words.ts'
import { namesDate } from '../../dates/find-dates.ts'
import { readDateText, readPeriodText, type DateContext } from '../../dates/read-date.ts'
import { readCadence } from '../../dates/cadence.ts'
import { splitDueTime } from '../../dates/time-of-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'

const VERBS = ['note', 'log', 'task', 'tag', 'birthday', 'write', 'open', 'introduce'] as const
const KINDS = ['meeting', 'call', 'message', 'email'] as const
const OTHERS = [
  'questions',
  'searches',
  'past',
  'denied',
  'cadence',
  'planned',
  'small',
  'ordinary',
  'from',
  'between',
  'often',
  'sending',
] as const

type Verb = (typeof VERBS)[number]
export type Kind = (typeof KINDS)[number]

const MAX_DAY_WORDS = 5

/** Some words of a sentence, by index. */
export interface WordSpan {
  readonly at: number
  readonly length: number
}

interface Day extends WordSpan {
  /** The time of day as HH:MM, if the text has one. */
  readonly time: string | undefined
  /** YYYY-MM-DD: the day if it is over, and if it is ahead. Both for today, and for `Friday`. */
  readonly past: string | undefined
  readonly ahead: string | undefined
  /** Whether it is one day, or a week, and not a month or more. */
  readonly isShort: boolean
}

export interface Sentence {
  readonly words: readonly string[]
  readonly isQuestion: boolean
  readonly verb: (WordSpan & { readonly name: Verb }) | undefined
  readonly day: Day | undefined
  /** `1 month` of `every month`. */
  readonly cadence: (WordSpan & { readonly value: string }) | undefined
}

/** The words of a name are no part of a day: `June Day`. */
export function readSentence(
  words: readonly string[],
  name: WordSpan | undefined,
  context: DateContext,
): Sentence {
  const others = words.map((word, at) => (name && isWithin(at, name) ? '' : word))
  const often = cadenceIn(others)
  const day = often ? undefined : dayIn(others, context)
  const cadence = often ?? (day ? undefined : cadenceWordIn(others))
  return {
    words,
    isQuestion: words.at(-1)?.endsWith('?') === true || isIn('questions', words[0]),
    verb: verbOf(others),
    day,
    cadence,
  }
}

/** Whether the word with this index is one of the span. */
export function isWithin(at: number, span: WordSpan): boolean {
  return at >= span.at && at < span.at + span.length
}

const lists = lazy(() => {
  const sections = readDataSections(new URL('data/sentence-words.txt', import.meta.url))
  const list = (name: string) => sections.get(name) ?? []
  return {
    words: new Map(
      [...KINDS, ...OTHERS].map((name) => [name, new Set(list(name).join(' ').split(' '))]),
    ),
    verbs: VERBS.flatMap((name) => list(name).map((line) => ({ name, phrase: line.split(' ') }))),
    lastVerbs: new Map(
      VERBS.flatMap((name) =>
        list(`${name}-last`).flatMap((line) =>
          line.split(' ').map((word) => [word, name] as const),
        ),
      ),
    ),
  }
})

/** Whether a word is in a list, in any case, with or without accents and signs. */
export function isIn(
  name: (typeof KINDS)[number] | (typeof OTHERS)[number],
  word: string | undefined,
): boolean {
  return word !== undefined && lists().words.get(name)?.has(plain(word)) === true
}

function plain(word: string): string {
  return tokenize(word).join('-')
}

/** At the beginning, or an infinitive at the end, as in German. */
function verbOf(words: readonly string[]): Sentence['verb'] {
  const said = words.map(plain)
  const last = lists().lastVerbs.get(said.at(-1) ?? '')
  if (last && said.length > 1) return { name: last, at: words.length - 1, length: 1 }
  const found = lists().verbs.find(({ phrase }) => phrase.every((word, at) => said[at] === word))
  return found && { name: found.name, at: 0, length: found.phrase.length }
}

/** The longest date. */
function dayIn(words: readonly string[], context: DateContext): Day | undefined {
  const said = words.map(plain)
  for (let length = MAX_DAY_WORDS; length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const named = said.slice(at, at + length)
      if (named.includes('') || !named.some((_, index) => namesDate(named, index))) continue
      const day = dayOf(words.slice(at, at + length).join(' '), context)
      if (day) return { at, length, ...day }
    }
  return undefined
}

function dayOf(written: string, context: DateContext): Omit<Day, keyof WordSpan> | undefined {
  const { due_on: text, time } = splitDueTime(written, context) ?? {
    due_on: written.replace(/[,:;]$/, ''),
    time: undefined,
  }
  const [next, latest] = [
    readDateText(text, context, 'next-first'),
    readDateText(text, context, 'latest'),
  ]
  if (!next.ok) return undefined
  const today = dayInZone(context.timeZone, context.now)
  const over = latest.ok ? latest.day : next.day
  const [before, after] = [dayCount(today) - dayCount(over), dayCount(next.day) - dayCount(today)]
  // A date without a year means the nearer one. A weekday can be either.
  const isNear = before + after <= MAX_DAYS_BETWEEN
  return {
    time,
    past: before >= 0 && (isNear || after < 0 || before < after) ? over : undefined,
    ahead: after >= 0 && (isNear || before < 0 || after <= before) ? next.day : undefined,
    isShort: readDateText(text, context, 'next').ok || isWeek(text, context),
  }
}

const MAX_DAYS_BETWEEN = 14

function isWeek(text: string, context: DateContext): boolean {
  const period = readPeriodText(text, context, 'next')
  return period !== undefined && dayCount(period.to) - dayCount(period.from) <= 7
}

/** `every month`: at least two words, the first of which says that it recurs. */
function cadenceIn(words: readonly string[]): Sentence['cadence'] {
  for (let length = MAX_CADENCE_WORDS; length > 1; length--)
    for (let at = 0; at + length <= words.length; at++) {
      if (lengthAt('every', [plain(words[at] ?? '')], 0) === 0) continue
      const cadence = readCadence(words.slice(at, at + length).join(' '))
      if (cadence) return { at, length, value: `${cadence.every} ${cadence.unit}` }
    }
  return undefined
}

const MAX_CADENCE_WORDS = 3

/** `monthly` */
function cadenceWordIn(words: readonly string[]): Sentence['cadence'] {
  for (const [at, word] of words.entries()) {
    const cadence = isIn('often', word) ? readCadence(word) : undefined
    if (cadence) return { at, length: 1, value: `${cadence.every} ${cadence.unit}` }
  }
  return undefined
}

/** The kind of contact that the first or the last word names that is not small; with `isAnywhere`, any word. */
export function kindIn(words: readonly string[], isAnywhere = false): Kind | undefined {
  const said = words.filter((word) => !isIn('small', word))
  const tried = isAnywhere ? said : [...said.slice(0, 1), ...said.slice(-1)]
  for (const word of tried) {
    const kind = KINDS.find((one) => isIn(one, word))
    if (kind) return kind
  }
  return undefined
}
