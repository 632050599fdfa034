/** How often something recurs, as people and models write it: `weekly`, `every two weeks`, `jeden letzten Freitag im Monat`. */

import { phrase, t } from '../languages/message.ts'
import { tokenize } from '../base/tokenize.ts'
import { countAt } from './date-grammar.ts'
import { weekdayName } from './format-date.ts'
import { lengthAt, wordsAt, type WordGroup } from './date-words.ts'
import { MAX_DATE_TEXT_LENGTH } from './read-date.ts'
import {
  intervalOf,
  MAX_CADENCE,
  recurrenceOf,
  type Interval,
  type Recurrence,
  type RecurrenceUnit,
} from './recurrence.ts'

/** Undefined for other texts, and for less than once in ten years. */
export function readRecurrence(text: string): Recurrence | undefined {
  const tokens = wordsOf(text)
  if (tokens.length > 0 && lengthAt('never', tokens, 0) === tokens.length) return 'none'
  const interval = intervalIn(tokens)
  return interval && recurrenceOf(interval)
}

interface Cadence {
  readonly every: number
  readonly unit: keyof typeof MAX_CADENCE
}

/** How often to keep in touch. Null for other texts, for weekdays, and for less than once in ten years. */
export function readCadence(text: string): Cadence | null {
  const interval = intervalIn(wordsOf(text))
  if (!interval || interval.weekday !== undefined) return null
  const { every, unit } = interval
  const cadence =
    unit === 'year' ? ({ every: every * 12, unit: 'month' } as const) : { every, unit }
  return cadence.every < 1 || cadence.every > MAX_CADENCE[cadence.unit] ? null : cadence
}

/** None for a text that is too long or has a negative number. */
function wordsOf(text: string): string[] {
  if (text.length > MAX_DATE_TEXT_LENGTH || /(?:^|\s)[-−]\s?\d/.test(text)) return []
  return tokenize(text.replace(/(\d)[.,](?=\d{3}\b)/g, '$1'))
}

/** What the words of a recurrence say. Each is said at most once. */
interface Spoken {
  adverb?: number
  count?: number
  unit?: number
  weekday?: number
  ordinal?: number
}

function intervalIn(tokens: readonly string[]): Interval | undefined {
  const spoken: Spoken = {}
  for (let at = 0; at < tokens.length;) {
    const length = readWord(tokens, at, spoken)
    if (length === 0) return undefined
    at += length
  }
  const { weekday, ordinal } = spoken
  const base = baseOf(spoken)
  if (!base) return undefined
  if (weekday === undefined) return ordinal === undefined ? base : timesOrdinal(base, ordinal)
  if (base.unit === 'month' && ordinal !== undefined) return { ...base, weekday, ordinal }
  if (base.unit !== 'week') return undefined
  // `every second Friday`
  if (ordinal === undefined) return { ...base, weekday }
  return ordinal === OTHER ? { ...base, every: base.every * 2, weekday } : undefined
}

/** `every third week` */
function timesOrdinal(base: Interval, ordinal: number): Interval | undefined {
  return ordinal < 5 ? { ...base, every: base.every * ordinal } : undefined
}

/** `second`, `other` */
const OTHER = 2

/** Tokens that were read; 0 if there is no word of a recurrence here, or it was said before. */
function readWord(tokens: readonly string[], at: number, spoken: Spoken): number {
  const adverb = wordsAt('often', tokens, at)
  if (adverb) return said(spoken, 'adverb', adverb)
  const weekday = wordsAt('weekday', tokens, at) ?? wordsAt('weekday-often', tokens, at)
  if (weekday) return said(spoken, 'weekday', weekday)
  const unit = wordsAt('unit', tokens, at)
  if (unit) return said(spoken, 'unit', unit)
  const ordinal = wordsAt('ordinal', tokens, at)
  if (ordinal) return said(spoken, 'ordinal', { ...ordinal, line: ordinal.line + 1 })
  const other = lengthAt('other', tokens, at)
  if (other > 0) return said(spoken, 'ordinal', { line: OTHER, length: other })
  const count = countAt(tokens, at)
  if (count) return said(spoken, 'count', { line: count.count, length: count.length })
  return Math.max(...FILLERS.map((group) => lengthAt(group, tokens, at)))
}

const FILLERS: readonly WordGroup[] = ['every', 'article', 'of', 'during', 'longer']

function said(
  spoken: Spoken,
  name: keyof Spoken,
  { line, length }: { readonly line: number; readonly length: number },
): number {
  if (spoken[name] !== undefined) return 0
  spoken[name] = line
  return length
}

/** The interval without its weekday. Only a number is of days, and only a weekday is of each week. */
function baseOf({ adverb, count, unit, weekday }: Spoken): Interval | undefined {
  if (adverb !== undefined)
    return count === undefined && unit === undefined ? ADVERBS[adverb] : undefined
  if (unit === undefined && weekday !== undefined)
    return count === undefined ? { every: 1, unit: 'week' } : undefined
  if (unit === undefined && count === undefined) return undefined
  const one = UNITS[unit ?? 0]
  return one && { every: (count ?? 1) * one.every, unit: one.unit }
}

/** By the line of the unit. */
const UNITS: readonly Interval[] = [
  { every: 1, unit: 'day' },
  { every: 1, unit: 'week' },
  { every: 1, unit: 'month' },
  { every: 3, unit: 'month' },
  { every: 1, unit: 'year' },
]

/** By the line of the adverb. */
const ADVERBS: readonly Interval[] = [
  { every: 1, unit: 'day' },
  { every: 1, unit: 'week' },
  { every: 2, unit: 'week' },
  { every: 1, unit: 'month' },
  { every: 2, unit: 'month' },
  { every: 3, unit: 'month' },
  { every: 6, unit: 'month' },
  { every: 1, unit: 'year' },
]

/** As `Every 2 weeks` or `Last Friday of every month`; empty if it does not recur. `readRecurrence` reads it back. */
export function recurrenceText(recurrence: string): string {
  const interval = intervalOf(recurrence)
  if (!interval) return ''
  const { every, unit, weekday, ordinal } = interval
  if (weekday === undefined) return TEXTS[unit]({ every })
  const values = { every, weekday: weekdayName(weekday) }
  const [once, often] = (ordinal === undefined ? ON_WEEKDAY : IN_MONTH[ordinal - 1]) ?? ON_WEEKDAY
  return t(every === 1 ? once : often, values)
}

/** Each and every so many, like the next ones. */
const ON_WEEKDAY = [phrase('Every {weekday}'), phrase('Every {every} weeks on {weekday}')] as const

/** From the first to the fourth, and the last. */
const IN_MONTH = [
  [phrase('First {weekday} of every month'), phrase('Every {every} months on the first {weekday}')],
  [
    phrase('Second {weekday} of every month'),
    phrase('Every {every} months on the second {weekday}'),
  ],
  [phrase('Third {weekday} of every month'), phrase('Every {every} months on the third {weekday}')],
  [
    phrase('Fourth {weekday} of every month'),
    phrase('Every {every} months on the fourth {weekday}'),
  ],
  [phrase('Last {weekday} of every month'), phrase('Every {every} months on the last {weekday}')],
] as const

const TEXTS: Readonly<Record<RecurrenceUnit, (values: { readonly every: number }) => string>> = {
  day: ({ every }) => t('{every, plural, one {Every day} other {Every # days}}', { every }),
  week: ({ every }) => t('{every, plural, one {Every week} other {Every # weeks}}', { every }),
  month: ({ every }) => t('{every, plural, one {Every month} other {Every # months}}', { every }),
  year: ({ every }) => t('{every, plural, one {Every year} other {Every # years}}', { every }),
}
