/** Bytes of a calendar (RFC 5545) to the meetings in a window. Call it in a thread: see `read-in-thread.ts`. */

import { phrase } from '../languages/message.ts'
import { hash } from 'node:crypto'
import { dayAt } from '../dates/calendar-day.ts'
import { instantAt, localTimeAt } from '../dates/time-zone.ts'
import { DAY, rfc3339 } from '../base/clock.ts'
import { oneLine } from '../contact-files/contact/clean-text.ts'
import { CalendarError } from './calendar-error.ts'
import {
  parameterOf,
  readProperties,
  splitCalendar,
  textValue,
  type CalendarProperty,
} from './calendar-components.ts'
import { attendeesOf, organizerOf } from './calendar-people.ts'
import { calendarZones, type ZoneOf } from './calendar-zones.ts'
import { occurrencesIn } from './occurrences.ts'
import { unfold } from './unfold.ts'
import type { CalendarReading, Meeting, ReadingWindow } from './meeting.ts'

/** Occurrences in the window. A person has a few hundred. */
export const MAX_MEETINGS = 20_000

/** @throws {CalendarError} when the bytes are not a whole calendar, or contain too many meetings. */
export function readCalendar(bytes: Uint8Array, window: ReadingWindow): CalendarReading {
  const text = splitCalendar(new TextDecoder().decode(unfold(bytes)))
  if (!text) throw new CalendarError({ source: phrase('is not a calendar (ICS)') })
  if (!text.isComplete)
    throw new CalendarError({
      source: phrase('was cut off: its end (END:VCALENDAR) is missing'),
    })
  const header = headerOf(text.header)
  const zoneOf = calendarZones({
    zones: text.zones,
    calendarZone: header('X-WR-TIMEZONE'),
    fallback: window.timeZone,
    near: window.to,
  })
  const isCancelled = header('METHOD')?.toUpperCase() === 'CANCEL'
  const meetings: Meeting[] = []
  let skipped = 0
  let oldest = Number.POSITIVE_INFINITY
  const events = text.events.flatMap((event) => {
    const day = singleDayOf(event)
    if (day < window.from - 2 * DAY || day > window.to + 2 * DAY) {
      oldest = Math.min(oldest, day + 2 * DAY)
      return []
    }
    const read = readEvent(event, zoneOf)
    if (!read) skipped += 1
    else if (!Number.isNaN(day)) oldest = Math.min(oldest, read.start.at)
    return read ? [read] : []
  })
  for (const series of Map.groupBy(events, ({ uid }) => uid).values()) {
    try {
      for (const meeting of expand(series, window))
        meetings.push(isCancelled ? { ...meeting, isCancelled } : meeting)
    } catch {
      skipped += 1
    }
    if (meetings.length > MAX_MEETINGS)
      throw new CalendarError({
        source: phrase('has more than {max} meetings in four months'),
        values: { max: MAX_MEETINGS },
      })
  }
  meetings.sort((one, other) => one.startsAt - other.startsAt)
  const reachesBackTo = oldest === Number.POSITIVE_INFINITY ? null : oldest
  return { name: header('X-WR-CALNAME') ?? null, meetings, skipped, reachesBackTo }
}

function headerOf(header: string): (name: string) => string | undefined {
  const lines = header.split('\r\n').slice(0, MAX_HEADER_LINES)
  return (name) => {
    const line = lines.find((one) => one.toUpperCase().startsWith(`${name}:`))
    const value = line?.slice(name.length + 1).replaceAll(/\\([\\;,])/g, '$1') ?? ''
    const text = oneLine(value, MAX_TITLE_LENGTH)
    return text === '' ? undefined : text
  }
}

const MAX_HEADER_LINES = 100
const MAX_TITLE_LENGTH = 300

/** The UTC day of a single event, without parsing it: most of a calendar of many years is far from the window. NaN if it may recur. */
function singleDayOf(event: string): number {
  if (/^(?:RRULE|RDATE|RECURRENCE-ID)/im.test(event)) return Number.NaN
  const [, year, month, date] = /^DTSTART[;:].*?(\d{4})(\d{2})(\d{2})/im.exec(event) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(date))
}

/** A longer one is cut. RFC 7986 section 5.3 recommends random ones of 36. */
const MAX_UID_LENGTH = 10_000

/** A component VEVENT. */
interface CalendarEvent {
  readonly uid: string
  readonly sequence: number
  readonly start: EventTime
  readonly durationMs: number
  /** The original time of a changed occurrence. */
  readonly replaces: EventTime | undefined
  /** RANGE=THISANDFUTURE: all later occurrences are changed as well. */
  readonly isFromThenOn: boolean
  readonly rules: readonly string[]
  readonly added: readonly EventTime[]
  readonly excluded: readonly EventTime[]
  readonly details: Omit<Meeting, 'key' | 'startsAt' | 'endsAt'>
}

interface EventTime {
  /** Local, in milliseconds as if it were UTC. */
  readonly local: number
  readonly timeZone: string
  readonly at: number
  readonly isDate: boolean
}

function readEvent(component: string, zoneOf: ZoneOf): CalendarEvent | undefined {
  const properties = readProperties(component)
  if (!properties) return undefined
  const times = (name: string) =>
    properties
      .filter((property) => property.name === name)
      .flatMap((property) => timesOf(property, zoneOf))
  const [start] = times('dtstart')
  const uid = textValue(properties, 'uid', MAX_UID_LENGTH)
  if (!start || uid === undefined) return undefined
  const access = textValue(properties, 'class')?.toUpperCase()
  return {
    uid,
    sequence: Number(properties.find(({ name }) => name === 'sequence')?.values[0] ?? 0),
    start,
    durationMs: durationOf(properties, start, times('dtend')[0]),
    replaces: times('recurrence-id')[0],
    isFromThenOn: properties.some(
      (one) =>
        one.name === 'recurrence-id' &&
        parameterOf(one, 'range')?.toUpperCase() === 'THISANDFUTURE',
    ),
    rules: properties.filter(({ name }) => name === 'rrule').map(({ values }) => String(values[0])),
    added: times('rdate'),
    excluded: times('exdate'),
    details: {
      title: textValue(properties, 'summary', MAX_TITLE_LENGTH) ?? null,
      timeZone: start.timeZone,
      isAllDay: start.isDate,
      isCancelled: textValue(properties, 'status')?.toUpperCase() === 'CANCELLED',
      isPrivate: access === 'PRIVATE' || access === 'CONFIDENTIAL',
      organizer: organizerOf(properties),
      attendees: attendeesOf(properties),
    },
  }
}

/** The times of a property such as `2026-11-24T09:30:00`, `…Z` or `2026-11-24`; of a period, its start. */
function timesOf(property: CalendarProperty, zoneOf: ZoneOf): EventTime[] {
  return property.values.flatMap((value) => {
    const text = String(Array.isArray(value) ? value[0] : value)
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text)
    const isUtc = text.endsWith('Z')
    const local = Date.parse(isDate ? `${text}T00:00:00Z` : isUtc ? text : `${text}Z`)
    if (Number.isNaN(local)) return []
    const tzid = parameterOf(property, 'tzid')
    // Dates are the same in every zone.
    const timeZone = isUtc || isDate ? 'UTC' : zoneOf(tzid)
    return [{ local, timeZone, isDate, at: isUtc ? local : instantAt(timeZone, local) }]
  })
}

function durationOf(
  properties: readonly CalendarProperty[],
  start: EventTime,
  end: EventTime | undefined,
): number {
  const duration = textValue(properties, 'duration')
  const given = end ? end.at - start.at : duration === undefined ? 0 : isoDuration(duration)
  return Math.min(Math.max(given || (start.isDate ? DAY : 0), 0), MAX_DURATION_MS)
}

const MAX_DURATION_MS = 366 * DAY

/** Such as `PT1H30M` or `P1W`; 0 if it is malformed. */
function isoDuration(text: string): number {
  const [, weeks, days, hours, minutes, seconds] =
    /^\+?P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/.exec(
      text,
    ) ?? []
  const inSeconds = [weeks, days, hours, minutes, seconds].reduce(
    (sum, value, index) => sum + Number(value ?? 0) * (SECONDS_OF[index] ?? 0),
    0,
  )
  return inSeconds * 1000
}

const SECONDS_OF = [604_800, 86_400, 3600, 60, 1]

/** Yields the occurrences of the events with one UID. Changed ones replace their originals. */
function* expand(events: readonly CalendarEvent[], window: ReadingWindow): Iterable<Meeting> {
  const isIn = (at: number) => at >= window.from && at < window.to
  const [mains = [], changes = []] = [false, true].map((isChange) =>
    events.filter(({ replaces }) => (replaces !== undefined) === isChange),
  )
  const left = new Set<string>()
  const fromThenOn: CalendarEvent[] = []
  for (const [key, versions] of Map.groupBy(changes, ({ replaces }) => originalKey(replaces))) {
    left.add(key)
    const change = newest(versions)
    if (change?.isFromThenOn === true) fromThenOn.push(change)
    if (change && isIn(change.start.at)) yield meetingOf(change, change.start.at, key)
  }
  const main = newest(mains)
  if (!main) return
  const isSeries = main.rules.length + main.added.length > 0
  for (const time of main.excluded) left.add(originalKey(time))
  const shifts = fromThenOn.map((change) => shiftOf(change, main))
  for (const at of isSeries ? startsOf(main, widened(window, shifts)) : [main.start.at]) {
    const day = dayAt(localTimeAt(main.start.timeZone, at))
    const key = main.start.isDate ? day : rfc3339(at)
    // A day also stands for the occurrence at some time of that day.
    if (left.has(key) || left.has(day)) continue
    const last = shifts
      .filter(({ since }) => since < at)
      .reduce<Shift | undefined>(
        (one, other) => (one && one.since > other.since ? one : other),
        undefined,
      )
    const moved = last ? shifted(at, last, main) : at
    if (isIn(moved)) yield meetingOf(last?.change ?? main, moved, isSeries ? key : '')
  }
}

/** How a change from an occurrence on moves the later ones. */
interface Shift {
  readonly change: CalendarEvent
  /** The original time of the first one. */
  readonly since: number
  /** In milliseconds of local time, so that a clock change in between does not count. */
  readonly by: number
}

function shiftOf(change: CalendarEvent, { start: { timeZone } }: CalendarEvent): Shift {
  const { start, replaces = start } = change
  const by = localTimeAt(timeZone, start.at) - localTimeAt(timeZone, replaces.at)
  return { change, since: replaces.at, by }
}

function shifted(at: number, { by }: Shift, { start: { timeZone } }: CalendarEvent): number {
  return instantAt(timeZone, localTimeAt(timeZone, at) + by)
}

/** The window in which the originals of moved occurrences may be. */
function widened({ from, to, ...window }: ReadingWindow, shifts: readonly Shift[]): ReadingWindow {
  const most = Math.max(0, ...shifts.map(({ by }) => Math.min(Math.abs(by) + DAY, MAX_SHIFT_MS)))
  return { ...window, from: from - most, to: to + most }
}

/** Later occurrences that are moved by more than this are not found. */
const MAX_SHIFT_MS = 60 * DAY

/** The last event with the highest SEQUENCE. */
function newest(events: readonly CalendarEvent[]): CalendarEvent | undefined {
  return events.reduce<CalendarEvent | undefined>(
    (best, event) => (best && best.sequence > event.sequence ? best : event),
    undefined,
  )
}

/** The starts of a series: by its rules, or its first one if it has none, and added ones. */
function startsOf(
  { rules, start, added }: CalendarEvent,
  { from, to }: ReadingWindow,
): Set<number> {
  const { local, timeZone } = start
  const byRule =
    rules.length === 0 ? [start.at] : occurrencesIn({ rules, start: local, timeZone }, from, to)
  return new Set([...byRule, ...added.map(({ at }) => at)])
}

function originalKey(time: EventTime | undefined): string {
  return time === undefined ? '' : time.isDate ? dayAt(time.at) : rfc3339(time.at)
}

function meetingOf(
  { uid, durationMs, details }: CalendarEvent,
  at: number,
  original: string,
): Meeting {
  const key = original === '' ? uid : `${uid} ${original}`
  return {
    key: key.length > MAX_KEY_LENGTH ? hash('sha256', key, 'hex') : key,
    startsAt: at,
    endsAt: at + durationMs,
    ...details,
  }
}

const MAX_KEY_LENGTH = 200
