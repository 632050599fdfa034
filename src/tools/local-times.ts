/** Times in results are local to the member, with their offset. Tools write them in UTC. */

import { localTimeAt } from '../dates/time-zone.ts'
import { MINUTE } from '../base/clock.ts'
import { isPlainObject } from '../base/schema.ts'

/**
 * `2026-11-21T12:00:00.000Z` becomes `2026-11-21T13:00:00+01:00`. Only fields that are named for times are changed, and
 * nothing in `details`, whose names the member chose.
 */
export function withLocalTimes<Output>(output: Output, timeZone: string): Output {
  // Safe: times stay texts.
  return timeZone === 'UTC' ? output : (localized(output, timeZone) as Output)
}

function localized(value: unknown, timeZone: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => localized(item, timeZone))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isTime(name, field)
        ? localTime(field, timeZone)
        : name === 'details'
          ? field
          : localized(field, timeZone),
    ]),
  )
}

function isTime(name: string, field: unknown): field is string {
  return typeof field === 'string' && TIME_FIELD.test(name) && UTC_TIME.test(field)
}

const TIME_FIELD = /(?:^|_)(?:at|start)$/
const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

function localTime(text: string, timeZone: string): string {
  const at = Date.parse(text)
  const local = localTimeAt(timeZone, at)
  const minutes = Math.round((local - at) / MINUTE)
  const offset = new Date(Math.abs(minutes) * MINUTE).toISOString().slice('1970-01-01T'.length, -8)
  const clock = new Date(local).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
  return `${clock}${minutes < 0 ? '-' : '+'}${offset}`
}
