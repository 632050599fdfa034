/** Days, months, seasons and the units of time that questions count in. Days are YYYY-MM-DD. */

import { DAY } from '../../base/clock.ts'

export interface DayRange {
  readonly from: string
  readonly to: string
}

export function isRealDate(year = 0, month = 0, date = 0): boolean {
  const time = new Date(Date.UTC(year, month - 1, date))
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date
}

/** March, June, September and December; winter ends in the next year. */
export const SEASON_STARTS: readonly number[] = [2, 5, 8, 11]

export function seasonPeriod(year: number, season: number): DayRange {
  const start = SEASON_STARTS[season] ?? 0
  return { from: dateOf(year, start, 1), to: dateOf(year, start + 3, 1) }
}

export function monthPeriod(year: number, month: number): DayRange {
  return { from: dateOf(year, month, 1), to: dateOf(year, month + 1, 1) }
}

/** The last year in which the first day of this month is not after today. */
export function lastYearOf(month: number, today: string): number {
  const year = Number(today.slice(0, 4))
  return dateOf(year, month, 1) <= today ? year : year - 1
}

/** Days; months are counted from 0 and may be 12 or more. */
export function dateOf(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

const DAYS = [1, 7]
const MONTHS = [0, 0, 1, 3, 12]

export function addUnits(day: string, unit: number, count: number): string {
  const days = DAYS[unit]
  if (days !== undefined) return addDays(day, days * count)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = month - 1 + (MONTHS[unit] ?? 0) * count
  // January 31 plus a month is the last day of February.
  const last = new Date(Date.UTC(year, first + 1, 0)).getUTCDate()
  return dateOf(year, first, Math.min(date, last))
}

/** Weeks start on Monday. */
export function startOfUnit(day: string, unit: number): string {
  const time = new Date(`${day}T00:00:00Z`)
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  if (unit === 0) return day
  if (unit === 1) return addDays(day, -((time.getUTCDay() + 6) % 7))
  if (unit === 2) return dateOf(year, month, 1)
  if (unit === 3) return dateOf(year, month - (month % 3), 1)
  return dateOf(year, 0, 1)
}
