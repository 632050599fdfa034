/**
 * Imported changes as JSON, as short as possible: most rows of a file change one field of a person, and SQLite takes a page
 * of 4 kB for what a row has beyond 1,000 bytes.
 */

import { isDeepStrictEqual } from 'node:util'
import { isSameList } from '../../base/same-list.ts'
import { LIST_FIELDS, NO_VALUES, TEXT_FIELDS, type Connection } from '../model/connection.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import type { ImportedChange, StoredContact } from './imported-change.ts'

/** Empty fields are left out. */
interface StoredChange extends Partial<Omit<ImportedChange, 'connection' | 'undone'>> {
  readonly connection?: StoredConnection
  readonly undone?: StoredConnection
  /** Instead of the contact, if there is a connection: the fields that differ from it. Null if the contact has no value. */
  readonly other_values?: OtherValues
}

type StoredConnection = Partial<Connection> & Pick<Connection, Always>

/** The fields of a connection that are never empty. */
type Always = 'connectionId' | 'name' | 'source' | 'version' | 'createdAt' | 'updatedAt'

type OtherValues = { readonly [Field in keyof StoredContact]: StoredContact[Field] | null }

export function writeImportedChange(change: ImportedChange): string {
  const { connection, undone, contact, added_tags, added_notes, added_keys, ...others } = change
  const difference = contact && connection && otherValues(contact, connection)
  return JSON.stringify({
    connection: connection && withoutEmpty(connection),
    added_tags: filled(added_tags),
    added_notes: filled(added_notes),
    added_keys: filled(added_keys),
    contact: difference ? undefined : contact,
    other_values: difference,
    ...others,
    undone: undone && withoutEmpty(undone),
  })
}

/** Reads what `writeImportedChange` wrote. */
export function readImportedChange(json: string): ImportedChange {
  const { connection, undone, other_values, ...change } = JSON.parse(json) as StoredChange
  const before = connection && wholeConnection(connection)
  return {
    added_tags: [],
    added_notes: [],
    added_keys: [],
    ...change,
    ...(before && { connection: before }),
    ...(before && other_values && { contact: contactOf(before, other_values) }),
    ...(undone && { undone: wholeConnection(undone) }),
  }
}

/** Undefined fields are not written. */
function withoutEmpty(connection: Connection) {
  const { details, fieldSources } = connection
  return {
    ...connection,
    givenName: connection.givenName ?? undefined,
    familyName: connection.familyName ?? undefined,
    company: connection.company ?? undefined,
    title: connection.title ?? undefined,
    location: connection.location ?? undefined,
    emails: filled(connection.emails),
    phones: filled(connection.phones),
    profileUrl: connection.profileUrl ?? undefined,
    links: filled(connection.links),
    birthday: connection.birthday ?? undefined,
    connectedOn: connection.connectedOn ?? undefined,
    details: details === NO_DETAILS ? undefined : details,
    fieldSources: Object.keys(fieldSources).length > 0 ? fieldSources : undefined,
    importJobId: connection.importJobId ?? undefined,
    deletedAt: connection.deletedAt ?? undefined,
    mergedInto: connection.mergedInto ?? undefined,
  }
}

function filled<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined
}

function wholeConnection(stored: StoredConnection): Connection {
  return { ...NO_VALUES, ...NO_STATE, ...stored }
}

/** What Weft records about a connection, if it is empty. */
const NO_STATE = { fieldSources: {}, importJobId: null, deletedAt: null, mergedInto: null } as const

function otherValues(contact: StoredContact, connection: Connection): OtherValues {
  const others: Record<string, unknown> = {}
  for (const field of TEXT_FIELDS) {
    const value = contact[field] ?? null
    if (value !== connection[field]) others[field] = value
  }
  for (const field of LIST_FIELDS) {
    const values = contact[field] ?? NO_VALUES[field]
    if (!isSameList(values, connection[field])) others[field] = filled(values) ?? null
  }
  const { details = NO_DETAILS, labels } = contact
  if (!isDeepStrictEqual(details, connection.details))
    others['details'] = details === NO_DETAILS ? null : details
  if (labels) others['labels'] = labels
  return others
}

function contactOf(connection: Connection, others: OtherValues): StoredContact {
  const contact: Record<string, unknown> = {}
  for (const field of [...TEXT_FIELDS, ...LIST_FIELDS, 'details'] as const) {
    const value = field in others ? others[field] : connection[field]
    if (value != null && Object.keys(value).length > 0) contact[field] = value
  }
  return { ...contact, ...(others.labels && { labels: others.labels }) }
}
