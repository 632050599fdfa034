/** The occurrences of a series in a window. */

import { RRuleTemporal } from 'rrule-temporal'
import { instantAt } from '../dates/time-zone.ts'

interface Series {
  /** Value of an RRULE. */
  readonly rules: readonly string[]
  /** Local time of the first occurrence, in milliseconds as if it were UTC. */
  readonly start: number
  readonly timeZone: string
}

/**
 * Starts of the occurrences, in milliseconds. rrule-temporal skips ahead to the window and limits its work; the iterator of
 * ical.js does neither, and never ends on `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31`.
 *
 * @throws {Error} when a rule is invalid, or repeats more often than meetings do.
 */
export function occurrencesIn(
  { rules, start, timeZone }: Series,
  from: number,
  to: number,
): number[] {
  const first = compactTime(start)
  const inUtc = (rule: string) =>
    rule.replace(LOCAL_UNTIL, (_, until: string) => utcUntil(until, timeZone))
  return rules.flatMap((rule) => {
    if (/FREQ=(?:SECOND|MINUTE)LY/i.test(rule)) throw new Error('it repeats every minute or second')
    const dates = new RRuleTemporal({
      rruleString: `DTSTART;TZID=${timeZone}:${first}\nRRULE:${inUtc(rule)}`,
      maxIterations: MAX_ITERATIONS,
    }).between(new Date(from), new Date(to - 1), true)
    return dates.map(({ epochMilliseconds }) => epochMilliseconds)
  })
}

/** Common in calendars, against RFC 5545 section 3.3.10, which rrule-temporal enforces. */
const LOCAL_UNTIL = /UNTIL=(\d{8}T\d{6})(?![\dZ])/i

function utcUntil(until: string, timeZone: string): string {
  const [, year, month, day, hour, minute, second] =
    /(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})/i.exec(until) ?? []
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return `UNTIL=${compactTime(instantAt(timeZone, local))}Z`
}

/** Periods that are scanned for an occurrence: 27 years of days. */
const MAX_ITERATIONS = 10_000

/** Such as `20261124T093000`. */
function compactTime(local: number): string {
  return new Date(local).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
}
