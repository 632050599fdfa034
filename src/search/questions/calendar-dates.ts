/** Dates of the calendar in a question: `today`, `2026-03-01`, `March 2024`, `summer`, `Q1 2024`. */

import {
  addDays,
  dateOf,
  isRealDate,
  lastYearOf,
  monthPeriod,
  SEASON_STARTS,
  seasonPeriod,
  type DayRange,
} from './days-and-units.ts'
import { dateList, matchPhrase, type DateList } from './phrases.ts'

/** The tokens of a question, and the day on which it is asked. */
export interface Scope {
  readonly tokens: readonly string[]
  readonly today: string
}

/** A period that is written with `length` tokens. */
export interface Period extends DayRange {
  readonly length: number
}

/** Tokens of the phrase of this list that starts here; 0 if there is none. */
export function lengthOf({ tokens }: Scope, section: DateList, at: number): number {
  return matchPhrase(dateList(section), tokens, at)?.length ?? 0
}

/** `today`, `yesterday`, an ISO date, `March 2024`, `summer 2024`, `Q1 2024`. */
export function nearAt(scope: Scope, at: number): Period | undefined {
  const { tokens, today } = scope
  const now = lengthOf(scope, 'today', at)
  if (now > 0) return { from: today, to: addDays(today, 1), length: now }
  const day = lengthOf(scope, 'yesterday', at)
  if (day > 0) return { from: addDays(today, -1), to: today, length: day }
  const [year, month, date] = tokens.slice(at, at + 3).map(Number)
  if (isYear(tokens[at]) && isRealDate(year, month, date)) {
    const from = dateOf(year ?? 0, (month ?? 1) - 1, date ?? 1)
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
export function calendarAt(scope: Scope, at: number): CalendarPeriod | undefined {
  const { tokens, today } = scope
  if (isYear(tokens[at])) {
    const year = Number(tokens[at])
    return { from: dateOf(year, 0, 1), to: dateOf(year + 1, 0, 1), length: 1, isDated: false }
  }
  const quarter = /^[qt]([1-4])$/.exec(tokens[at] ?? '')?.[1]
  if (quarter !== undefined) {
    const { year, length, isDated } = yearAfter(scope, at + 1, (Number(quarter) - 1) * 3)
    const start = (Number(quarter) - 1) * 3
    return {
      from: dateOf(year, start, 1),
      to: dateOf(year, start + 3, 1),
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
  if (!isRealDate(year, month.line + 1, date)) return undefined
  const from = dateOf(year, month.line, date)
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

function isYear(token: string | undefined): boolean {
  return token !== undefined && /^(?:19|20)\d\d$/.test(token)
}

function dayNumber(token: string | undefined): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th|er)?$/.exec(token ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}
