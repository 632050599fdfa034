/** Calendar dates (YYYY-MM-DD) and arithmetic with them. */

import { DAY, HOUR, MINUTE } from './clock.ts'
import { remembering } from './remembering.ts'

/** Whether the text is an existing date. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfDay(text) : Number.NaN
  return !Number.isNaN(time) && dayAt(time) === text
}

/** The UTC date of a time. */
export function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The date of a time in a time zone of the IANA database. */
export function dayInZone(timeZone: string, time: number): string {
  // The first formatter of a process takes tens of milliseconds.
  if (timeZone === 'UTC') return dayAt(time)
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  return dayOf(Number(parts['year']), Number(parts['month']), Number(parts['day']))
}

/** The local date and time of a time in a time zone, in milliseconds as if it were UTC. */
export function localTimeAt(timeZone: string, time: number): number {
  if (timeZone === 'UTC') return time
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day, hour, minute, second } = parts
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second)
  return seconds + (((time % 1000) + 1000) % 1000)
}

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

/** Days since 1970. */
export function dayCount(day: string): number {
  return startOfDay(day) / DAY
}

/** The date so many days after 1970. */
export function dayFromCount(count: number): string {
  return dayAt(count * DAY)
}

/** Formatters are large and expensive to create, so a few are kept. */
const formatterOf = remembering(
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

/** The first moment of a date, in UTC. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** The text of a date, which may not exist; check with `isDay`. */
export function dayOf(year: number, month: number, date: number): string {
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(date)].join('-')
}

/** The date so many days later, or earlier for a negative number. */
export function daysLater(day: string, days: number): string {
  return dayAt(startOfDay(day) + days * DAY)
}

/** The same day in a later month, or the last day of that month if it is shorter. */
export function monthsLater(day: string, months: number): string {
  const month = monthsSinceZero(day) + months
  const [year, within] = [Math.floor(month / 12), (month % 12) + 1]
  const last = new Date(Date.UTC(year, within, 0)).getUTCDate()
  return dayOf(year, within, Math.min(Number(day.slice(8)), last))
}

/** Months since the year 0. */
export function monthsSinceZero(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}

/** Minutes since midnight of a time of day such as `14:30`. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** The time of day (HH:MM) so many minutes after midnight. */
export function timeOfDay(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(Math.floor(minute) % 60)}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** The end of a date in a time zone of the IANA database: the first minute of the next date there. */
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
