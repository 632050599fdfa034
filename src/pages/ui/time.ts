/**
 * Points in time on a page, as fragments: short to read, the exact moment for whoever asks (title, datetime). On a
 * member's pages they are in the time zone of who reads them; what is the same for everybody is in UTC.
 */

import { lazy } from '../../base/lazy.ts'
import { DAY, HOUR, MINUTE, rfc3339 } from '../../base/clock.ts'
import { html } from '../../html/html.ts'
import { formattersOf, type Formatters } from './time-zone.ts'
import type { BrowserRequest } from '../../http/browser-request.ts'

/** How one reader is told of time. */
export interface Times {
  readonly now: number
  /** As in IANA's time zone database. */
  readonly timeZone: string
  /** The day it is for the reader, YYYY-MM-DD. */
  readonly today: string
  /** As `21 Nov 2026`. */
  day(at: number): string
  /** As `2 hours ago`; after a week, the day. */
  ago(at: number): string
  /** As `19 February 2027`, as text. */
  longDay(at: number): string
}

export function timesOf({ timeZone }: Pick<BrowserRequest, 'timeZone'>, now: number): Times {
  const formatters = formattersOf(timeZone)
  const day = (at: number) => momentElement(at, formatters.date.format(at), formatters)
  return {
    now,
    timeZone: formatters.timeZone,
    today: formatters.day.format(now),
    day,
    ago(at) {
      const text = relative(at, now)
      return text === undefined ? day(at) : momentElement(at, text, formatters)
    },
    longDay: (at) => formatters.longDate.format(at),
  }
}

/** As `21 Nov 2026`, for what is the same for everybody or counted by days of UTC. */
export function utcDay(at: number): string {
  const utc = formattersOf('UTC')
  return momentElement(at, utc.date.format(at), utc)
}

/** As `19 February 2027`, as text. */
export function utcLongDay(at: number): string {
  return formattersOf('UTC').longDate.format(at)
}

/** A day of the calendar, YYYY-MM-DD, as `Mon 23 Nov 2026`. */
export function calendarDay(day: string): string {
  const text = WEEKDAY_DATE().format(Date.parse(day)).replace(',', '')
  return html`<time datetime="${day}">${text}</time>`
}

/** Undefined for what was longer ago than a week. */
function relative(at: number, now: number): string | undefined {
  const passed = now - at
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return RELATIVE().format(-Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return RELATIVE().format(-Math.floor(passed / HOUR), 'hour')
  if (passed < 7 * DAY) return RELATIVE().format(-Math.floor(passed / DAY), 'day')
  return undefined
}

function momentElement(at: number, text: string, { moment }: Formatters): string {
  return html`<time datetime="${rfc3339(at)}" title="${moment.format(at)}">${text}</time>`
}

const RELATIVE = lazy(() => new Intl.RelativeTimeFormat('en'))
/** The day is one of the calendar, not a moment: no zone changes it. */
const WEEKDAY_DATE = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)
