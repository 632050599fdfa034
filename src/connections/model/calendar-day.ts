/** Calendar dates (YYYY-MM-DD): validation, and the next date of a recurring series. */

import Type from 'typebox'
import { DAY } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'

export const RECURRENCES = ['none', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Recurrence = (typeof RECURRENCES)[number]

/** Longer than a date, so that a date with a time reaches `requireDay` and gets its error message. */
const MAX_DAY_LENGTH = 40

/** Schema of a tool argument that is a date; the tool's `run` must check it with `requireDay`. */
export function dayArgument(description = 'YYYY-MM-DD') {
  return Type.String({ maxLength: MAX_DAY_LENGTH, description })
}

/** Whether the text is an existing date. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOf(text) : Number.NaN
  return !Number.isNaN(time) && dayAt(time) === text
}

/**
 * Returns the date of the named argument.
 *
 * @throws {RequestError} `invalid_request` when it is not an existing date.
 */
export function requireDay(text: string, argument: string): string {
  if (isDay(text)) return text
  const detail = 'must be a valid date (YYYY-MM-DD)'
  throw new RequestError('invalid_request', `${argument}: ${detail}.`, {
    errors: [{ pointer: `/${argument}`, detail }],
  })
}

/** The UTC date of a time. */
export function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/**
 * The first date after `after` in a series that starts at `from`; undefined when it does not recur. Dates are computed
 * from `from`, not from the previous occurrence, so January 31 is followed by February 28 and then March 31.
 */
export function nextDay(from: string, recurrence: Recurrence, after: string): string | undefined {
  if (recurrence === 'none') return undefined
  if (recurrence === 'weekly') {
    const weeks = Math.floor((startOf(after) - startOf(from)) / WEEK) + 1
    return dayAt(startOf(from) + Math.max(weeks, 0) * WEEK)
  }
  const step = MONTHS[recurrence]
  const times = Math.max(Math.floor((monthOf(after) - monthOf(from)) / step), 0)
  const day = monthsLater(from, times * step)
  return day > after ? day : monthsLater(from, (times + 1) * step)
}

const WEEK = 7 * DAY
const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** Months since the year 0. */
function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

/** The same day in a later month, or the last day of that month when it is shorter. */
function monthsLater(day: string, months: number): string {
  const month = monthOf(day) + months
  const [year, within] = [Math.floor(month / 12), month % 12]
  const last = new Date(Date.UTC(year, within + 1, 0)).getUTCDate()
  const date = Math.min(Number(day.slice(8)), last)
  return [String(year).padStart(4, '0'), twoDigits(within + 1), twoDigits(date)].join('-')
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
