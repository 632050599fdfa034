/**
 * Snapshots of connections before and after a change, as the activity log stores them, with only the fields that the
 * change touched. `undo-connections.ts` restores one from the other.
 */

import { rfc3339 } from '../../base/clock.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  TEXT_FIELDS,
  publicConnectionId,
  readConnectionId,
  type Connection,
  type FieldSources,
  type FieldTime,
  type ListField,
  type Source,
  type SourcedField,
  type TextField,
} from '../model/connection.ts'
import {
  detailFieldsOf,
  detailName,
  detailNamed,
  detailOf,
  withDetails,
  type DetailField,
  type DetailValue,
} from '../../contact-files/contact/details.ts'
import { tagOf, type Tag } from '../model/tag-store.ts'
import { publicNoteId } from '../notes/notes.ts'
import type { WholeConnection } from './whole-connection.ts'
import type { Change } from '../../tools/tool.ts'

type SnapshotText = (typeof FIELD_NAMES)[TextField]
type SnapshotList = (typeof FIELD_NAMES)[ListField]

/** The fields of the details: `addresses`, `name_prefix`, `custom.3`. */
type SnapshotDetails = Readonly<Partial<Record<`custom.${string}`, unknown>>>

/** How often the member wants to be in touch with a person, as the activity log stores it. */
export interface RecordedCadence {
  readonly every: number | null
  readonly unit: string | null
  readonly set_on: string | null
  readonly paused_until: string | null
  readonly muted: boolean
}

/** The fields of `RecordedCadence`. */
export const CADENCE_FIELDS: ReadonlySet<string> = new Set([
  'every',
  'unit',
  'set_on',
  'paused_until',
  'muted',
] satisfies (keyof RecordedCadence)[])

/** The cadence in a snapshot; undefined if it has none. */
export function cadenceIn(snapshot: Snapshot | undefined): RecordedCadence | undefined {
  const { every, unit, set_on, paused_until, muted } = snapshot ?? {}
  if (every === undefined || unit === undefined || set_on === undefined) return undefined
  if (paused_until === undefined || muted === undefined) return undefined
  return { every, unit, set_on, paused_until, muted }
}

/** Public IDs of rows that belong to one connection, by the plural of their noun. */
export type PersonRows = Readonly<Record<string, readonly string[]>>

/** An omitted field was not touched. Both snapshots of a pair have the same fields. */
export interface Snapshot
  extends
    Readonly<Partial<Record<SnapshotText, string | null>>>,
    Readonly<Partial<Record<SnapshotList, readonly string[]>>>,
    Partial<RecordedCadence>,
    SnapshotDetails {
  readonly connection_id: string
  /** Always present, so that the activity log can name people. */
  readonly name: string
  readonly tags?: readonly string[]
  readonly photo?: string | null
  /** Sources of the touched fields that differ from the connection's own source, and their times. */
  readonly sources?: Readonly<Sources>
  /** IDs of this connection's notes, interactions and other rows that the change affected. */
  readonly notes?: readonly string[]
  readonly moved_rows?: PersonRows
  readonly interactions?: readonly string[]
  readonly deleted_at?: string | null
  /** A connection ID. */
  readonly merged_into?: string | null
  /** An excerpt of the added note, for display. */
  readonly note?: string
  /** The planned follow-up and when it is due, for display. */
  readonly follow_up?: string
}

/** Stored for a change to many connections; a change to one stores its snapshot alone. */
export interface SnapshotPair {
  readonly connections: readonly Snapshot[]
}

/** The number in the public ID of a note, follow-up or interaction in a snapshot. */
export function recordNumberIn(publicId: string): number {
  return Number(publicId.slice(publicId.indexOf('_') + 1))
}

/** The connection's number. */
export function connectionIdOf({ connection_id }: Snapshot): number {
  const id = readConnectionId(connection_id)
  if (id === undefined) throw new Error(`${connection_id} is not a connection ID`)
  return id
}

/** All fields that have a value, for a new connection. */
export function fullSnapshot({ connection, tags, notes }: WholeConnection): Snapshot {
  const snapshot: Record<string, unknown> = { ...identityOf(connection) }
  for (const field of TEXT_FIELDS)
    if (connection[field] !== null) snapshot[FIELD_NAMES[field]] = connection[field]
  for (const field of LIST_FIELDS)
    if (connection[field].length > 0) snapshot[FIELD_NAMES[field]] = connection[field]
  for (const field of detailFieldsOf(connection.details))
    snapshot[detailName(field)] = detailOf(connection.details, field)
  if (tags.length > 0) snapshot['tags'] = textsOf(tags)
  if (notes.length > 0) snapshot['notes'] = notes.map(({ noteId }) => publicNoteId(noteId))
  return { ...(snapshot as unknown as Snapshot), ...truncate(notes.at(-1)?.text) }
}

/** The snapshots before and after a change to one connection. */
export function snapshotsOf(
  before: WholeConnection,
  after: WholeConnection,
): { before: Snapshot; after: Snapshot } {
  const [was, is]: Record<string, unknown>[] = [{}, {}]
  for (const field of [...TEXT_FIELDS, ...LIST_FIELDS])
    put(FIELD_NAMES[field], before.connection[field], after.connection[field])
  for (const field of detailFieldsOf(before.connection.details, after.connection.details))
    put(detailName(field), detailIn(before, field), detailIn(after, field))
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

/** The subject of a change in the activity log. */
export function subjectOf({ connectionId }: Connection) {
  return {
    subjectKind: 'connection',
    subjectId: publicConnectionId(connectionId),
    connections: [connectionId],
  }
}

/** A change to one person, or a new person if there is no state before. */
export function changeOfOne(after: WholeConnection, before?: WholeConnection): Change {
  const subject = subjectOf(after.connection)
  if (before) return { action: 'connection.update', ...subject, ...snapshotsOf(before, after) }
  return { action: 'connection.add', ...subject, before: null, after: fullSnapshot(after) }
}

/** The fields in which the snapshots of a pair differ. */
export function touchedFields(one: Snapshot, other: Snapshot): (keyof Snapshot)[] {
  const fields = Object.keys({ ...one, ...other }) as (keyof Snapshot)[]
  return fields.filter((field) => !DISPLAYED.has(field) && !isSame(one[field], other[field]))
}

const DISPLAYED: ReadonlySet<keyof Snapshot> = new Set(['note', 'follow_up'])

/** The current value of a field, in snapshot form. */
export function presentValue(
  { connection, tags }: Pick<WholeConnection, 'connection' | 'tags'>,
  field: keyof Snapshot,
): unknown {
  if (field === 'tags') return textsOf(tags)
  if (field === 'deleted_at') return rfc3339(connection.deletedAt)
  if (field === 'merged_into') return mergedOf(connection)
  const stored = FIELDS_NAMED.get(field)
  if (stored) return connection[stored]
  const detail = detailNamed(field)
  return detail && (detailOf(connection.details, detail) ?? null)
}

/** The connection with some fields from the snapshot. */
export function withSnapshot(
  connection: Connection,
  snapshot: Snapshot,
  fields: readonly (keyof Snapshot)[],
): Connection {
  const values: Record<string, unknown> = {}
  const details: [DetailField, DetailValue | null][] = []
  for (const field of fields) {
    const [stored, detail] = [FIELDS_NAMED.get(field), detailNamed(field)]
    if (stored) values[stored] = snapshot[field]
    // Written by the functions above.
    else if (detail) details.push([detail, (snapshot[field] ?? null) as DetailValue | null])
  }
  return {
    ...connection,
    ...values,
    ...(details.length > 0 && { details: withDetails(connection.details, details) }),
  }
}

/** The tags of a snapshot; none if it was stored without them. */
export function tagsIn(snapshot: Snapshot): Tag[] {
  return (snapshot.tags ?? []).map(tagOf)
}

/** Compares by value. Snapshots come from JSON, so the key order is the order in which they were written. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** As `isSame`, for values of a field. The spelling of a tag is not a value of the person. */
export function isSameValue(field: keyof Snapshot, one: unknown, other: unknown): boolean {
  // Safe: tags are texts.
  const keysOf = (tags: unknown) => ((tags ?? []) as string[]).map((tag) => tagOf(tag).key)
  return field === 'tags' ? isSame(keysOf(one), keysOf(other)) : isSame(one, other)
}

const FIELDS_NAMED = new Map(
  [...TEXT_FIELDS, ...LIST_FIELDS].map((field) => [FIELD_NAMES[field] as string, field]),
)

function detailIn({ connection }: WholeConnection, field: DetailField): DetailValue | null {
  return detailOf(connection.details, field) ?? null
}

function identityOf({ connectionId, name }: Connection): Snapshot {
  return { connection_id: publicConnectionId(connectionId), name }
}

/** In key order, as they are read. */
function textsOf(tags: readonly Tag[]): string[] {
  return tags.map(({ tag }) => tag)
}

function mergedOf({ mergedInto }: Connection): string | null {
  return mergedInto === null ? null : publicConnectionId(mergedInto)
}

type Sources = Partial<Record<SourcedField, Source | null> & Record<FieldTime, number | null>>

function changedSources(
  before: Connection,
  after: Connection,
): Record<'before' | 'after', Sources> {
  const sources: Record<'before' | 'after', Sources> = { before: {}, after: {} }
  const fields = { ...before.fieldSources, ...after.fieldSources }
  for (const key of Object.keys(fields) as (keyof FieldSources)[]) {
    const [was, is] = [before.fieldSources[key] ?? null, after.fieldSources[key] ?? null]
    if (was === is) continue
    Object.assign(sources.before, { [key]: was })
    Object.assign(sources.after, { [key]: is })
  }
  return sources
}

const NOTE_EXCERPT_LENGTH = 200

function truncate(text: string | undefined): Pick<Snapshot, 'note'> {
  return text === undefined ? {} : { note: text.slice(0, NOTE_EXCERPT_LENGTH).toWellFormed() }
}
