/** Time zones that calendars name: of the IANA database, of Windows, or described in the file. */

import ICAL from 'ical.js'
import { localTimeAt } from '../dates/time-zone.ts'
import { DAY } from '../base/clock.ts'
import { readDataLines } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { canonicalTimeZone } from '../dates/time-zone.ts'

/** Returns the IANA zone of a TZID. */
export type ZoneOf = (tzid: string | undefined) => string

interface CalendarZones {
  /** Components of the file. */
  readonly zones: readonly string[]
  /** X-WR-TIMEZONE */
  readonly calendarZone: string | undefined
  readonly fallback: string
  /** For zones that the file describes: their rules near this time count. */
  readonly near: number
}

/** Unknown zones are the calendar's own: X-WR-TIMEZONE, else the only zone that it describes, else `fallback`. */
export function calendarZones({ zones, calendarZone, fallback, near }: CalendarZones): ZoneOf {
  const described = new Map(
    zones.flatMap((zone) => {
      const tzid = propertyIn(zone, 'TZID')
      return tzid === undefined ? [] : [[tzid, zone] as const]
    }),
  )
  const known = new Map<string, string | undefined>()
  const find = (tzid: string): string | undefined => {
    if (known.size > MAX_ZONES) return undefined
    if (!known.has(tzid)) {
      const zone = described.get(tzid)
      const found = namedZone(tzid) ?? (zone === undefined ? undefined : describedZone(zone, near))
      known.set(tzid, found)
    }
    return known.get(tzid)
  }
  const [only] = described.size === 1 ? [...described.keys()] : []
  const own = [calendarZone, only].find((name) => name !== undefined && find(name) !== undefined)
  const ownZone = (own === undefined ? undefined : find(own)) ?? fallback
  return (tzid) => (tzid === undefined ? undefined : find(tzid)) ?? ownZone
}

/** Zones that one calendar may name. */
const MAX_ZONES = 50

/** IANA and Windows names, also after a prefix such as `/freeassociation.sourceforge.net/Europe/Berlin`. */
function namedZone(tzid: string): string | undefined {
  const name = tzid.trim().replaceAll('"', '').slice(0, MAX_NAME_LENGTH)
  const windows = windowsZones().get(name.toLowerCase())
  if (windows !== undefined) return windows
  const parts = name.split('/').filter((part) => part !== '')
  for (let count = Math.min(parts.length, 3); count > 0; count -= 1) {
    if (count === 1 && parts.length > 1) break
    const zone = canonicalTimeZone(parts.slice(-count).join('/'))
    if (zone !== undefined) return zone
  }
  return undefined
}

const MAX_NAME_LENGTH = 200

const windowsZones = lazy(
  () =>
    new Map(
      readDataLines(new URL('data/windows-zones.txt', import.meta.url)).map((line) => {
        const [windows = '', iana = ''] = line.split(' = ')
        return [windows.toLowerCase(), iana] as const
      }),
    ),
)

/** The zone with the rules of a described one, such as Outlook's `Customized Time Zone`. */
function describedZone(zone: string, near: number): string | undefined {
  const location = propertyIn(zone, 'X-LIC-LOCATION')
  const named = location === undefined ? undefined : namedZone(location)
  if (named !== undefined) return named
  try {
    const component = new ICAL.Component(ICAL.parse(zone) as unknown[])
    const described = new ICAL.Timezone({ component })
    const samples = Array.from({ length: SAMPLES }, (_, week) => {
      const time = near + (week - SAMPLES / 2) * 7 * DAY
      const local = ICAL.Time.fromJSDate(new Date(time), true)
      return { time, offset: described.utcOffset(local) * 1000 }
    })
    // The offsets of a VTIMEZONE are those at a local time, which differ from UTC by less than a day near a change.
    const wrong = (iana: string) =>
      samples.filter(({ time, offset }) => localTimeAt(iana, time - offset) !== time).length
    const best = ['UTC', ...new Set(windowsZones().values())]
      .map((iana) => ({ iana, errors: wrong(iana) }))
      .reduce((one, other) => (other.errors < one.errors ? other : one))
    return best.errors <= MAX_WRONG_SAMPLES ? best.iana : undefined
  } catch {
    return undefined
  }
}

/** Weeks of a year. */
const SAMPLES = 52
/** Weeks in which a zone may differ: many files describe its rules of another year. */
const MAX_WRONG_SAMPLES = 4

function propertyIn(component: string, name: string): string | undefined {
  const line = component.split('\r\n').find((one) => one.toUpperCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
