/** Finds dates in a question: "since March", "last summer", "before 2023", "in the last 3 months". */

import { lengthAt, startsWords, wordsAt, type WordGroup } from './date-words.ts'
import { calendarAt } from './calendar-dates.ts'
import { amountAt, stretch } from './date-amounts.ts'
import { clearDateAt, expectedDateAt, rangeAt } from './date-grammar.ts'
import type { DayRange, Scope } from './said-date.ts'

/** A date in the question, as the days that it covers. */
export interface DateMatch extends DayRange {
  readonly relation: 'since' | 'before' | 'after' | 'during'
  /** Index of the first token, preposition included. */
  readonly at: number
  readonly length: number
}

/**
 * The dates in normalized tokens. `todayOf` returns YYYY-MM-DD and is only called when there may be a date; a month without
 * a year is the last one that has begun.
 */
export function findDates(tokens: readonly string[], todayOf: () => string): readonly DateMatch[] {
  if (!tokens.some((_, at) => namesDate(tokens, at))) return []
  return findAll({ tokens, today: todayOf(), meant: 'latest', isQuestion: true }, dateAt)
}

/**
 * The same for days that recur every year, such as birthdays: also `soon`, and a month or a day without a preposition. Dates
 * without a year are ahead.
 */
export function findRecurringDates(
  tokens: readonly string[],
  todayOf: () => string,
): readonly DateMatch[] {
  return findAll({ tokens, today: todayOf(), meant: 'next-last', isQuestion: true }, recurringAt)
}

function findAll(
  scope: Scope,
  find: (scope: Scope, at: number) => DateMatch | undefined,
): DateMatch[] {
  const found: DateMatch[] = []
  for (let at = 0; at < scope.tokens.length;) {
    const match = find(scope, at)
    if (match) found.push(match)
    at += match?.length ?? 1
  }
  return found
}

function recurringAt(scope: Scope, at: number): DateMatch | undefined {
  const { tokens, today } = scope
  const match = dateAt(scope, at)
  if (match) return match
  const alone = calendarAt(scope, at)
  if (alone) return { relation: 'during', at, ...alone }
  const soon = lengthAt('soon', tokens, at)
  return soon === 0
    ? undefined
    : { relation: 'during', at, ...stretch(today, SOON_DAYS, 'day'), length: soon }
}

const SOON_DAYS = 30

/** Whether a word may be part of a date. Weekdays are also words of what is asked: `who can help on Friday`. */
export function isDateWord(word: string): boolean {
  return /^[qt]?\p{N}/u.test(word) || DATE_WORDS.some((group) => startsWords(group, word))
}

const DATE_WORDS: readonly WordGroup[] = [
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
  'order',
  'ago',
  'longer',
  'named-day',
  'long',
]

/** Whether a number or a word that only dates have is at this normalized token; every date has one. */
export function namesDate(tokens: readonly string[], at: number): boolean {
  if (/^[qt]?\p{N}/u.test(tokens[at] ?? '')) return true
  return NAMING.some((group) => wordsAt(group, tokens, at) !== undefined)
}

/** Every date without digits has a phrase of one of these. */
const NAMING: readonly WordGroup[] = [
  'month',
  'season',
  'weekday',
  'weekend',
  'unit',
  'named-day',
  'long',
]

const RELATIONS = ['since', 'after', 'before', 'during'] as const

function dateAt(scope: Scope, at: number): DateMatch | undefined {
  const { tokens } = scope
  const clear = afterFiller(scope, at, clearDateAt)
  if (clear) return { relation: 'during', at, ...clear }
  const between = lengthAt('between', tokens, at)
  const both = between > 0 ? rangeAt(scope, at + between) : undefined
  if (both && both.from < both.to)
    return { relation: 'during', at, ...both, length: between + both.length }
  for (const relation of RELATIONS) {
    const length = lengthAt(relation, tokens, at)
    const period = length > 0 ? afterFiller(scope, at + length, timeAt) : undefined
    if (period) return { relation, at, ...period, length: length + period.length }
  }
  return undefined
}

interface FoundTime extends DayRange {
  readonly length: number
}

/** Also after words such as `in the` and `more than`. */
function afterFiller(
  scope: Scope,
  at: number,
  find: (scope: Scope, at: number) => FoundTime | undefined,
): FoundTime | undefined {
  const here = find(scope, at)
  const skipped = here ? 0 : lengthAt('longer', scope.tokens, at)
  const later = skipped > 0 ? find(scope, at + skipped) : undefined
  return here ?? (later && { ...later, length: skipped + later.length })
}

/** A date after a preposition, or an amount of time. */
function timeAt(scope: Scope, at: number): FoundTime | undefined {
  return expectedDateAt(scope, at) ?? longTimeAt(scope, at)
}

/** `ages`, `a long time`: a year. */
function longTimeAt({ tokens, today }: Scope, at: number): FoundTime | undefined {
  const length = lengthAt('long', tokens, at)
  return length === 0 ? undefined : { ...stretch(today, -1, 'year'), length }
}

/** `haven't spoken to in 6 months`, `for over a year`, `in ages`: an amount of time at this token. */
export function amountOfTime(
  tokens: readonly string[],
  at: number,
  today: string,
): FoundTime | undefined {
  const scope: Scope = { tokens, today, meant: 'latest', isQuestion: true }
  let start = at
  for (let skipped = 1; skipped > 0 && start - at < 4; start += skipped) {
    const period = longTimeAt(scope, start) ?? amountAt(scope, start)
    if (period) return { ...period, length: start - at + period.length }
    skipped = lengthAt('longer', tokens, start)
  }
  return undefined
}
