/**
 * Restores connections to an earlier snapshot if the same fields have not changed since, and undoes the creation of
 * connections.
 */

import { memberStatement } from '../../db/statement.ts'
import { listUndos, rootsOf, undoneChanges } from '../../tools/activity.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import {
  FIELD_NAMES,
  UNDONE,
  publicConnectionId,
  readConnectionId,
  type Connection,
  type SourcedField,
} from './connection.ts'
import { detailFieldsOf, detailName, detailNamed } from './details.ts'
import { addressKeysOf, nameCompanyKey } from './match-keys.ts'
import {
  isSame,
  numberIn,
  presentValue,
  tagsIn,
  touchedFields,
  withSnapshot,
  type Snapshot,
  type SnapshotPair,
} from './snapshot.ts'
import { addTags, removeTags, tagsOf, type Tag } from './tag-store.ts'
import { dropKeys, findByKeys } from './key-store.ts'
import { findConnections, findPresent, updateConnection } from './connection-store.ts'
import { notesOf, type Note } from './note-store.ts'
import { hasPhoto } from './photo-store.ts'
import { recordDeletion } from './record-deletion.ts'
import { recordSearchChanges } from './search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The action of a merge in the activity log; its subject is the connection that was kept. */
export const MERGE_ACTION = 'connections.merge'

/** The action of a split in the activity log; its subject is the connection that contained the other person. */
export const SPLIT_ACTION = 'connections.split'

/** Undoes the creation of, or a change to, one connection. */
export const connectionUndoer: Undoer = {
  actions: ['connection.add', 'connection.update'],
  async undo({ tx, now, since }, { action, subjectKind, subjectId, before, after }) {
    // As add_connection and update_connection record it.
    const [from, to] = [after as Snapshot | null, before as Snapshot | null]
    if (from && to) await restoreSnapshot(tx, [from], [to], now)
    else if (from) await undoCreation(tx, from, since, now)
    else if (to) await redoCreation(tx, to, now)
    const connections = [from ?? to].flatMap((snapshot) => (snapshot ? idOf(snapshot) : []))
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** The action of adding several connections at once. */
export const ADDITIONS_ACTION = 'connections.add'

/** Undoes the creation of several connections: all of them, or none if one has changed. */
export const additionsUndoer: Undoer = {
  actions: [ADDITIONS_ACTION],
  async undo({ tx, now, since }, { action, subjectKind, subjectId, before, after }) {
    // As add_connections records it, or swapped by an undo.
    const [from, to] = [after as SnapshotPair | null, before as SnapshotPair | null]
    for (const snapshot of from?.connections ?? []) await undoCreation(tx, snapshot, since, now)
    for (const snapshot of to?.connections ?? []) await redoCreation(tx, snapshot, now)
    const connections = (from ?? to)?.connections.map(idOf) ?? []
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** Undoes a change to many connections. */
export const connectionsUndoer: Undoer = {
  actions: ['connections.delete', 'connections.restore', MERGE_ACTION, SPLIT_ACTION],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    // As the tools that delete, restore and merge record it.
    const [from, to] = [after as SnapshotPair, before as SnapshotPair]
    await restoreSnapshot(tx, from.connections, to.connections, now)
    const connections = from.connections.map(idOf)
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** Restores connections from one state to another; both lists are in the same order. */
async function restoreSnapshot(
  tx: MemberTransaction,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
  now: number,
): Promise<void> {
  const reversals = await readReversals(tx, from, to)
  const conflicts = reversals.flatMap(conflictOf)
  if (conflicts.length > 0) throw changedSince(conflicts.slice(0, MAX_NAMED).join('; '))
  const present: Connection[] = []
  for (const reversal of reversals) present.push(await reverse(tx, reversal, now))
  await restoreAttachments(tx, from, to, now)
  await recordSearchChanges(
    tx,
    present.map(({ connectionId }) => connectionId),
  )
}

const MAX_NAMED = 10

/** One connection that is being restored. */
interface Reversal {
  readonly from: Snapshot
  readonly to: Snapshot
  readonly touched: readonly (keyof Snapshot)[]
  /** Undefined when it was permanently deleted. */
  readonly connection: Connection | undefined
  readonly tags: readonly Tag[]
  /** Whether the photo to restore was permanently deleted. */
  readonly isPhotoGone: boolean
}

async function readReversals(
  reader: MemberReader,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
): Promise<Reversal[]> {
  const ids = from.map(idOf)
  const connections = await findConnections(reader, ids)
  const byId = new Map(connections.map((one) => [one.connectionId, one]))
  const tags = await tagsOf(reader, ids)
  const gone = await missingPhotos(reader, to)
  return from.map((snapshot, index) => {
    const id = idOf(snapshot)
    const other = to[index]
    if (other?.connection_id !== snapshot.connection_id)
      throw new Error(`the snapshots of ${snapshot.connection_id} are not a pair`)
    return {
      from: snapshot,
      to: other,
      touched: touchedFields(snapshot, other),
      connection: byId.get(id),
      tags: tags.get(id) ?? [],
      isPhotoGone: gone.has(other.photo),
    }
  })
}

async function missingPhotos(
  reader: MemberReader,
  snapshots: readonly Snapshot[],
): Promise<Set<Snapshot['photo']>> {
  const missing = new Set<Snapshot['photo']>()
  for (const { photo } of snapshots)
    if (photo != null && !(await hasPhoto(reader, photo))) missing.add(photo)
  return missing
}

/** Notes and follow-ups are compared by where they moved, sources together with each field. */
const NOT_COMPARED: ReadonlySet<keyof Snapshot> = new Set(['notes', 'follow_ups', 'sources'])

function conflictOf({ from, touched, connection, tags, isPhotoGone }: Reversal): string[] {
  const { connection_id } = from
  if (isPhotoGone) return [`the photo of ${connection_id} was permanently deleted`]
  if (!connection) return [`${connection_id} was permanently deleted`]
  if (connection.deletedAt !== null && !touched.includes('deleted_at'))
    return [`${connection_id} was deleted`]
  const present = { connection, tags }
  const changed = touched.filter(
    (field) => !NOT_COMPARED.has(field) && !isSame(presentValue(present, field), from[field]),
  )
  return changed.length === 0 ? [] : [`${connection_id} (${changed.join(', ')})`]
}

async function reverse(
  tx: MemberTransaction,
  reversal: Reversal,
  now: number,
): Promise<Connection> {
  const { from, to, touched, connection: before } = reversal
  if (!before) throw new Error(`${from.connection_id} does not exist, although it was checked`)
  const after: Connection = {
    ...withSnapshot(before, to, touched),
    ...(touched.includes('deleted_at') && {
      deletedAt: to.deleted_at == null ? null : Date.parse(to.deleted_at),
    }),
    ...(touched.includes('merged_into') && {
      mergedInto: to.merged_into == null ? null : (readConnectionId(to.merged_into) ?? UNDONE),
    }),
    fieldSources: restoredSources(before, from, to),
    version: before.version + 1,
    updatedAt: now,
  }
  await updateConnection(tx, before, after)
  const [had, has] = [nameCompanyKey(before), nameCompanyKey(after)]
  if (had !== has) await dropKeys(tx, [{ key: had, connectionId: after.connectionId }])
  if (touched.includes('tags')) await setTags(tx, reversal)
  return after
}

function restoredSources(
  { fieldSources }: Connection,
  from: Snapshot,
  to: Snapshot,
): Connection['fieldSources'] {
  const sources = { ...fieldSources }
  for (const field of Object.keys(from.sources ?? {}) as SourcedField[]) {
    if ((sources[field] ?? null) !== from.sources?.[field]) continue
    const source = to.sources?.[field]
    if (source) sources[field] = source
    else delete sources[field]
  }
  return sources
}

async function setTags(tx: MemberTransaction, { from, to, tags }: Reversal): Promise<void> {
  const id = idOf(from)
  const wanted = tagsIn(to)
  const isWanted = ({ tag }: Tag) => wanted.some((one) => one.tag === tag)
  await removeTags(
    tx,
    id,
    tags.filter((tag) => !isWanted(tag)).map(({ key }) => key),
  )
  await addTags(tx, id, wanted)
}

/** Moves notes and follow-ups back to their previous connections and removes notes that had none. */
async function restoreAttachments(
  tx: MemberTransaction,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
  now: number,
): Promise<void> {
  const noteIds = ({ notes = [] }: Snapshot) => notes.map(numberIn)
  const [current, target] = [new Set(from.flatMap(noteIds)), new Set(to.flatMap(noteIds))]
  for (const snapshot of to) {
    const connection_id = idOf(snapshot)
    const moved = noteIds(snapshot).filter((id) => current.has(id))
    if (moved.length > 0) await tx.run(MOVE_NOTES, { connection_id, ids: moved })
    const returned = noteIds(snapshot).filter((id) => !current.has(id))
    await restoreNotes(tx, connection_id, returned)
    const ids = (snapshot.follow_ups ?? []).map(numberIn)
    if (ids.length > 0) await tx.run(MOVE_FOLLOW_UPS, { connection_id, ids })
  }
  const added = [...current].filter((id) => !target.has(id))
  await removeNotes(tx, added, now)
}

/** Removes notes as if they had never been written, so that an import with the same text adds it again. */
export async function removeNotes(
  tx: MemberTransaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(ATTACH_NOTES, { ids, connection_id: UNDONE, deleted_at: now })
  await recordDeletion(tx, now)
}

/** Restores deleted notes and attaches them to this connection. */
async function restoreNotes(
  tx: MemberTransaction,
  connectionId: number,
  ids: readonly number[],
): Promise<void> {
  await restoreNotesOf(
    tx,
    ids.map((noteId) => ({ noteId, connectionId })),
  )
}

/** Restores notes of several connections. */
export async function restoreNotesOf(
  tx: MemberTransaction,
  notes: readonly Pick<Note, 'noteId' | 'connectionId'>[],
): Promise<void> {
  await tx.updateMany({
    table: 'notes',
    key: ['note_id'],
    columns: ['connection_id', 'deleted_at'],
    rows: notes.map(({ noteId, connectionId }) => [noteId, connectionId, null]),
  })
}

/** Removes a connection as if it had never been created, unless it was used since. */
async function undoCreation(
  tx: MemberTransaction,
  snapshot: Snapshot,
  since: number,
  now: number,
): Promise<void> {
  const { connection, tags } = await readPresent(tx, snapshot)
  const changed = await changedFields(tx, snapshot, connection, tags)
  const merges = await mergesSince(tx, since)
  if (merges.has(connection.connectionId)) changed.push('merged connections')
  if (changed.length > 0) throw changedSince(`${snapshot.connection_id} (${changed.join(', ')})`)
  await markUndone(tx, [connection.connectionId], now)
}

async function readPresent(reader: MemberReader, snapshot: Snapshot) {
  const id = idOf(snapshot)
  const [connection] = await findConnections(reader, [id])
  if (!connection) throw changedSince(`${snapshot.connection_id} was permanently deleted`)
  const [tags = []] = (await tagsOf(reader, [id])).values()
  return { connection, tags }
}

async function changedFields(
  reader: MemberReader,
  snapshot: Snapshot,
  connection: Connection,
  tags: readonly Tag[],
): Promise<string[]> {
  if (connection.deletedAt !== null) return ['deleted_at']
  const id = connection.connectionId
  const details = detailFieldsOf(connection.details).map(detailName) as (keyof Snapshot)[]
  const known = Object.keys(snapshot).filter((name) => detailNamed(name)) as (keyof Snapshot)[]
  const fields = new Set([...Object.values(FIELD_NAMES), 'tags' as const, ...details, ...known])
  const changed: string[] = [...fields].filter((field) => {
    const [now, then] = [presentValue({ connection, tags }, field), snapshot[field]]
    return !isSame(now, then ?? (Array.isArray(now) ? [] : null))
  })
  const [notes = []] = (await notesOf(reader, [id])).values()
  if (notes.some(({ noteId }) => !snapshot.notes?.map(numberIn).includes(noteId)))
    changed.push('notes')
  if (await reader.get(FOLLOW_UP_OF, { ids: [id] })) changed.push('follow_ups')
  return changed
}

/** Deletes connections whose creation was undone. Trash does not show them, and `clearUndone` restores them. */
export async function markUndone(
  tx: MemberTransaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(SET_DELETED, { ids, deleted_at: now, merged_into: UNDONE, now })
  await recordDeletion(tx, now)
  await recordSearchChanges(tx, ids)
}

/** Restores an undone connection, unless the same person was added again in the meantime. */
async function redoCreation(tx: MemberTransaction, snapshot: Snapshot, now: number): Promise<void> {
  const { connection } = await readPresent(tx, snapshot)
  if (connection.mergedInto !== UNDONE)
    throw changedSince(`${snapshot.connection_id} already exists again`)
  const successors = await findSuccessors(tx, [connection])
  const successor = successors.get(connection.connectionId)
  if (successor !== undefined)
    throw changedSince(`the same person was added as ${publicConnectionId(successor)}`)
  await clearUndone(tx, [connection], now)
}

/** The inverse of `markUndone`. */
export async function clearUndone(
  tx: MemberTransaction,
  connections: readonly Connection[],
  now: number,
): Promise<void> {
  if (connections.length === 0) return
  const ids = connections.map(({ connectionId }) => connectionId)
  await tx.run(SET_DELETED, { ids, deleted_at: null, merged_into: null, now })
  await recordSearchChanges(tx, ids)
}

/** For undone connections: the connections added later with the same email or profile URL. */
export async function findSuccessors(
  reader: MemberReader,
  connections: readonly Connection[],
): Promise<Map<number, number>> {
  const keys = connections.flatMap((one) => addressKeysOf(one))
  const holders = Map.groupBy(await findByKeys(reader, [...new Set(keys)]), ({ key }) => key)
  const present = await findPresent(reader, [
    ...new Set([...holders.values()].flat().map(({ connection_id }) => connection_id)),
  ])
  const successors = new Map<number, number>()
  for (const connection of connections) {
    const { connectionId } = connection
    const people = addressKeysOf(connection)
      .flatMap((key) => holders.get(key) ?? [])
      .flatMap(({ connection_id }) => present.get(connection_id) ?? [])
    const successor = people.find(
      (one) => one.deletedAt === null && one.connectionId > connectionId,
    )
    if (successor) successors.set(connectionId, successor.connectionId)
  }
  return successors
}

/** The connections that others were merged into after a change, where the merge has not been undone. */
export async function mergesSince(reader: MemberReader, since: number): Promise<Set<number>> {
  const undos = await listUndos(reader)
  const rootOf = rootsOf(undos)
  const later = undos.filter(({ activity_id }) => activity_id > since)
  const merges = await reader.all(MERGES, {
    since,
    ids: later.map(({ undoes }) => rootOf(undoes)),
    merge: MERGE_ACTION,
  })
  const undone = await undoneChanges(reader)
  return new Set(
    merges
      .filter(({ activity_id }) => !undone.has(activity_id))
      .map(({ subject_id }) => readConnectionId(subject_id) ?? UNDONE),
  )
}

function idOf({ connection_id }: Snapshot): number {
  const id = readConnectionId(connection_id)
  if (id === undefined) throw new Error(`${connection_id} is not a connection ID`)
  return id
}

const SET_DELETED = memberStatement<{
  ids: readonly number[]
  deleted_at: number | null
  merged_into: number | null
  now: number
}>()(`
  update connections
  set deleted_at = :deleted_at, merged_into = :merged_into, version = version + 1, updated_at = :now
  where member_id = :member_id and connection_id in (:ids...bigint)`)

const MOVE_NOTES = memberStatement<{ connection_id: number; ids: readonly number[] }>()(`
  update notes set connection_id = :connection_id
  where member_id = :member_id and note_id in (:ids...bigint)`)

const ATTACH_NOTES = memberStatement<{
  ids: readonly number[]
  connection_id: number
  deleted_at: number | null
}>()(`
  update notes set connection_id = :connection_id, deleted_at = :deleted_at
  where member_id = :member_id and note_id in (:ids...bigint)`)

const MOVE_FOLLOW_UPS = memberStatement<{ connection_id: number; ids: readonly number[] }>()(`
  update follow_ups set connection_id = :connection_id
  where member_id = :member_id and follow_up_id in (:ids...bigint)`)

/** By follow_ups_by_connection. */
const FOLLOW_UP_OF = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select f.connection_id from follow_ups f each (connection_id = :ids...bigint)
  where f.member_id = :member_id and f.deleted_at is null`)

/** By primary key. */
const MERGES = memberStatement<
  { since: number; ids: readonly number[]; merge: string },
  { activity_id: number; subject_id: string }
>()(`
  select activity_id, subject_id from activity
  where member_id = :member_id and action = :merge
    and (activity_id > :since or activity_id in (:ids...bigint))`)
