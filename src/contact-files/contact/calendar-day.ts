/** Dates as tool arguments, and the next date of a recurring series. */

import { dayAt, isDay, monthsLater, monthsSinceZero, startOfDay } from '../../base/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { invalidArgument } from '../../base/request-error.ts'

export { dayAt, isDay }

export const RECURRENCES = ['none', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Recurrence = (typeof RECURRENCES)[number]

/**
 * Returns the date of the named argument.
 *
 * @throws {RequestError} `invalid_request` when it is not an existing date.
 */
export function requireDay(text: string, argument: string): string {
  if (isDay(text)) return text
  throw invalidArgument(argument, 'must be a valid date (YYYY-MM-DD)')
}

/** Whether a birthday is the other one, which has no year (--MM-DD), with its year. */
export function addsYear(birthday: string, other: string | null): boolean {
  return other?.startsWith('--') === true && birthday !== other && birthday.endsWith(other.slice(1))
}

/**
 * The first date after `after` in a series that starts at `from`; undefined when it does not recur. Dates are computed
 * from `from`, not from the previous occurrence, so January 31 is followed by February 28 and then March 31.
 */
export function nextDay(from: string, recurrence: Recurrence, after: string): string | undefined {
  if (recurrence === 'none') return undefined
  if (recurrence === 'weekly') {
    const weeks = Math.floor((startOfDay(after) - startOfDay(from)) / WEEK) + 1
    return dayAt(startOfDay(from) + Math.max(weeks, 0) * WEEK)
  }
  const step = MONTHS[recurrence]
  const times = Math.max(Math.floor((monthsSinceZero(after) - monthsSinceZero(from)) / step), 0)
  const day = monthsLater(from, times * step)
  return day > after ? day : monthsLater(from, (times + 1) * step)
}

const WEEK = 7 * DAY
const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const
