/** Where the value of each field came from, and when it was set. */

import { rfc3339 } from '../../base/clock.ts'
import { customFieldIn, detailName } from '../../contact-files/contact/details.ts'
import {
  FIELD_NAMES,
  sourceOf,
  type Connection,
  type FieldSources,
  type Source,
  type SourcedField,
} from './connection.ts'

/** The key of the field's time in `fieldSources`. */
export function timeKey<Field extends SourcedField>(field: Field): `@${Field}` {
  return `@${field}`
}

type AnySources = { readonly [Key in keyof FieldSources]?: FieldSources[Key] | null }

/** The sources, but the source and time of this field as they are in `from`. */
export function withSourceOf(
  sources: FieldSources,
  field: SourcedField,
  from: AnySources = {},
): FieldSources {
  const time = timeKey(field)
  if (sources[field] === from[field] && sources[time] === from[time]) return sources
  const { [field]: _source, [time]: _at, ...others } = sources
  return {
    ...others,
    ...(from[field] != null && { [field]: from[field] }),
    ...(from[time] != null && { [time]: from[time] }),
  }
}

/** A field whose value is newer than the connection or from another source. */
interface FieldOrigin {
  readonly field: Exclude<SourcedField, 'tags'>
  readonly source: Source
  /** Milliseconds; undefined if it is not known. */
  readonly at: number | undefined
}

/** Without tags. Includes fields that the member cleared. */
export function fieldOrigins(connection: Connection): readonly FieldOrigin[] {
  const { fieldSources } = connection
  const fields = new Set(
    Object.keys(fieldSources).map((key) => key.replace(/^@/, '') as SourcedField),
  )
  return [...fields]
    .filter((field) => field !== 'tags')
    .map((field) => ({
      field,
      source: sourceOf(connection, field),
      at: fieldSources[timeKey(field)],
    }))
}

/** The origins as tools return them, by the names of fields; undefined if there are none. Omits custom fields. */
export function fieldSourcesJson(
  connection: Connection,
): Record<string, { source: string; at?: string }> | undefined {
  const origins = fieldOrigins(connection).filter(({ field }) => customFieldIn(field) === undefined)
  if (origins.length === 0) return undefined
  return Object.fromEntries(
    origins.map(({ field, source, at }) => [
      fieldName(field),
      { source, ...(at !== undefined && { at: rfc3339(at) }) },
    ]),
  )
}

/** The name of a field in tools, exports and the activity log. */
export function fieldName(field: string): string {
  const names: Readonly<Record<string, string>> = FIELD_NAMES
  return names[field] ?? detailName(field)
}
