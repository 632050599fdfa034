/** Reads how often something happens, in words: `weekly`, `every two weeks`, `the last Friday of each month`, `never`. */

import { tokenize } from '../base/tokenize.ts'
import { countAt } from './date-amounts.ts'
import { lengthAt, wordsAt, type WordGroup } from './date-words.ts'
import { MAX_DATE_TEXT_LENGTH } from './read-date.ts'
import type { Interval } from './recurrence.ts'

/** Whether a text says that something does not recur. */
export function isNever(text: string): boolean {
  const tokens = wordsOf(text)
  return tokens.length > 0 && lengthAt('never', tokens, 0) === tokens.length
}

/** None for a text that is too long or has a negative number. */
function wordsOf(text: string): string[] {
  if (text.length > MAX_DATE_TEXT_LENGTH || /(?:^|\s)[-−]\s?\d/.test(text)) return []
  return tokenize(text.replace(/(\d)[.,](?=\d{3}\b)/g, '$1'))
}

/** What the words say. Each is said at most once. */
interface Spoken {
  adverb?: number
  count?: number
  unit?: number
  weekday?: number
  ordinal?: number
}

/** Undefined for other texts. */
export function readInterval(text: string): Interval | undefined {
  const tokens = wordsOf(text)
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
