/** Finds dates in a question: "since March", "last summer", "before 2023", "in the last 3 months". */

import { DAY } from '../../../base/clock.ts'
import { dateList, matchPhrase, type DateList } from './phrases.ts'

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

/** `next month`: the calendar month after this one; `next 3 weeks`: from today on; `tomorrow`; `soon`: 30 days. */
function nextAt(scope: Scope, at: number): Period | undefined {
  const { today } = scope
  const tomorrow = lengthOf(scope, 'tomorrow', at)
  if (tomorrow > 0) return { from: addDays(today, 1), to: addDays(today, 2), length: tomorrow }
  const soon = lengthOf(scope, 'soon', at)
  if (soon > 0) return { from: today, to: addDays(today, SOON_DAYS), length: soon }
  const first = lengthOf(scope, 'next', at)
  const amount = first > 0 ? countedUnitAt(scope, at + first) : undefined
  if (amount) {
    const to = addUnits(today, amount.unit, amount.count)
    return { from: today, to, length: first + amount.length }
  }
  const unit = unitAt(scope, at + first)
  const second = unit && first === 0 ? lengthOf(scope, 'next', at + unit.length) : 0
  if (!unit || first + second === 0) return undefined
  const from = addUnits(startOfUnit(today, unit.unit), unit.unit, 1)
  return { from, to: addUnits(from, unit.unit, 1), length: first + unit.length + second }
}

const SOON_DAYS = 30

/** Whether a number or a word that only dates have is at this token; few questions have one. */
function namesDate(tokens: readonly string[], at: number): boolean {
  if (/^[qt]?\p{N}/u.test(tokens[at] ?? '')) return true
  return NAMING.some((section) => matchPhrase(dateList(section), tokens, at) !== undefined)
}

/** Every date without digits has a phrase of one of these. */
const NAMING = ['month', 'season', 'unit', 'today', 'yesterday', 'long'] as const

interface Scope {
  readonly tokens: readonly string[]
  readonly today: string
}

/** Days from `from` to before `to`, written with `length` tokens. */
interface Period {
  readonly from: string
  readonly to: string
  readonly length: number
}

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

/** `3 months ago`: that month; the same for other units. */
function agoAt(scope: Scope, at: number): Period | undefined {
  const before = lengthOf(scope, 'ago-before', at)
  const amount = countedUnitAt(scope, at + before)
  if (!amount) return undefined
  const after = lengthOf(scope, 'ago', at + before + amount.length)
  if (before === 0 && after === 0) return undefined
  const from = startOfUnit(addUnits(scope.today, amount.unit, -amount.count), amount.unit)
  const length = before + amount.length + after
  return { from, to: addUnits(from, amount.unit, 1), length }
}

/** `last year`, `last 3 months`, `last summer`, `mois dernier`, `3 derniers mois`. */
function lastAt(scope: Scope, at: number): Period | undefined {
  const skipped = lengthOf(scope, 'longer', at)
  const inAmount = skipped > 0 ? lastAmountAt(scope, at + skipped) : undefined
  if (inAmount) return { ...inAmount, length: inAmount.length + skipped }
  return lastAmountAt(scope, at) ?? lastUnitAt(scope, at)
}

/** `last 3 months`: the days since then, today included. */
function lastAmountAt(scope: Scope, at: number): Period | undefined {
  const last = lengthOf(scope, 'last', at)
  const amount = countedUnitAt(scope, at + last)
  if (last > 0 && amount) return amountPeriod(scope, amount, last + amount.length)
  const count = numberAt(scope, at)
  if (!count) return undefined
  const middle = lengthOf(scope, 'last', at + count.length)
  const unit = middle > 0 ? unitAt(scope, at + count.length + middle) : undefined
  if (!unit) return undefined
  return amountPeriod(
    scope,
    { unit: unit.unit, count: count.value },
    count.length + middle + unit.length,
  )
}

/** `last month`: the calendar month before this one; `last summer`: the last one that has ended or begun. */
function lastUnitAt(scope: Scope, at: number): Period | undefined {
  const first = lengthOf(scope, 'last', at)
  const named = namedAt(scope, at + first)
  if (!named) return undefined
  const second = first === 0 ? lengthOf(scope, 'last', at + named.length) : 0
  if (first + second === 0) return undefined
  return { ...named.last(), length: first + named.length + second }
}

interface Named {
  readonly length: number
  last(): Omit<Period, 'length'>
}

function namedAt(scope: Scope, at: number): Named | undefined {
  const { today } = scope
  const unit = unitAt(scope, at)
  if (unit)
    return {
      length: unit.length,
      last() {
        const to = startOfUnit(today, unit.unit)
        return { from: addUnits(to, unit.unit, -1), to }
      },
    }
  const month = matchPhrase(dateList('month'), scope.tokens, at)
  if (month)
    return {
      length: month.length,
      last: () => monthPeriod(lastYearOf(month.line, today), month.line),
    }
  const season = matchPhrase(dateList('season'), scope.tokens, at)
  if (!season) return undefined
  return {
    length: season.length,
    last() {
      const start = SEASON_STARTS[season.line] ?? 0
      const running = seasonPeriod(lastYearOf(start, today), season.line)
      return running.to > today ? seasonPeriod(lastYearOf(start, today) - 1, season.line) : running
    },
  }
}

/** `this year`. */
function thisAt(scope: Scope, at: number): Period | undefined {
  const length = lengthOf(scope, 'this', at)
  const unit = length > 0 ? unitAt(scope, at + length) : undefined
  if (!unit) return undefined
  const from = startOfUnit(scope.today, unit.unit)
  return { from, to: addUnits(from, unit.unit, 1), length: length + unit.length }
}

/** `today`, `yesterday`, an ISO date, `March 2024`, `summer 2024`, `Q1 2024`. */
function nearAt(scope: Scope, at: number): Period | undefined {
  const { tokens, today } = scope
  const now = lengthOf(scope, 'today', at)
  if (now > 0) return { from: today, to: addDays(today, 1), length: now }
  const day = lengthOf(scope, 'yesterday', at)
  if (day > 0) return { from: addDays(today, -1), to: today, length: day }
  const [year, month, date] = tokens.slice(at, at + 3).map(Number)
  if (isYear(tokens[at]) && isDate(year, month, date)) {
    const from = dayOf(year ?? 0, (month ?? 1) - 1, date ?? 1)
    return { from, to: addDays(from, 1), length: 3 }
  }
  const calendar = calendarAt(scope, at)
  return calendar?.isDated === true ? calendar : undefined
}

interface CalendarPeriod extends Period {
  /** Whether the year is given. */
  readonly isDated: boolean
}

/** `March`, `3 March 2024`, `March 3`, `summer`, `summer of 2024`, `Q1 2024`, `2024`. */
function calendarAt(scope: Scope, at: number): CalendarPeriod | undefined {
  const { tokens, today } = scope
  if (isYear(tokens[at])) {
    const year = Number(tokens[at])
    return { from: dayOf(year, 0, 1), to: dayOf(year + 1, 0, 1), length: 1, isDated: false }
  }
  const quarter = /^[qt]([1-4])$/.exec(tokens[at] ?? '')?.[1]
  if (quarter !== undefined) {
    const { year, length, isDated } = yearAfter(scope, at + 1, (Number(quarter) - 1) * 3)
    const start = (Number(quarter) - 1) * 3
    return {
      from: dayOf(year, start, 1),
      to: dayOf(year, start + 3, 1),
      length: 1 + length,
      isDated,
    }
  }
  const season = matchPhrase(dateList('season'), tokens, at)
  if (season) {
    const start = SEASON_STARTS[season.line] ?? 0
    const { year, length, isDated } = yearAfter(scope, at + season.length, start)
    return { ...seasonPeriod(year, season.line), length: season.length + length, isDated }
  }
  return monthAt({ tokens, today }, at)
}

function monthAt(scope: Scope, at: number): CalendarPeriod | undefined {
  const { tokens } = scope
  const before = dayNumber(tokens[at])
  const lead = before === undefined ? 0 : 1 + particle(tokens[at + 1])
  const month = matchPhrase(dateList('month'), tokens, at + lead)
  if (!month) return undefined
  let next = at + lead + month.length
  const after = before === undefined ? dayNumber(tokens[next]) : undefined
  if (after !== undefined) next += 1
  const { year, length, isDated } = yearAfter(scope, next, month.line)
  const date = before ?? after
  const whole = { length: next - at + length, isDated }
  if (date === undefined) return { ...monthPeriod(year, month.line), ...whole }
  if (!isDate(year, month.line + 1, date)) return undefined
  const from = dayOf(year, month.line, date)
  return { from, to: addDays(from, 1), ...whole }
}

/** The year that is written here, or the last one in which this month has begun. */
function yearAfter(
  { tokens, today }: Scope,
  at: number,
  month: number,
): { year: number; length: number; isDated: boolean } {
  const skipped = particle(tokens[at])
  const written = tokens[at + skipped]
  if (isYear(written)) return { year: Number(written), length: skipped + 1, isDated: true }
  return { year: lastYearOf(month, today), length: 0, isDated: false }
}

/** `of`, `de` and `del` between a day, a month and a year. */
function particle(token: string | undefined): 0 | 1 {
  return token === 'of' || token === 'de' || token === 'del' || token === 'do' ? 1 : 0
}

/** `6 months`, `a year`, `a long time`: the days since then. */
function amountAt(scope: Scope, at: number): Period | undefined {
  const long = lengthOf(scope, 'long', at)
  if (long > 0) return amountPeriod(scope, { unit: 4, count: 1 }, long)
  const amount = countedUnitAt(scope, at)
  return amount && amountPeriod(scope, amount, amount.length)
}

function amountPeriod(
  { today }: Scope,
  { unit, count }: { readonly unit: number; readonly count: number },
  length: number,
): Period {
  return { from: addUnits(today, unit, -count), to: addDays(today, 1), length }
}

/** `haven't spoken to in 6 months`, `for over a year`, `in ages`: an amount of time at this token. */
export function amountOfTime(
  tokens: readonly string[],
  at: number,
  today: string,
): { readonly from: string; readonly length: number } | undefined {
  const scope = { tokens, today }
  let start = at
  for (let skipped = 1; skipped > 0 && start - at < 4; start += skipped) {
    const period = amountAt(scope, start)
    if (period) return { from: period.from, length: start - at + period.length }
    skipped = lengthOf(scope, 'longer', start)
  }
  return undefined
}

interface CountedUnit {
  /** 0 to 4: day, week, month, quarter, year. */
  readonly unit: number
  readonly count: number
  readonly length: number
}

function countedUnitAt(scope: Scope, at: number): CountedUnit | undefined {
  const count = numberAt(scope, at)
  const unit = count && unitAt(scope, at + count.length)
  return unit && { unit: unit.unit, count: count.value, length: count.length + unit.length }
}

function numberAt(scope: Scope, at: number): { value: number; length: number } | undefined {
  const token = scope.tokens[at] ?? ''
  if (/^\d{1,3}$/.test(token)) return { value: Number(token), length: 1 }
  const match = matchPhrase(dateList('number'), scope.tokens, at)
  return match && { value: match.line + 1, length: match.length }
}

function unitAt(scope: Scope, at: number): { unit: number; length: number } | undefined {
  const match = matchPhrase(dateList('unit'), scope.tokens, at)
  return match && { unit: match.line, length: match.length }
}

function lengthOf({ tokens }: Scope, section: DateList, at: number): number {
  return matchPhrase(dateList(section), tokens, at)?.length ?? 0
}

function isYear(token: string | undefined): boolean {
  return token !== undefined && /^(?:19|20)\d\d$/.test(token)
}

function dayNumber(token: string | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th|er)?$/.exec(token ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function isDate(year = 0, month = 0, date = 0): boolean {
  const time = new Date(Date.UTC(year, month - 1, date))
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date
}

/** March, June, September and December; winter ends in the next year. */
const SEASON_STARTS: readonly number[] = [2, 5, 8, 11]

function seasonPeriod(year: number, season: number): Omit<Period, 'length'> {
  const start = SEASON_STARTS[season] ?? 0
  return { from: dayOf(year, start, 1), to: dayOf(year, start + 3, 1) }
}

function monthPeriod(year: number, month: number): Omit<Period, 'length'> {
  return { from: dayOf(year, month, 1), to: dayOf(year, month + 1, 1) }
}

/** The last year in which the first day of this month is not after today. */
function lastYearOf(month: number, today: string): number {
  const year = Number(today.slice(0, 4))
  return dayOf(year, month, 1) <= today ? year : year - 1
}

/** Days; months are counted from 0 and may be 12 or more. */
function dayOf(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

const DAYS = [1, 7]
const MONTHS = [0, 0, 1, 3, 12]

function addUnits(day: string, unit: number, count: number): string {
  const days = DAYS[unit]
  if (days !== undefined) return addDays(day, days * count)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = month - 1 + (MONTHS[unit] ?? 0) * count
  // January 31 plus a month is the last day of February.
  const last = new Date(Date.UTC(year, first + 1, 0)).getUTCDate()
  return dayOf(year, first, Math.min(date, last))
}

/** Weeks start on Monday. */
function startOfUnit(day: string, unit: number): string {
  const time = new Date(`${day}T00:00:00Z`)
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  if (unit === 0) return day
  if (unit === 1) return addDays(day, -((time.getUTCDay() + 6) % 7))
  if (unit === 2) return dayOf(year, month, 1)
  if (unit === 3) return dayOf(year, month - (month % 3), 1)
  return dayOf(year, 0, 1)
}
