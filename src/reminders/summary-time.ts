/** The times at which a member gets the summary of a day. */

import { daysLater, startOfDay } from '../dates/calendar-day.ts'
import { dayInZone, instantAt } from '../dates/time-zone.ts'
import { MINUTE } from '../base/clock.ts'

interface SummaryTime {
  /** In the IANA database. */
  readonly timeZone: string
  /** Minutes after midnight there. */
  readonly minute: number
}

/**
 * When the summary of a day (YYYY-MM-DD) is due. A time that a clock change skips is read with the offset before the change,
 * and the first of two is used (RFC 5545 section 3.3.5).
 */
export function summaryAt(day: string, { timeZone, minute }: SummaryTime): number {
  return instantAt(timeZone, startOfDay(day) + minute * MINUTE)
}

/** The next time after `now`. */
export function nextSummaryAt(time: SummaryTime, now: number): number {
  const today = dayInZone(time.timeZone, now)
  const at = summaryAt(today, time)
  return at > now ? at : summaryAt(daysLater(today, 1), time)
}
