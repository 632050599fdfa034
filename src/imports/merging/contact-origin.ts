/** Where the values of an incoming contact come from, and when they were set: an export of Weft has both. */

import { isEntered, type ContactOrigin } from '../../contact-files/contact/contact.ts'
import {
  FIELD_NAMES,
  sourceOf,
  type Connection,
  type FieldSources,
  type NewFieldSources,
  type Source,
  type SourcedField,
} from '../../connections/model/connection.ts'
import {
  fieldCalled,
  type FieldRegistry,
} from '../../connections/custom-fields/imported-custom-fields.ts'
import { customFieldIn, customFieldKey, detailNamed } from '../../contact-files/contact/details.ts'
import { timeKey } from '../../connections/model/field-sources.ts'

/** The origin of a contact's values, in the form in which a connection stores it. */
export type Origin = Pick<Connection, 'source' | 'fieldSources' | 'createdAt'>

/**
 * All times are before the import, so that its undo can tell restored values from later edits; for the same reason, every
 * typed field has a time.
 */
export function restoredOrigin(
  { source, sources, times }: ContactOrigin,
  fields: FieldRegistry | undefined,
  { addedAt = Infinity, now }: { readonly addedAt?: number | undefined; readonly now: number },
): Origin {
  const createdAt = Math.min(addedAt, now)
  const stored: NewFieldSources = {}
  for (const name of new Set([...Object.keys(sources), ...Object.keys(times)])) {
    const field = sourcedFieldNamed(name, fields)
    if (field === undefined) continue
    const [own, at] = [sources[name], times[name]]
    if (own !== undefined) stored[field] = own
    if (at !== undefined || isEntered(own))
      stored[timeKey(field)] = Math.min(at ?? createdAt, now - 1)
  }
  return { source, fieldSources: stored, createdAt }
}

/** The field with this name in an export; undefined for a custom field that the network does not have. */
function sourcedFieldNamed(
  name: string,
  fields: FieldRegistry | undefined,
): SourcedField | undefined {
  if (name === 'tags') return 'tags'
  const custom = customFieldIn(name)
  if (custom === undefined) return FIELDS_BY_NAME.get(name) ?? detailNamed(name)
  const field = fields && fieldCalled(fields, custom)
  return field && customFieldKey(field.fieldId)
}

const FIELDS_BY_NAME: ReadonlyMap<string, SourcedField> = new Map(
  Object.entries(FIELD_NAMES).map(([field, name]) => [name, field as SourcedField]),
)

export function namesCustomFields({ sources, times }: ContactOrigin): boolean {
  return [...Object.keys(sources), ...Object.keys(times)].some(
    (name) => customFieldIn(name) !== undefined,
  )
}

/**
 * True if the value of an export is newer than that of the connection and may replace it, because it has the same source
 * or was set by the member.
 */
export function isNewer(origin: Origin, present: Connection, field: SourcedField): boolean {
  const [source, before] = [originSource(origin, field), sourceOf(present, field)]
  const isLater = timeOf(origin, field) > timeOf(present, field)
  return isLater && (isEntered(source) || source === before)
}

export function originSource({ source, fieldSources }: Origin, field: SourcedField): Source {
  return fieldSources[field] ?? source
}

/** When the value of a field was set. Milliseconds. */
export function timeOf(
  { fieldSources, createdAt }: { readonly fieldSources: FieldSources; readonly createdAt: number },
  field: SourcedField,
): number {
  return fieldSources[timeKey(field)] ?? createdAt
}

/** When the company and title of an export were set. */
export function jobTimeOf(origin: Origin): number {
  return Math.max(timeOf(origin, 'company'), timeOf(origin, 'title'))
}

interface TakenFrom {
  readonly origin: Origin | undefined
  /** Source and time of the import. */
  readonly context: { readonly source: Source; readonly now: number }
}

/** Records the source of a new value, and its time unless the connection is as new. */
export function takeSource(
  sources: NewFieldSources,
  present: Connection,
  field: SourcedField,
  { origin, context }: TakenFrom,
): void {
  const source = origin ? originSource(origin, field) : context.source
  const at = origin ? timeOf(origin, field) : context.now
  const isOwn = origin?.fieldSources[field] !== undefined
  if (isOwn || sourceOf(present, field) !== source) Object.assign(sources, { [field]: source })
  if (present.createdAt !== at) Object.assign(sources, { [timeKey(field)]: at })
}

export function restoredFields(before: Connection, after: Connection): readonly SourcedField[] {
  const fields = Object.keys(after.fieldSources) as SourcedField[]
  return fields.filter(
    (field) =>
      isEntered(after.fieldSources[field]) &&
      (!isEntered(before.fieldSources[field]) ||
        before.fieldSources[timeKey(field)] !== after.fieldSources[timeKey(field)]),
  )
}

/** Whether the member has edited the tags. An export restores tags with a time. */
export function hasOwnTags({ tags, '@tags': time }: FieldSources): boolean {
  return isEntered(tags) && time === undefined
}

/** True if the member has set a field since a time, or if it is unknown when. */
export function isTypedSince(connection: Connection, field: SourcedField, since: number): boolean {
  return (
    isEntered(connection.fieldSources[field]) &&
    (connection.fieldSources[timeKey(field)] ?? Infinity) >= since
  )
}
