/** Finds dates in a question: "since March", "last summer", "before 2023", "in the last 3 months". */

import { calendarAt, lengthOf, nearAt, type Period, type Scope } from './calendar-dates.ts'
import { dateList, matchPhrase } from './phrases.ts'
import { agoAt, amountAt, lastAt, nextAt, thisAt } from './relative-dates.ts'

/** A date in the question, as the days that it covers. */
export interface DateMatch {
  readonly relation: 'since' | 'before' | 'after' | 'during'
  /** The first day, YYYY-MM-DD. */
  readonly from: string
  /** The day after the last one. */
  readonly to: string
  /** Index of the first token, preposition included. */
  readonly at: number
  readonly length: number
}

/**
 * The dates in normalized tokens. `todayOf` returns YYYY-MM-DD and is only called when there may be a date; a month without
 * a year is the last one that has begun.
 */
export function findDates(tokens: readonly string[], todayOf: () => string): readonly DateMatch[] {
  const found: DateMatch[] = []
  if (!tokens.some((_, at) => namesDate(tokens, at))) return found
  const today = todayOf()
  for (let at = 0; at < tokens.length;) {
    const match = dateAt({ tokens, today }, at)
    if (match) found.push(match)
    at += match?.length ?? 1
  }
  return found
}

/**
 * The same for days that recur every year, such as birthdays: also `next week`, and a month or a day without a
 * preposition.
 */
export function findRecurringDates(
  tokens: readonly string[],
  todayOf: () => string,
): readonly DateMatch[] {
  const found: DateMatch[] = []
  const scope = { tokens, today: todayOf() }
  for (let at = 0; at < tokens.length;) {
    const match = recurringAt(scope, at)
    if (match) found.push(match)
    at += match?.length ?? 1
  }
  return found
}

function recurringAt(scope: Scope, at: number): DateMatch | undefined {
  const skipped = lengthOf(scope, 'longer', at)
  const next = nextAt(scope, at + skipped)
  if (next) return { relation: 'during', at, ...next, length: skipped + next.length }
  const match = dateAt(scope, at)
  if (match) return match
  const alone = calendarAt(scope, at)
  return alone && { relation: 'during', at, ...alone }
}

/** Whether a word may be part of a date. */
export function isDateWord(word: string): boolean {
  return /^[qt]?\p{N}/u.test(word) || DATE_LISTS.some((list) => dateList(list).has(word))
}

const DATE_LISTS = [
  'month',
  'season',
  'unit',
  'number',
  'since',
  'before',
  'after',
  'during',
  'between',
  'and',
  'last',
  'this',
  'ago',
  'longer',
  'today',
  'yesterday',
  'long',
] as const

/** Whether a number or a word that only dates have is at this token; few questions have one. */
function namesDate(tokens: readonly string[], at: number): boolean {
  if (/^[qt]?\p{N}/u.test(tokens[at] ?? '')) return true
  return NAMING.some((section) => matchPhrase(dateList(section), tokens, at) !== undefined)
}

/** Every date without digits has a phrase of one of these. */
const NAMING = ['month', 'season', 'unit', 'today', 'yesterday', 'long'] as const

const RELATIONS = ['since', 'after', 'before', 'during'] as const

function dateAt(scope: Scope, at: number): DateMatch | undefined {
  const absolute = (['ago', 'last', 'this', 'near'] as const)
    .map((kind) => UNPREFIXED[kind](scope, at))
    .find((period) => period !== undefined)
  if (absolute) return { relation: 'during', at, ...absolute }
  const both = betweenAt(scope, at)
  if (both) return { relation: 'during', at, ...both }
  for (const relation of RELATIONS) {
    const length = lengthOf(scope, relation, at)
    if (length === 0) continue
    const period = periodAfter(scope, at + length)
    if (period) return { relation, at, ...period, length: length + period.length }
  }
  return undefined
}

/** `between January and March 2025`: from the start of one to the end of the other. */
function betweenAt(scope: Scope, at: number): Period | undefined {
  const start = at + lengthOf(scope, 'between', at)
  const first = start > at ? calendarAt(scope, start) : undefined
  const next = first && start + first.length
  const conjunction = next === undefined ? 0 : lengthOf(scope, 'and', next)
  if (!first || next === undefined || conjunction === 0) return undefined
  const last = calendarAt(scope, next + conjunction)
  if (!last) return undefined
  // The year of the second date is that of both.
  const year = last.isDated && !first.isDated ? last.from.slice(0, 4) : first.from.slice(0, 4)
  const from = first.isDated ? first.from : year + first.from.slice(4)
  if (from >= last.to) return undefined
  return { from, to: last.to, length: next + conjunction + last.length - at }
}

/** After a preposition, also a month, a season or a year alone is a date. */
function periodAfter(scope: Scope, at: number): Period | undefined {
  const skipped = lengthOf(scope, 'longer', at)
  const starts = skipped > 0 ? [at, at + skipped] : [at]
  for (const start of starts) {
    const period =
      agoAt(scope, start) ??
      lastAt(scope, start) ??
      thisAt(scope, start) ??
      nearAt(scope, start) ??
      calendarAt(scope, start) ??
      amountAt(scope, start)
    if (period) return { ...period, length: period.length + start - at }
  }
  return undefined
}

/** Dates that need no preposition. */
const UNPREFIXED = {
  ago: agoAt,
  last: lastAt,
  this: thisAt,
  near: nearAt,
} as const
