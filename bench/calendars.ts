/**
 * Compares the meetings that Weft reads from 40 invented calendars with those of khal, which expands them with icalendar and
 * dateutil. Needs the Debian package `khal`. `node bench/calendars.ts`, or with a folder to keep the calendars there.
 */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { localTimeAt } from '../src/base/calendar-day.ts'
import { DAY, HOUR } from '../src/base/clock.ts'
import { readCalendar } from '../src/calendar/read-calendar.ts'
import { print, printFigures, type Figure } from './support/figures.ts'

export const title = 'meetings of 40 invented calendars, compared with khal'

const CALENDARS = 40
const EVENTS = 25
const [FROM, TO] = ['2026-08-26', '2026-12-24']
/** Of floating times, and of the times that are compared. */
const OWN_ZONE = 'Europe/Berlin'

const ZONES =
  `Europe/Berlin America/New_York Asia/Kolkata Australia/Sydney Pacific/Auckland America/Sao_Paulo
Africa/Cairo Asia/Kathmandu America/St_Johns Europe/London W._Europe_Standard_Time Pacific_Standard_Time
Tokyo_Standard_Time UTC floating`
    .split(/\s/)
    .map((zone) => (zone.endsWith('Time') ? zone.replaceAll('_', ' ') : zone))

const RULES =
  `FREQ=DAILY FREQ=DAILY;INTERVAL=3 FREQ=DAILY;COUNT=40 FREQ=WEEKLY FREQ=WEEKLY;BYDAY=MO,WE,FR
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=SU FREQ=WEEKLY;COUNT=200 FREQ=WEEKLY;UNTIL=20261105T120000Z
FREQ=MONTHLY;BYMONTHDAY=31 FREQ=MONTHLY;BYDAY=-1FR FREQ=MONTHLY;BYDAY=2TU FREQ=MONTHLY;BYMONTHDAY=-1
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO FREQ=YEARLY
FREQ=YEARLY;BYMONTH=9,11;BYDAY=3WE FREQ=YEARLY;BYYEARDAY=300 FREQ=YEARLY;BYWEEKNO=40;BYDAY=MO
FREQ=DAILY;BYMONTH=10;BYDAY=MO,FR`.split(/\s/)

/** A generator with 32 bits of state (mulberry32), so that every run compares the same calendars. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** The events of a calendar by UID, as khal wants one file each. */
function inventEvents(seed: number): Map<string, string[]> {
  const below = random(seed)
  const events = new Map<string, string[]>()
  for (let index = 0; index < EVENTS; index += 1) {
    const uid = `e${index}@c${seed}.example.org`
    events.set(uid, inventSeries(uid, below))
  }
  return events
}

function inventSeries(uid: string, below: (limit: number) => number): string[] {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const zone = pick(ZONES)
  const time = (name: string, local: number) => {
    const text = new Date(local).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
    const tzid = zone === 'UTC' || zone === 'floating' ? '' : `;TZID=${zone}`
    return `${name}${tzid}:${text}${zone === 'UTC' ? 'Z' : ''}`
  }
  const isSeries = below(3) > 0
  const start =
    Date.parse(isSeries ? '2024-01-01' : FROM) +
    below(isSeries ? 1000 : 118) * DAY +
    below(96) * (HOUR / 4)
  const rule = pick(RULES)
  const first = isSeries ? firstOf(rule, start) : start
  const event = (...lines: string[]) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    ...lines,
    'END:VEVENT',
  ]
  const main = [time('DTSTART', first), time('DTEND', first + HOUR), 'SUMMARY:Meeting']
  if (!isSeries) return event(...main)
  main.push(`RRULE:${zone === 'floating' ? rule.replace('0Z', '0') : rule}`)
  const daily = /^FREQ=(?:DAILY(?:;COUNT=40)?|WEEKLY(?:;COUNT=200)?)$/.test(rule)
  const step = rule.startsWith('FREQ=DAILY') ? DAY : 7 * DAY
  const nth = (n: number) => first + Math.ceil((Date.parse('2026-09-10') - first) / step + n) * step
  const isLongEnough = daily && !rule.includes('COUNT=40')
  if (isLongEnough && below(2) === 0) main.push(time('EXDATE', nth(1)), time('EXDATE', nth(3)))
  const lines = event(...main)
  if (isLongEnough && below(2) === 0)
    lines.push(
      ...event(
        time('RECURRENCE-ID', nth(2)),
        time('DTSTART', nth(2) + 26 * HOUR),
        time('DTEND', nth(2) + 27 * HOUR),
        'SUMMARY:Moved',
      ),
    )
  return lines
}

/** A start that matches the rule, because RFC 5545 leaves others undefined: the first day after it that Weft expands. */
function firstOf(rule: string, start: number): number {
  const time = new Date(start).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  const endless = rule.replace(/;(?:COUNT|UNTIL)=[^;]*/, '')
  const text = calendarOf([
    'BEGIN:VEVENT',
    'UID:1',
    `DTSTART:${time}Z`,
    `RRULE:${endless}`,
    'END:VEVENT',
  ])
  const window = { from: start, to: start + 800 * DAY, timeZone: 'UTC' }
  const [first] = readCalendar(Buffer.from(text), window).meetings
  if (!first) throw new Error(`no start for ${rule}`)
  return first.startsAt
}

function calendarOf(events: readonly string[]): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Weft//EN',
    ...events,
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

/** Lines such as `e1@c1.example.org 2026-11-01T09:00`. */
function readByWeft(events: ReadonlyMap<string, string[]>): Set<string> {
  const [from, to] = [Date.parse(FROM) - DAY, Date.parse(TO) + DAY]
  const text = calendarOf([...events.values()].flat())
  const { meetings, skipped } = readCalendar(Buffer.from(text), { from, to, timeZone: OWN_ZONE })
  if (skipped > 0) print(`${skipped} events skipped`)
  const lines = meetings.map(({ key, startsAt }) => {
    const local = new Date(localTimeAt(OWN_ZONE, startsAt)).toISOString().slice(0, 16)
    return `${key.split(' ', 1)[0]} ${local}`
  })
  return new Set(lines.filter(isInWindow))
}

function isInWindow(line: string): boolean {
  const [, time = ''] = line.split(' ')
  return time >= FROM && time < TO
}

async function readByKhal(
  events: ReadonlyMap<string, string[]>,
  folder: string,
): Promise<Set<string>> {
  const calendar = join(folder, 'calendar')
  await mkdir(calendar, { recursive: true })
  for (const [uid, lines] of events)
    await writeFile(join(calendar, `${uid.replace(/@.*/, '')}.ics`), calendarOf(lines))
  const config = join(folder, 'config')
  await writeFile(config, khalConfig(folder, calendar))
  const format = ['--format', '{uid} {start-long-full}', '--day-format', '']
  const { stdout } = await promisify(execFile)('khal', ['-c', config, 'list', ...format, FROM, TO])
  // khal also lists meetings that began before.
  return new Set(stdout.split('\n').filter(isInWindow))
}

function khalConfig(folder: string, calendar: string): string {
  return `[calendars]
[[c]]
path = ${calendar}
type = calendar
[sqlite]
path = ${join(folder, 'khal.db')}
[locale]
local_timezone = ${OWN_ZONE}
default_timezone = ${OWN_ZONE}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
[default]
default_calendar = c
`
}

export async function measure(): Promise<Figure[]> {
  const kept = process.argv[2]
  const root = kept ?? (await mkdtemp(join(tmpdir(), 'weft-calendars-')))
  const counts = { same: 0, onlyWeft: 0, onlyKhal: 0, equalCalendars: 0 }
  for (let seed = 1; seed <= CALENDARS; seed += 1) {
    const events = inventEvents(seed)
    const weft = readByWeft(events)
    const khal = await readByKhal(events, join(root, String(seed)))
    const [onlyWeft, onlyKhal] = [weft.difference(khal), khal.difference(weft)]
    for (const line of onlyWeft) print(`only Weft: ${line}`)
    for (const line of onlyKhal) print(`only khal: ${line}`)
    counts.same += weft.intersection(khal).size
    counts.onlyWeft += onlyWeft.size
    counts.onlyKhal += onlyKhal.size
    if (onlyWeft.size + onlyKhal.size === 0) counts.equalCalendars += 1
  }
  if (kept === undefined) await rm(root, { recursive: true })
  return [
    { name: 'calendars with the same meetings', value: `${counts.equalCalendars} of ${CALENDARS}` },
    { name: 'meetings that both read', value: String(counts.same) },
    { name: 'only Weft', value: String(counts.onlyWeft) },
    { name: 'only khal', value: String(counts.onlyKhal) },
  ]
}

if (import.meta.main) printFigures(title, await measure())
