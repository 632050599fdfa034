/** Calendar days (YYYY-MM-DD) and arithmetic with them. */

import { t } from '../languages/message.ts'
import { DAY } from '../base/clock.ts'
import { invalidArgument } from '../base/request-error.ts'

/** Whether the text is an existing date. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfDay(text) : Number.NaN
  return !Number.isNaN(time) && dayAt(time) === text
}

/**
 * Returns the date of the named argument.
 *
 * @throws {RequestError} `invalid_request` when it is not an existing date.
 */
export function requireDay(text: string, argument: string): string {
  if (isDay(text)) return text
  throw invalidArgument(argument, t('must be a valid date (YYYY-MM-DD)'))
}

/** The range of days that can be logged or planned. Recurring dates reach further, but their years must keep four digits. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31']

/** As `requireDay`, and not so far away that it is a typing mistake. */
export function requireDayInRange(text: string, argument: string): string {
  const day = requireDay(text, argument)
  if (day >= FIRST_DAY && day <= LAST_DAY) return day
  const range = { from: FIRST_DAY, until: LAST_DAY }
  throw invalidArgument(argument, t('must be between {from} and {until}', range))
}

/** The UTC date of a time. */
export function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Days since 1970. */
export function dayCount(day: string): number {
  return startOfDay(day) / DAY
}

/** The date of a number of days after 1970-01-01. */
export function dayFromCount(count: number): string {
  return dayAt(count * DAY)
}

/** The first moment of a date, in UTC. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** The text of a date, which may not exist; check with `isDay`. */
export function dayOf(year: number, month: number, date: number): string {
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(date)].join('-')
}

export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(startOfDay(day)).getUTCDay()
}

/** The date a number of days later, or earlier for a negative number. */
export function daysLater(day: string, days: number): string {
  return dayAt(startOfDay(day) + days * DAY)
}

/** The same day in a later month, or the last day of that month if it is shorter. */
export function monthsLater(day: string, months: number): string {
  const month = monthsSinceZero(day) + months
  const [year, within] = [Math.floor(month / 12), (month % 12) + 1]
  return dayOf(year, within, Math.min(Number(day.slice(8)), daysInMonth(year, within)))
}

/** Days of a month, which is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return last.getUTCDate()
}

export function monthsSinceZero(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

export type DateUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

const DAYS: Readonly<Partial<Record<DateUnit, number>>> = { day: 1, week: 7 }
const MONTHS: Readonly<Partial<Record<DateUnit, number>>> = { month: 1, quarter: 3, year: 12 }

/** Adds a number of units to a date. January 31 plus a month is the last day of February. */
export function unitsLater(day: string, count: number, unit: DateUnit): string {
  const days = DAYS[unit]
  return days === undefined
    ? monthsLater(day, count * (MONTHS[unit] ?? 0))
    : daysLater(day, count * days)
}

/** The first day of the week (from Monday), month, quarter or year of a date. */
export function startOfUnit(day: string, unit: DateUnit): string {
  if (unit === 'day') return day
  if (unit === 'week') return daysLater(day, -((weekdayOf(day) + 6) % 7))
  const months = MONTHS[unit] ?? 1
  const month = monthsSinceZero(day)
  return monthsLater(`${day.slice(0, 7)}-01`, -(month % months))
}

/** Whether a birthday is the other one, which has no year (--MM-DD), with its year. */
export function addsYear(birthday: string, other: string | null): boolean {
  return other?.startsWith('--') === true && birthday !== other && birthday.endsWith(other.slice(1))
}
