/** Local dates and times in time zones of the IANA database. */

import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { memoize } from '../base/memoize.ts'
import { dayAt, dayOf, daysLater, startOfDay } from './calendar-day.ts'

/**
 * The canonical name, such as `Europe/Berlin`; undefined for a name that is not in the database. Rejects offsets such as
 * `+05:17`: Intl accepts them, but there are too many to cache.
 */
export function canonicalTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The date of a time in a time zone. */
export function dayInZone(timeZone: string, time: number): string {
  // The first formatter of a process takes tens of milliseconds.
  if (timeZone === 'UTC') return dayAt(time)
  const { year = 0, month = 0, day = 0 } = partsIn(timeZone, time)
  return dayOf(year, month, day)
}

/** The local date and time of a time in a time zone, in milliseconds as if it were UTC. */
export function localTimeAt(timeZone: string, time: number): number {
  if (timeZone === 'UTC') return time
  const { year = 0, month = 1, day, hour, minute, second } = partsIn(timeZone, time)
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second)
  return seconds + (((time % 1000) + 1000) % 1000)
}

function partsIn(timeZone: string, time: number): Readonly<Record<string, number>> {
  const parts = formatterOf(timeZone).formatToParts(time)
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]))
}

/** Formatters are large and expensive to create, so a few are kept. */
const formatterOf = memoize(
  (timeZone) => new Intl.DateTimeFormat('en', { timeZone, ...NUMERIC }),
  16,
)

const NUMERIC = {
  calendar: 'gregory',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/**
 * The inverse of `localTimeAt`. A local time that occurs twice is the first one; one that a clock change skips is read with
 * the offset before the change (RFC 5545 section 3.3.5).
 */
export function instantAt(timeZone: string, localTime: number): number {
  const [before = 0, after = 0] = [localTime - DAY, localTime + DAY].map(
    (time) => localTime - (localTimeAt(timeZone, time) - time),
  )
  if (before === after || localTimeAt(timeZone, before) === localTime) return before
  return localTimeAt(timeZone, after) === localTime ? after : before
}

/** The end of a date in a time zone: the first minute of the next date there. */
export function endOfDayInZone(timeZone: string, day: string): number {
  const next = daysLater(day, 1)
  // Zones are at most 14 hours from UTC.
  let before = startOfDay(next) - 15 * HOUR
  let after = startOfDay(next) + 15 * HOUR
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / (2 * MINUTE)) * MINUTE
    if (dayInZone(timeZone, middle) < next) before = middle
    else after = middle
  }
  return after
}

/** A change of the clocks: the moment, and the distance from UTC before and after it, all in milliseconds. */
export interface OffsetChange {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** The changes of a time zone's clocks between two moments, in order. */
export function offsetChanges(timeZone: string, from: number, to: number): OffsetChange[] {
  const changes: OffsetChange[] = []
  let before = offsetAt(timeZone, from)
  for (let start = from; start < to; start += CHANGE_STEP) {
    const end = Math.min(start + CHANGE_STEP, to)
    const after = offsetAt(timeZone, end)
    if (after !== before)
      changes.push({ at: changeWithin(timeZone, start, end, before), before, after })
    before = after
  }
  return changes
}

/** No zone changes its clocks twice within a week. */
const CHANGE_STEP = 7 * DAY

function changeWithin(timeZone: string, from: number, to: number, before: number): number {
  let [last, first] = [Math.floor(from / SECOND), Math.ceil(to / SECOND)]
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2)
    if (offsetAt(timeZone, middle * SECOND) === before) last = middle
    else first = middle
  }
  return first * SECOND
}

/** Milliseconds that local time is ahead of UTC. */
export function offsetAt(timeZone: string, time: number): number {
  return localTimeAt(timeZone, time) - time
}
