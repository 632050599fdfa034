/** A connection without what came from another person who was merged into it. */

import { withoutStaleLabels } from '../model/add-details.ts'
import {
  LIST_FIELDS,
  type Connection,
  type ListField,
  type TextField,
} from '../model/connection.ts'
import { withSourceOf } from '../model/field-sources.ts'
import {
  detailFieldsOf,
  detailOf,
  withDetails,
  type Details,
  type DetailValue,
} from '../../contact-files/contact/details.ts'
import { isSame, type PersonRows, type RecordedCadence, type Snapshot } from '../person/snapshot.ts'

/** The data that came from the other person, and their separate connection. */
export interface Merged {
  /** The other person's connection: deleted by the merge, or not stored yet. */
  readonly other: Connection
  /** The connection without the other person's data. */
  readonly rest: Connection
  readonly rows: PersonRows
  readonly interactions: readonly number[]
  /** The subset that the connection also had. */
  readonly sharedInteractions: readonly number[]
  /** Tags that the connection got from the other person. */
  readonly tags: readonly string[]
  /** The cadence of the connection before the merge, if it is still the one from the merge. */
  readonly cadence:
    | { readonly before: RecordedCadence; readonly after: RecordedCadence }
    | undefined
  /** All tags of the other person, if their connection is created. */
  readonly otherTags: readonly string[]
  /** Keys that identify the other person's contact. */
  readonly keys: readonly string[]
  /** The import that merged them; undefined for resolve_duplicates. */
  readonly jobId?: number
}

/** The connection with other values for some fields, and without some list values. The name never becomes empty. */
export function without(
  present: Connection,
  values: Partial<Record<TextField, string | null>>,
  lists: Partial<Record<ListField, readonly string[]>>,
  sources: Snapshot['sources'],
): Connection {
  let { fieldSources } = present
  for (const field of Object.keys(values) as TextField[])
    fieldSources = withSourceOf(fieldSources, field, sources)
  const remaining = Object.fromEntries(
    LIST_FIELDS.map((field) => [
      field,
      present[field].filter((value) => lists[field]?.includes(value) !== true),
    ]),
  )
  const { name, ...others } = values
  return { ...present, ...others, ...remaining, name: name ?? present.name, fieldSources }
}

interface DetailsChange {
  readonly before: Details
  readonly after: Details
  readonly sources: Snapshot['sources']
}

/**
 * Without the additions of the merge: values that have not changed since are restored, and its entries are removed from
 * the lists.
 */
export function withoutDetails(
  present: Connection,
  { before, after, sources }: DetailsChange,
): Connection {
  let { fieldSources } = present
  const values = detailFieldsOf(after).map((field) => {
    const [was, is, now] = [before, after, present.details].map((one) => detailOf(one, field))
    if (!isSame(is, now)) return [field, withoutParts(now, was, is)] as const
    fieldSources = withSourceOf(fieldSources, field, sources)
    return [field, was] as const
  })
  const details = withDetails(present.details, values)
  const kept = withDetails(details, [['labels', withoutStaleLabels(details, present)]])
  return { ...present, details: kept, fieldSources }
}

/** A list or record without the entries that it gained between two states. Text that changed since is kept. */
function withoutParts(
  now: DetailValue | undefined,
  was: DetailValue | undefined,
  is: DetailValue | undefined,
): DetailValue | undefined {
  if (typeof now !== 'object') return now
  const partsOf = (value: DetailValue | undefined) =>
    new Set(
      typeof value === 'object' ? Object.values(value).map((part) => JSON.stringify(part)) : [],
    )
  const gained = partsOf(is).difference(partsOf(was))
  const isKept = (part: unknown) => !gained.has(JSON.stringify(part))
  if (Array.isArray(now)) return (now as readonly object[]).filter(isKept)
  return Object.fromEntries(Object.entries(now).filter(([, part]) => isKept(part)))
}
