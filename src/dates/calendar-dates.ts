/** Dates by the names of a calendar, with or without a year: `March 2024`, `5 March`, `summer`, `Q1 2024`. */

import { dayOf, isDay, monthsLater, weekdayOf } from './calendar-day.ts'
import { lengthAt, wordsAt } from './date-words.ts'
import {
  articleEnd,
  dayRange,
  isYear,
  saidOf,
  type DayRange,
  type RecurringName,
  type Said,
  type Scope,
} from './said-date.ts'

/** The last one of these months that has ended, the one of this year, or the next one that has not begun. */
export function yearly(
  { today }: Scope,
  month: number,
  months: number,
  kind: Said['kind'],
): RecurringName['of'] {
  return (step) => {
    const near = yearlyNear(today, month, months)
    const found =
      step < 0
        ? near.findLast(({ to }) => to <= today)
        : near.find(({ from }) => (step > 0 ? from > today : from.startsWith(today.slice(0, 4))))
    // Three years always have one.
    return { ...(found ?? dayRange(today)), kind }
  }
}

/** These months in the years around today; `month` is counted from 0. */
function yearlyNear(today: string, month: number, months: number): readonly DayRange[] {
  const year = Number(today.slice(0, 4))
  return [-2, -1, 0, 1].map((step) => monthsFrom(year + step, month, months))
}

function monthsFrom(year: number, month: number, months: number): DayRange {
  const from = dayOf(year, month + 1, 1)
  return { from, to: monthsLater(from, months) }
}

/** The latest of these months that has begun, or the next one. */
function impliedYear({ today, meant }: Scope, month: number, months: number): DayRange {
  const near = yearlyNear(today, month, months)
  const found =
    meant === 'next' || meant === 'next-first'
      ? near.find(({ from }) => from > today)
      : meant === 'next-last'
        ? near.find(({ to }) => to > today)
        : near.findLast(({ from }) => from <= today)
  return found ?? dayRange(today)
}

/** `March`, `3 March 2024`, `Thu March 3`, `summer of 2024`, `Q1 2024`, `2024`. */
export function calendarAt(scope: Scope, at: number): Said | undefined {
  const { tokens } = scope
  const year = yearAt(scope, at)
  if (year?.length === 1)
    return { ...saidOf(monthsFrom(year.year, 0, 12), 1, 'period'), lacksYear: scope.isQuestion }
  const quarter = Number(/^[qt]([1-4])$/.exec(tokens[at] ?? '')?.[1] ?? 0)
  if (quarter > 0) return monthsAt(scope, at, { length: 1, month: (quarter - 1) * 3, months: 3 })
  const season = wordsAt('season', tokens, at)
  if (!season) return monthAt(scope, at)
  const { length, line } = season
  return { ...monthsAt(scope, at, { length, month: 2 + 3 * line, months: 3 }), kind: 'season' }
}

interface NamedMonths {
  /** Tokens. */
  readonly length: number
  /** Counted from 0. */
  readonly month: number
  readonly months: number
}

/** Months with the year that follows, if there is one. */
function monthsAt(scope: Scope, at: number, { length, month, months }: NamedMonths): Said {
  const year = yearAt(scope, at + length)
  if (year) return saidOf(monthsFrom(year.year, month, months), length + year.length, 'period')
  return { ...saidOf(impliedYear(scope, month, months), length, 'period'), lacksYear: true }
}

/** A year, also as `of 2024`. */
function yearAt(scope: Scope, at: number): { year: number; length: number } | undefined {
  const skipped = lengthAt('of', scope.tokens, at)
  const written = scope.tokens[at + skipped]
  return isYear(scope, written) ? { year: Number(written), length: skipped + 1 } : undefined
}

function monthAt(scope: Scope, at: number): Said | undefined {
  const { tokens } = scope
  const weekday = wordsAt('weekday', tokens, at) ?? wordsAt('weekday-short', tokens, at)
  const start = weekday ? articleEnd(tokens, at + weekday.length) : at
  const before = dayNumber(tokens[start])
  const lead = before === undefined ? 0 : 1 + lengthAt('of', tokens, start + 1)
  const month = wordsAt('month', tokens, start + lead)
  if (!month) return undefined
  const next = start + lead + month.length
  const after = before === undefined ? dayNumber(tokens[next]) : undefined
  const date = before ?? after
  if (date === undefined)
    return weekday ? undefined : monthsAt(scope, at, { ...month, month: month.line, months: 1 })
  const end = next + (after === undefined ? 0 : 1)
  const year = yearAt(scope, end)
  const dayIn = (some: number) => dayOf(some, month.line + 1, date)
  const day = year ? dayIn(year.year) : nearest(dayIn, scope)
  if (scope.isQuestion && !isDay(day)) return undefined
  return {
    ...saidOf(dayRange(day), end + (year?.length ?? 0) - at),
    ...(!year && { lacksYear: true }),
    ...(weekday && isDay(day) && weekdayOf(day) !== weekday.line && { isOffWeekday: true }),
  }
}

function dayNumber(token: string | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th|er)?$/.exec(token ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Today included. 29 February is up to eight years away. */
function nearest(dayIn: (year: number) => string, { today, meant }: Scope): string {
  const present = Number(today.slice(0, 4))
  const step = meant?.startsWith('latest') === true ? -1 : 1
  for (let years = 0; Math.abs(years) <= 8; years += step) {
    const day = dayIn(present + years)
    if (isDay(day) && (step === 1 ? day >= today : day <= today)) return day
  }
  return dayIn(present)
}
