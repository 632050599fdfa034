/**
 * The grammar of dates in words: `last Friday`, `3 weeks ago`, `next month`, `March 2024`, `end of the year`. Typed dates and
 * questions read the same words with it.
 */

import {
  dayCount,
  dayOf,
  daysLater,
  isDay,
  monthsLater,
  startOfUnit,
  unitsLater,
  weekdayOf,
  type DateUnit,
} from './calendar-day.ts'
import { lengthAt, wordsAt } from './date-words.ts'

/**
 * The direction in which dates lie that recur (`Saturday`, `5 March`, `January`): the latest or the next one. The first or
 * last day of periods, which are no dates without it.
 */
export type MeantDay = Tense | `${Tense}-${'first' | 'last'}`
type Tense = 'latest' | 'next'

/** The tokens of a text, the day on which it was written, and how it is read. */
export interface Scope {
  readonly tokens: readonly string[]
  readonly today: string
  readonly meant: MeantDay | undefined
  /** True for dates in a sentence, whose other words and numbers mean other things. */
  readonly isQuestion: boolean
}

export interface DayRange {
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** What words say. */
export interface Said extends DayRange {
  readonly kind: 'day' | 'season' | 'period'
  /** Tokens. */
  readonly length: number
  /** The exact day that an amount of time leads to; the period is the unit around it, or the time until then. */
  readonly day?: string
  /** True if a month or a day of one has no year. */
  readonly lacksYear?: boolean
  /** Another day that is as likely: `Friday`, on a Friday. */
  readonly or?: string
  /** True if the date is not on the weekday that is named with it. */
  readonly isOffWeekday?: boolean
}

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
  if (first.lacksYear === true && (isPast(scope) || last.lacksYear !== true)) {
    const before = expectedDateAt({ ...scope, today: daysLater(last.to, -1), meant: 'latest' }, at)
    return before && { from: before.from, to: last.to, length }
  }
  const after =
    last.lacksYear === true || (last.kind === 'day' && last.to <= first.from)
      ? expectedDateAt({ ...scope, today: first.from, meant: 'next-last' }, start)
      : last
  return after && { from: first.from, to: after.to, length }
}

/** True unless the caller expects a date ahead. */
function isPast({ meant }: Scope): boolean {
  return meant?.startsWith('next') !== true
}

function dayRange(day: string): DayRange {
  return { from: day, to: isDay(day) ? daysLater(day, 1) : day }
}

function unitRange(day: string, unit: DateUnit): DayRange {
  const from = startOfUnit(day, unit)
  return { from, to: unitsLater(from, 1, unit) }
}

/** `today`, `the day after tomorrow`. */
function namedDayAt({ tokens, today }: Scope, at: number): Said | undefined {
  const named = wordsAt('named-day', tokens, at)
  return named && saidOf(dayRange(daysLater(today, named.line - 2)), named.length)
}

function saidOf(range: DayRange, length: number, kind: Said['kind'] = 'day'): Said {
  return { ...range, length, kind }
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

/** In sentences, other numbers are rarely years. */
function isYear({ isQuestion }: Scope, token: string | undefined): boolean {
  return token !== undefined && (isQuestion ? /^(?:19|20)\d\d$/ : /^[1-9]\d{3}$/).test(token)
}

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const

interface Amount {
  readonly count: number
  readonly unit: DateUnit
  readonly length: number
}

function unitAt(
  tokens: readonly string[],
  at: number,
): { unit: DateUnit; length: number } | undefined {
  const match = wordsAt('unit', tokens, at)
  const unit = UNITS[match?.line ?? -1]
  return match && unit && { unit, length: match.length }
}

/** A number of up to four digits, or a word up to twelve. */
export function countAt(
  tokens: readonly string[],
  at: number,
): { readonly count: number; readonly length: number } | undefined {
  if (/^\d{1,4}$/.test(tokens[at] ?? '')) return { count: Number(tokens[at]), length: 1 }
  const match = wordsAt('number', tokens, at)
  return match && { count: match.line + 1, length: match.length }
}

function amountOf(tokens: readonly string[], at: number): Amount | undefined {
  const count = countAt(tokens, at)
  const unit = count && count.count < 1000 ? unitAt(tokens, at + count.length) : undefined
  return (
    count && unit && { count: count.count, unit: unit.unit, length: count.length + unit.length }
  )
}

/** `3 months ago`: that day, in that month. */
function agoAt({ tokens, today }: Scope, at: number): Said | undefined {
  const before = lengthAt('ago-before', tokens, at)
  const amount = amountOf(tokens, at + before)
  if (!amount) return undefined
  const after = lengthAt('ago', tokens, at + before + amount.length)
  if (before + after === 0) return undefined
  return aroundDay(today, -amount.count, amount, before + amount.length + after)
}

/** `in two weeks`, `3 days from now`. In a question about the past, that is the time since then. */
function aheadAt(scope: Scope, at: number): Said | undefined {
  const { tokens, today } = scope
  if (scope.isQuestion && isPast(scope)) return undefined
  const before = lengthAt('ahead', tokens, at)
  const amount = amountOf(tokens, at + before)
  if (!amount) return undefined
  const after = before > 0 ? 0 : lengthAt('ahead-after', tokens, at + amount.length)
  if (before + after === 0) return undefined
  return aroundDay(today, amount.count, amount, before + amount.length + after)
}

function aroundDay(today: string, count: number, { unit }: Amount, length: number): Said {
  const day = unitsLater(today, count, unit)
  const range = isDay(day) ? unitRange(day, unit) : dayRange(day)
  return { ...saidOf(range, length, 'period'), day }
}

/** `6 months`: the time until now, or from now on. */
export function amountAt(scope: Scope, at: number): Said | undefined {
  const amount = scope.meant === undefined ? undefined : amountOf(scope.tokens, at)
  if (!amount) return undefined
  const range = stretch(scope.today, isPast(scope) ? -amount.count : amount.count, amount.unit)
  const day = isPast(scope) ? range.from : range.to
  return { ...saidOf(range, amount.length, 'period'), day }
}

/** From or until the day a number of units from today, which is included. */
export function stretch(today: string, count: number, unit: DateUnit): DayRange {
  const other = unitsLater(today, count, unit)
  return count < 0 ? { from: other, to: daysLater(today, 1) } : { from: today, to: other }
}

/** `last 3 months`, `next 10 days`, `3 derniers mois`, today included. */
function countedAt({ tokens, today }: Scope, at: number): Said | undefined {
  const first = orderAt(tokens, at)
  const count = countAt(tokens, at + (first?.length ?? 0))
  if (!count) return undefined
  const middle = at + (first?.length ?? 0) + count.length
  const order = first ?? orderAt(tokens, middle)
  const start = middle + (first ? 0 : (order?.length ?? 0))
  const unit = unitAt(tokens, start)
  if (!order || !unit || order.step === 0 || count.count === 0 || count.count > 999)
    return undefined
  const range = stretch(today, order.step * count.count, unit.unit)
  return saidOf(range, start + unit.length - at, 'period')
}

/** -1 for `last`, 0 for `this` and 1 for `next`. */
function orderAt(tokens: readonly string[], at: number) {
  const match = wordsAt('order', tokens, at)
  return match && { step: match.line - 1, length: match.length }
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

/** A name of days or periods that come again. */
interface Named {
  readonly length: number
  /** The one before, around or after today. */
  of(step: number): Omit<Said, 'length'>
}

function unitNamed({ tokens, today }: Scope, at: number): Named | undefined {
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
function weekdayNamed(scope: Scope, at: number): Named | undefined {
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
function weekendNamed(scope: Scope, at: number): Named | undefined {
  const { tokens, today } = scope
  const length = lengthAt('weekend', tokens, at)
  if (length === 0) return undefined
  return {
    length,
    of(step) {
      const saturday = daysLater(startOfUnit(today, 'week'), 5 + 7 * step)
      const from = isPast(scope) || saturday > today ? saturday : today
      return { from, to: daysLater(saturday, 2), kind: 'period' }
    },
  }
}

function weekendAt(scope: Scope, at: number): Said | undefined {
  const named = weekendNamed(scope, at)
  return named && { ...named.of(0), length: named.length }
}

function monthNamed(scope: Scope, at: number): Named | undefined {
  const match = wordsAt('month', scope.tokens, at)
  return match && { length: match.length, of: yearly(scope, match.line, 1, 'period') }
}

/** Seasons of the northern hemisphere; winter ends in the next year. */
function seasonNamed(scope: Scope, at: number): Named | undefined {
  const match = wordsAt('season', scope.tokens, at)
  return match && { length: match.length, of: yearly(scope, 2 + 3 * match.line, 3, 'season') }
}

/** The last one of these months that has ended, the one of this year, or the next one that has not begun. */
function yearly({ today }: Scope, month: number, months: number, kind: Said['kind']): Named['of'] {
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

/** The index after articles and words such as `of`. */
export function articleEnd(tokens: readonly string[], at: number): number {
  const length = Math.max(lengthAt('of', tokens, at), lengthAt('article', tokens, at))
  return length === 0 ? at : articleEnd(tokens, at + length)
}
