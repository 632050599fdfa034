/**
 * Writes a calendar that other apps subscribe to (RFC 5545 and RFC 7986). Lines are written directly, because ical.js takes
 * ten times as long; tests read them with it.
 */

import { escaped, folded } from '../base/content-line.ts'

export interface CalendarEntry {
  /** The same each time the calendar is written. */
  readonly uid: string
  /** When its content was last changed. Milliseconds. */
  readonly changedAt: number
  /** YYYY-MM-DD for an entry without a time, or the moment at which it begins, in milliseconds. */
  readonly start: string | number
  /** Repeats on the day of `start` each year. */
  readonly isYearly?: boolean
  readonly title: string
  /** A page about it. */
  readonly url: string
}

interface WrittenCalendar {
  readonly name: string
  readonly entries: readonly CalendarEntry[]
}

/** How often apps should read it again. They treat it as a wish. */
const REFRESH = 'PT1H'
/** Length of an entry with a time. */
const DURATION = 'PT15M'

export function writeCalendar({ name, entries }: WrittenCalendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Weft//Weft//EN',
    'CALSCALE:GREGORIAN',
    // RFC 7986 sections 5.1 and 5.7. Older apps read the X- properties.
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...entries.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return lines.map(folded).join('')
}

function eventLines({ uid, changedAt, start, isYearly, title, url }: CalendarEntry): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${moment(changedAt)}`,
    ...(typeof start === 'number'
      ? [`DTSTART:${moment(start)}`, `DURATION:${DURATION}`]
      : [`DTSTART;VALUE=DATE:${start.replaceAll('-', '')}`]),
    ...(isYearly === true && typeof start === 'string' ? [`RRULE:${yearlyRule(start)}`] : []),
    `SUMMARY:${escaped(title.replaceAll(CONTROLS, ' '))}`,
    `URL:${url}`,
    // It must not make the member look busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** RFC 5545 section 3.1 allows only tabs and line breaks. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu

/**
 * A rule for 29 February skips the years without that day (RFC 5545 section 3.3.10), so it is written for the last day of the
 * month.
 */
function yearlyRule(start: string): string {
  return start.endsWith('-02-29') ? 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1' : 'FREQ=YEARLY'
}

/** Such as `20261128T081500Z`. */
function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
