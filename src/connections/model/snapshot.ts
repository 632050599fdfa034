/**
 * What a change did to connections, as the member's activity keeps it: of each connection a picture before and one
 * after, with the fields that the change touched. `undo-connections.ts` goes from the one back to the other.
 */

import { rfc3339 } from '../../base/clock.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  TEXT_FIELDS,
  publicConnectionId,
  type Connection,
  type ListField,
  type Source,
  type SourcedField,
  type TextField,
} from './connection.ts'
import { tagOf, type Tag } from './connection-store.ts'
import type { WholeConnection } from './connection-store.ts'

export type SnapshotText = (typeof FIELD_NAMES)[TextField]
export type SnapshotList = (typeof FIELD_NAMES)[ListField]

/** A field that is left out was not touched. Of two pictures that belong together both have it, or none. */
export interface Snapshot
  extends
    Readonly<Partial<Record<SnapshotText, string | null>>>,
    Readonly<Partial<Record<SnapshotList, readonly string[]>>> {
  readonly connection_id: string
  /** Always there, so that the activity names people. */
  readonly name: string
  readonly tags?: readonly string[]
  /** Where the touched fields came from, if not from what made the connection. */
  readonly sources?: Readonly<Partial<Record<SourcedField, Source | null>>>
  /** Of the notes and follow-ups that the change concerns: those that hung on this connection. */
  readonly notes?: readonly string[]
  readonly follow_ups?: readonly string[]
  readonly deleted_at?: string | null
  /** A connection's id. */
  readonly merged_into?: string | null
  /** The beginning of the note that was added, for people. */
  readonly note?: string
}

/** What a change to many connections keeps; one to a single connection keeps its picture alone. */
export interface SnapshotPair {
  readonly connections: readonly Snapshot[]
}

export function publicNoteId(noteId: number): string {
  return `n_${noteId}`
}

/** The number in the public id of a note or a follow-up that a picture has. */
export function numberIn(publicId: string): number {
  return Number(publicId.slice(publicId.indexOf('_') + 1))
}

/** Everything that there is, for a connection that was made. */
export function fullSnapshot({ connection, tags, notes }: WholeConnection): Snapshot {
  const picture: Record<string, unknown> = { ...identityOf(connection) }
  for (const field of TEXT_FIELDS)
    if (connection[field] !== null) picture[FIELD_NAMES[field]] = connection[field]
  for (const field of LIST_FIELDS)
    if (connection[field].length > 0) picture[FIELD_NAMES[field]] = connection[field]
  if (tags.length > 0) picture['tags'] = textsOf(tags)
  if (notes.length > 0) picture['notes'] = notes.map(({ noteId }) => publicNoteId(noteId))
  return { ...(picture as unknown as Snapshot), ...truncate(notes.at(-1)?.text) }
}

/** The two pictures of a change to one connection. */
export function snapshotsOf(
  before: WholeConnection,
  after: WholeConnection,
): { before: Snapshot; after: Snapshot } {
  const [was, is]: Record<string, unknown>[] = [{}, {}]
  for (const field of [...TEXT_FIELDS, ...LIST_FIELDS])
    put(FIELD_NAMES[field], before.connection[field], after.connection[field])
  put('tags', textsOf(before.tags), textsOf(after.tags))
  const sources = changedSources(before.connection, after.connection)
  put('sources', sources.before, sources.after)
  put('deleted_at', rfc3339(before.connection.deletedAt), rfc3339(after.connection.deletedAt))
  put('merged_into', mergedOf(before.connection), mergedOf(after.connection))
  const added = after.notes.filter(
    ({ noteId }) => !before.notes.some((one) => one.noteId === noteId),
  )
  put(
    'notes',
    [],
    added.map(({ noteId }) => publicNoteId(noteId)),
  )
  return {
    before: { ...identityOf(before.connection), ...was },
    after: { ...identityOf(after.connection), ...is, ...truncate(added[0]?.text) },
  }

  function put(name: string, old: unknown, now: unknown): void {
    if (isSame(old, now) || !was || !is) return
    was[name] = old
    is[name] = now
  }
}

/** The fields in which two pictures that belong together differ. */
export function touchedFields(one: Snapshot, other: Snapshot): (keyof Snapshot)[] {
  const fields = Object.keys({ ...one, ...other }) as (keyof Snapshot)[]
  return fields.filter((field) => field !== 'note' && !isSame(one[field], other[field]))
}

/** A field of a connection as it is now, in the form of a picture. */
export function presentValue(
  { connection, tags }: Omit<WholeConnection, 'notes'>,
  field: keyof Snapshot,
): unknown {
  if (field === 'tags') return textsOf(tags)
  if (field === 'deleted_at') return rfc3339(connection.deletedAt)
  if (field === 'merged_into') return mergedOf(connection)
  const stored = FIELDS_NAMED.get(field)
  return stored && connection[stored]
}

/** The values that a picture gives to some of its fields, in the form in which they are stored. */
export function storedValues(
  picture: Snapshot,
  fields: readonly (keyof Snapshot)[],
): Partial<Connection> {
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const stored = FIELDS_NAMED.get(field)
    if (stored) values[stored] = picture[field]
  }
  return values
}

export function tagsIn(picture: Snapshot): Tag[] {
  return (picture.tags ?? []).map(tagOf)
}

/** By value. Pictures come out of JSON, so their values have no order of members but that in which they were written. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

const FIELDS_NAMED = new Map(
  [...TEXT_FIELDS, ...LIST_FIELDS].map((field) => [FIELD_NAMES[field] as string, field]),
)

function identityOf({ connectionId, name }: Connection): Snapshot {
  return { connection_id: publicConnectionId(connectionId), name }
}

/** In the order of their keys, as they are read. */
function textsOf(tags: readonly Tag[]): string[] {
  return tags.map(({ tag }) => tag)
}

function mergedOf({ mergedInto }: Connection): string | null {
  return mergedInto === null ? null : publicConnectionId(mergedInto)
}

type Sources = Partial<Record<SourcedField, Source | null>>

function changedSources(
  before: Connection,
  after: Connection,
): Record<'before' | 'after', Sources> {
  const sources: Record<'before' | 'after', Sources> = { before: {}, after: {} }
  for (const field of [...TEXT_FIELDS, ...LIST_FIELDS, 'tags'] as const) {
    const [was, is] = [before.fieldSources[field] ?? null, after.fieldSources[field] ?? null]
    if (was === is) continue
    sources.before[field] = was
    sources.after[field] = is
  }
  return sources
}

/** Characters of a note that stand in the activity. */
const SHOWN_OF_NOTE = 200

function truncate(text: string | undefined): Pick<Snapshot, 'note'> {
  return text === undefined ? {} : { note: text.slice(0, SHOWN_OF_NOTE).toWellFormed() }
}
