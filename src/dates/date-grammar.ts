/**
 * The grammar of dates in words: `last Friday`, `3 weeks ago`, `next month`, `March 2024`, `end of the year`. Typed dates and
 * questions read the same words with it.
 */

import { calendarAt, yearly } from './calendar-dates.ts'
import {
  dayCount,
  dayOf,
  daysLater,
  isDay,
  startOfUnit,
  unitsLater,
  weekdayOf,
} from './calendar-day.ts'
import { agoAt, aheadAt, amountAt, countedAt, orderAt, unitAt } from './date-amounts.ts'
import { lengthAt, wordsAt } from './date-words.ts'
import {
  articleEnd,
  dayRange,
  meansPast,
  isYear,
  saidOf,
  unitRange,
  type DayRange,
  type RecurringName,
  type Said,
  type Scope,
} from './said-date.ts'

type Reader = (scope: Scope, at: number) => Said | undefined

/** Dates that are clear without a preposition. */
const CLEAR: readonly Reader[] = [
  namedDayAt,
  numbersAt,
  agoAt,
  aheadAt,
  orderedAt,
  countedAt,
  partAt,
  weekdayOfWeekAt,
  (scope, at) => unless(calendarAt(scope, at), ({ lacksYear }) => lacksYear === true),
]

/** Dates that are clear where a date is expected, such as after a preposition. */
const EXPECTED: readonly Reader[] = [...CLEAR, calendarAt, weekdayAt, weekendAt, amountAt]

/** The longest date that starts here and needs no preposition. */
export function clearDateAt(scope: Scope, at: number): Said | undefined {
  return longest(CLEAR, scope, at)
}

/** The longest date that starts here, where a date is expected. */
export function expectedDateAt(scope: Scope, at: number): Said | undefined {
  return longest(EXPECTED, scope, at)
}

/** A date that is all of the tokens from here on. */
export function restAt(scope: Scope, at: number): Said | undefined {
  const rest = scope.tokens.length - at
  return rest === 0
    ? undefined
    : EXPECTED.map((read) => read(scope, at)).find((said) => said?.length === rest)
}

function longest(readers: readonly Reader[], scope: Scope, at: number): Said | undefined {
  return readers
    .map((read) => read(scope, at))
    .reduce((best, said) => ((said?.length ?? 0) > (best?.length ?? 0) ? said : best), undefined)
}

function unless(said: Said | undefined, isWrong: (said: Said) => boolean): Said | undefined {
  return said && !isWrong(said) ? said : undefined
}

/** `January to March 2025`, `2026-11-23 2026-11-29`: from the start of one to the end of the other. */
export function rangeAt(scope: Scope, at: number): (DayRange & { length: number }) | undefined {
  const first = expectedDateAt(scope, at)
  const next = at + (first?.length ?? 0)
  const start = next + lengthAt('and', scope.tokens, next)
  if (!first || !isDay(first.to) || (start === next && scope.isQuestion)) return undefined
  const last = expectedDateAt(scope, start)
  if (!last || !isDay(last.to)) return undefined
  const length = start + last.length - at
  // A year that only one of them names is that of both.
  if (first.lacksYear === true && (meansPast(scope) || last.lacksYear !== true)) {
    const before = expectedDateAt({ ...scope, today: daysLater(last.to, -1), meant: 'latest' }, at)
    return before && { from: before.from, to: last.to, length }
  }
  const after =
    last.lacksYear === true || (last.kind === 'day' && last.to <= first.from)
      ? expectedDateAt({ ...scope, today: first.from, meant: 'next-last' }, start)
      : last
  return after && { from: first.from, to: after.to, length }
}

/** `today`, `the day after tomorrow`. */
function namedDayAt({ tokens, today }: Scope, at: number): Said | undefined {
  const named = wordsAt('named-day', tokens, at)
  return named && saidOf(dayRange(daysLater(today, named.line - 2)), named.length)
}

/** `2026-03-01` and, outside of sentences, `2026-03`. */
function numbersAt(scope: Scope, at: number): Said | undefined {
  const [year, month, date] = scope.tokens.slice(at, at + 3)
  if (!isYear(scope, year) || !isSmall(month)) return undefined
  const start = [Number(year), Number(month)] as const
  if (isSmall(date)) {
    const day = dayOf(...start, Number(date))
    return scope.isQuestion && !isDay(day) ? undefined : saidOf(dayRange(day), 3)
  }
  if (scope.isQuestion || start[1] < 1 || start[1] > 12) return undefined
  return saidOf(unitRange(dayOf(...start, 1), 'month'), 2, 'period')
}

function isSmall(token: string | undefined): boolean {
  return token !== undefined && /^\d{1,2}$/.test(token)
}

/** `last week`, `this summer`, `next Friday`, `mois dernier`. */
function orderedAt(scope: Scope, at: number): Said | undefined {
  const before = orderAt(scope.tokens, at)
  const start = at + (before?.length ?? 0)
  for (const named of [unitNamed, weekdayNamed, monthNamed, seasonNamed, weekendNamed]) {
    const name = named(scope, start)
    const after = name && !before ? orderAt(scope.tokens, start + name.length) : undefined
    const order = before ?? (after?.step === 0 ? undefined : after)
    if (!name || !order) continue
    const length = start - at + name.length + (after?.length ?? 0)
    return { ...name.of(order.step), length }
  }
  return undefined
}

function unitNamed({ tokens, today }: Scope, at: number): RecurringName | undefined {
  const unit = unitAt(tokens, at)
  return (
    unit && {
      length: unit.length,
      of: (step) => ({
        ...unitRange(unitsLater(startOfUnit(today, unit.unit), step, unit.unit), unit.unit),
        kind: unit.unit === 'day' ? 'day' : 'period',
      }),
    }
  )
}

/** On a Friday, only `next Friday` and `last Friday` are clear. */
function weekdayNamed(scope: Scope, at: number): RecurringName | undefined {
  const { tokens, today } = scope
  const match = wordsAt('weekday', tokens, at)
  if (!match) return undefined
  const ahead = (match.line - weekdayOf(today) + 7) % 7
  const isLatest = scope.meant?.startsWith('latest') === true
  return {
    length: match.length,
    of(step) {
      const isBehind = step === -1 || (step === 0 && isLatest)
      const day = ahead === 0 ? (isBehind ? -7 : 7) : isBehind ? ahead - 7 : ahead
      const found = { ...dayRange(daysLater(today, day)), kind: 'day' as const }
      if (step !== 0 || ahead !== 0) return found
      return scope.isQuestion ? found : { ...found, ...dayRange(today), or: found.from }
    },
  }
}

function weekdayAt(scope: Scope, at: number): Said | undefined {
  const named = weekdayNamed(scope, at)
  return named && { ...named.of(0), length: named.length }
}

/** `Friday next week`, `nächste Woche Freitag`, `Friday of this week`. */
function weekdayOfWeekAt({ tokens, today }: Scope, at: number): Said | undefined {
  const first = wordsAt('weekday', tokens, at)
  const start = first ? articleEnd(tokens, at + first.length) : at
  const order = orderAt(tokens, start)
  const unit = order && unitAt(tokens, start + order.length)
  if (!order || unit?.unit !== 'week') return undefined
  const end = start + order.length + unit.length
  const last = first ? undefined : wordsAt('weekday', tokens, end + lengthAt('during', tokens, end))
  const weekday = first ?? last
  if (!weekday) return undefined
  const monday = unitsLater(startOfUnit(today, 'week'), order.step, 'week')
  const day = daysLater(monday, (weekday.line + 6) % 7)
  const length = last ? end + lengthAt('during', tokens, end) + last.length - at : end - at
  return saidOf(dayRange(day), length)
}

/** From Saturday to Sunday. What is left of this one, for dates ahead. */
function weekendNamed(scope: Scope, at: number): RecurringName | undefined {
  const { tokens, today } = scope
  const length = lengthAt('weekend', tokens, at)
  if (length === 0) return undefined
  return {
    length,
    of(step) {
      const saturday = daysLater(startOfUnit(today, 'week'), 5 + 7 * step)
      const from = meansPast(scope) || saturday > today ? saturday : today
      return { from, to: daysLater(saturday, 2), kind: 'period' }
    },
  }
}

function weekendAt(scope: Scope, at: number): Said | undefined {
  const named = weekendNamed(scope, at)
  return named && { ...named.of(0), length: named.length }
}

function monthNamed(scope: Scope, at: number): RecurringName | undefined {
  const match = wordsAt('month', scope.tokens, at)
  return match && { length: match.length, of: yearly(scope, match.line, 1, 'period') }
}

/** Seasons of the northern hemisphere; winter ends in the next year. */
function seasonNamed(scope: Scope, at: number): RecurringName | undefined {
  const match = wordsAt('season', scope.tokens, at)
  return match && { length: match.length, of: yearly(scope, 2 + 3 * match.line, 3, 'season') }
}

/** `end of next month`, `Anfang Januar 2027`, `mid-May`; `end of the month` is that of this one. */
function partAt(scope: Scope, at: number): Said | undefined {
  const { tokens, today } = scope
  const whole = wordsAt('end-of', tokens, at)
  if (whole) {
    const { to } = unitRange(today, whole.line === 0 ? 'month' : 'year')
    return saidOf(dayRange(daysLater(to, -1)), whole.length)
  }
  const part = wordsAt('part', tokens, at)
  if (!part) return undefined
  const start = articleEnd(tokens, at + part.length)
  const period = orderedAt(scope, start) ?? calendarAt(scope, start) ?? presentUnitAt(scope, start)
  if (!period || period.kind === 'day' || !isDay(period.to)) return undefined
  // In a question about the middle of a month, all of the month is searched.
  if (part.line === 2 && scope.isQuestion) return undefined
  const last = daysLater(period.to, -1)
  const day = part.line === 0 ? period.from : part.line === 1 ? last : middleOf(period)
  const isSeason = period.kind === 'season'
  return saidOf(dayRange(day), start - at + period.length, isSeason ? 'season' : 'day')
}

/** The 15th of most months, and a Wednesday. */
function middleOf({ from, to }: DayRange): string {
  return daysLater(from, Math.floor((dayCount(to) - dayCount(from)) / 2) - 1)
}

function presentUnitAt(scope: Scope, at: number): Said | undefined {
  const unit = unitNamed(scope, at)
  return unit && { ...unit.of(0), length: unit.length }
}
