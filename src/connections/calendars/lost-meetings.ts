/**
 * Whether a meeting that a calendar no longer lists was deleted. Some services list only the last weeks or months, and a
 * meeting that has become too old for them did take place.
 */

import { dayAt } from '../../dates/calendar-day.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { DAY } from '../../base/clock.ts'

interface LostMeeting {
  readonly startsAt: number
  /** Undefined if an earlier reading did not list it either. */
  readonly endsAt: number | undefined
}

interface Readings {
  /** When the calendar was read before; null for the first time. */
  readonly before: number | null
  readonly now: number
  /** The greatest age of an event that the calendar has listed. Milliseconds. */
  readonly keptFor: number
  readonly timeZone: string
}

/** No service leaves out meetings that are so young. */
const LEAST_KEPT_MS = 7 * DAY

/**
 * True if the calendar has listed an older event, which shows that age is not the reason. Otherwise it may be the reason if
 * between the two readings a day of the meeting's age has passed, or midnight.
 */
export function wasDeleted(
  { startsAt, endsAt }: LostMeeting,
  { before, now, keptFor, timeZone }: Readings,
): boolean {
  if (now - startsAt < Math.max(keptFor, LEAST_KEPT_MS)) return true
  if (endsAt === undefined || before === null) return false
  const daysPassed = (since: number) =>
    Math.floor((now - since) / DAY) - Math.floor((before - since) / DAY)
  return (
    daysPassed(startsAt) + daysPassed(endsAt) === 0 &&
    dayAt(now) === dayAt(before) &&
    dayAt(localTimeAt(timeZone, now)) === dayAt(localTimeAt(timeZone, before))
  )
}
