/**
 * Writes a calendar that other apps subscribe to (RFC 5545 and RFC 7986). Lines are written directly, because ical.js takes
 * ten times as long; tests read them with it.
 */

import { DAY } from '../base/clock.ts'
import { escaped, folded } from '../base/content-line.ts'
import { localTimeAt, offsetAt, offsetChanges, type OffsetChange } from '../dates/time-zone.ts'

export interface CalendarEntry {
  /** The same each time the calendar is written. */
  readonly uid: string
  /** When its content was last changed. Milliseconds. */
  readonly changedAt: number
  /** YYYY-MM-DD for an entry without a time, or the moment at which it begins, in milliseconds. */
  readonly start: string | number
  /** How it repeats: the value of an RRULE, of which `start` is the first occurrence. */
  readonly rule?: string | undefined
  /** The time zone (IANA) in which a repeated entry with a time keeps its time of day. */
  readonly timeZone?: string
  readonly title: string
  /** A page about it. */
  readonly url: string
}

interface WrittenCalendar {
  readonly name: string
  readonly entries: readonly CalendarEntry[]
}

/** How often apps should read it again. Apps treat it as a suggestion. */
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
    ...zonesIn(entries).flatMap(zoneLines),
    ...entries.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return lines.map((line) => folded(line)).join('')
}

function eventLines(entry: CalendarEntry): string[] {
  const { uid, changedAt, start, rule, title, url } = entry
  const timeZone = zoneOf(entry)
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${moment(changedAt)}`,
    ...(typeof start === 'string'
      ? [`DTSTART;VALUE=DATE:${start.replaceAll('-', '')}`]
      : timeZone === undefined
        ? [`DTSTART:${moment(start)}`, `DURATION:${DURATION}`]
        : [`DTSTART;TZID=${timeZone}:${localTime(start, timeZone)}`, `DURATION:${DURATION}`]),
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `SUMMARY:${escaped(title.replaceAll(CONTROLS, ' '))}`,
    `URL:${url}`,
    // It must not make the member look busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** The zone of a repeated entry with a time. Others have the moment, which is the same in every zone. */
function zoneOf({ start, rule, timeZone }: CalendarEntry): string | undefined {
  return typeof start === 'number' && rule !== undefined && timeZone !== 'UTC'
    ? timeZone
    : undefined
}

interface UsedZone {
  readonly timeZone: string
  /** The first and the last start of an entry. */
  readonly from: number
  readonly to: number
}

function zonesIn(entries: readonly CalendarEntry[]): UsedZone[] {
  const zones = new Map<string, UsedZone>()
  for (const entry of entries) {
    const timeZone = zoneOf(entry)
    if (timeZone === undefined || typeof entry.start !== 'number') continue
    const { from = entry.start, to = entry.start } = zones.get(timeZone) ?? {}
    const [first, last] = [Math.min(from, entry.start), Math.max(to, entry.start)]
    zones.set(timeZone, { timeZone, from: first, to: last })
  }
  return [...zones.values()]
}

/** RFC 5545 section 3.6.5: each change of the clocks from before the first entry to ten years after the last. */
function zoneLines({ timeZone, from, to }: UsedZone): string[] {
  const start = from - DAY
  const first = offsetAt(timeZone, start)
  const changes = offsetChanges(timeZone, start, to + ZONE_MS)
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    ...[{ at: start, before: first, after: first }, ...changes].flatMap(observanceLines),
    'END:VTIMEZONE',
  ]
}

const ZONE_MS = 3653 * DAY

function observanceLines({ at, before, after }: OffsetChange): string[] {
  const kind = after > before ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${kind}`,
    `DTSTART:${compactTime(at + before)}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `END:${kind}`,
  ]
}

/** Such as `+0100`, with seconds if there are any. */
function offsetText(offset: number): string {
  const time = new Date(Math.abs(offset)).toISOString().slice(11, 19).replaceAll(':', '')
  return `${offset < 0 ? '-' : '+'}${time.endsWith('00') ? time.slice(0, 4) : time}`
}

/** RFC 5545 section 3.1 allows only tabs and line breaks. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu

/** Such as `20261128T081500Z`. */
function moment(at: number): string {
  return `${compactTime(at)}Z`
}

function localTime(at: number, timeZone: string): string {
  return compactTime(localTimeAt(timeZone, at))
}

/** The form of RFC 5545 section 3.3.5, without a zone. */
function compactTime(local: number): string {
  return new Date(local).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
}
