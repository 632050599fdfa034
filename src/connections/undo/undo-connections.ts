/**
 * Restores connections to an earlier snapshot if the same fields have not changed since, and undoes the creation of
 * connections.
 */

import { memberStatement } from '../../db/statement.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import {
  NO_CADENCE,
  cadencesOf,
  ownCadence,
  recordedCadence,
  storeCadences,
} from '../cadence/cadence-store.ts'
import { localNowOf, refreshContactTimes } from '../last-contact/contact-times.ts'
import { addToInteractions, removeFromInteractions } from '../last-contact/interaction-people.ts'
import {
  UNDONE,
  readConnectionId,
  type Connection,
  type FieldSources,
} from '../model/connection.ts'
import { findConnections, updateConnection } from '../model/connection-store.ts'
import { dropKeys } from '../model/key-store.ts'
import { keysOf } from '../model/match-keys.ts'
import { MERGE_ACTION } from './merges-since.ts'
import { hasPhoto } from '../model/photo-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import {
  CADENCE_FIELDS,
  connectionIdOf,
  isSame,
  numberIn,
  presentValue,
  tagsIn,
  touchedFields,
  withSnapshot,
  type RecordedCadence,
  type Snapshot,
  type SnapshotPair,
} from '../model/snapshot.ts'
import { addTags, removeTags, tagsOf, type Tag } from '../model/tag-store.ts'
import { redoCreation, undoCreation } from './undo-creation.ts'
import { removeNotes, restoreNotesOf } from './undo-notes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const connectionUndoer: Undoer = {
  actions: ['connection.add', 'connection.update'],
  async undo({ tx, now, since }, { action, subjectKind, subjectId, before, after }) {
    // As the tools and forms that add and change one person record it.
    const [from, to] = [after as Snapshot | null, before as Snapshot | null]
    if (from && to) await restoreSnapshot(tx, [from], [to], now)
    else if (from) await undoCreation(tx, from, since, now)
    else if (to) await redoCreation(tx, to, now)
    const connections = [from ?? to].flatMap((snapshot) =>
      snapshot ? connectionIdOf(snapshot) : [],
    )
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** Undoes a change to many connections, or the notes that were added to them. */
export const connectionsUndoer: Undoer = {
  actions: ['connections.delete', 'connections.restore', 'notes.add', MERGE_ACTION],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    // As the tools that delete, restore, merge and add notes record it.
    const [from, to] = [after as SnapshotPair, before as SnapshotPair]
    await restoreSnapshot(tx, from.connections, to.connections, now)
    const connections = from.connections.map(connectionIdOf)
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** Restores connections from one state to another; both lists are in the same order. */
export async function restoreSnapshot(
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
  /** The present one. */
  readonly cadence: RecordedCadence
}

async function readReversals(
  reader: MemberReader,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
): Promise<Reversal[]> {
  const ids = from.map(connectionIdOf)
  const connections = await findConnections(reader, ids)
  const byId = new Map(connections.map((one) => [one.connectionId, one]))
  const tags = await tagsOf(reader, ids)
  const gone = await missingPhotos(reader, to)
  const cadences = await cadencesOf(reader, from.filter(hasCadence).map(connectionIdOf))
  return from.map((snapshot, index) => {
    const id = connectionIdOf(snapshot)
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
      cadence: recordedCadence(cadences.get(id) ?? NO_CADENCE),
    }
  })
}

function hasCadence(snapshot: Snapshot): boolean {
  return snapshot.every !== undefined
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

/** Notes, interactions and follow-ups are compared by where they moved, sources together with each field. */
const NOT_COMPARED: ReadonlySet<keyof Snapshot> = new Set([
  'notes',
  'follow_ups',
  'interactions',
  'sources',
])

function conflictOf(reversal: Reversal): string[] {
  const { from, touched, connection, tags, isPhotoGone, cadence } = reversal
  const { connection_id } = from
  if (isPhotoGone) return [`the photo of ${connection_id} was permanently deleted`]
  if (!connection) return [`${connection_id} was permanently deleted`]
  if (connection.deletedAt !== null && !touched.includes('deleted_at'))
    return [`${connection_id} was deleted`]
  const present = { connection, tags }
  const changed = touched.filter((field) => {
    const value = isCadenceField(field) ? cadence[field] : presentValue(present, field)
    return !NOT_COMPARED.has(field) && !isSame(value, from[field])
  })
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
  const has = new Set(keysOf(after))
  const lost = keysOf(before).filter((key) => !has.has(key))
  await dropKeys(
    tx,
    lost.map((key) => ({ key, connectionId: after.connectionId })),
  )
  if (touched.includes('tags')) await setTags(tx, reversal)
  if (touched.some(isCadenceField)) {
    const cadence = { ...reversal.cadence, ...fieldsOf(to, touched.filter(isCadenceField)) }
    await storeCadences(tx, new Map([[after.connectionId, ownCadence(cadence)]]))
  }
  return after
}

function isCadenceField(field: keyof Snapshot): field is keyof RecordedCadence {
  return CADENCE_FIELDS.has(field)
}

function fieldsOf(
  snapshot: Snapshot,
  fields: readonly (keyof RecordedCadence)[],
): Partial<RecordedCadence> {
  return Object.fromEntries(fields.map((field) => [field, snapshot[field]]))
}

function restoredSources({ fieldSources }: Connection, from: Snapshot, to: Snapshot): FieldSources {
  const sources = { ...fieldSources }
  for (const key of Object.keys(from.sources ?? {}) as (keyof FieldSources)[]) {
    if ((sources[key] ?? null) !== from.sources?.[key]) continue
    const former = to.sources?.[key]
    delete sources[key]
    if (former != null) Object.assign(sources, { [key]: former })
  }
  return sources
}

async function setTags(tx: MemberTransaction, { from, to, tags }: Reversal): Promise<void> {
  const id = connectionIdOf(from)
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
    const connection_id = connectionIdOf(snapshot)
    const moved = noteIds(snapshot).filter((id) => current.has(id))
    if (moved.length > 0) await tx.run(MOVE_NOTES, { connection_id, ids: moved })
    const returned = noteIds(snapshot).filter((id) => !current.has(id))
    await restoreNotes(tx, connection_id, returned)
    const ids = (snapshot.follow_ups ?? []).map(numberIn)
    if (ids.length > 0) await tx.run(MOVE_FOLLOW_UPS, { connection_id, ids })
  }
  const added = [...current].filter((id) => !target.has(id))
  await removeNotes(tx, added, now)
  await restoreInteractions(tx, from, to, now)
}

/** Gives every connection the interactions that it had. */
async function restoreInteractions(
  tx: MemberTransaction,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
  now: number,
): Promise<void> {
  const changed = to.flatMap((snapshot, index) => {
    const [was, is] = [snapshot, from[index]].map((one) => (one?.interactions ?? []).map(numberIn))
    const [wanted, present] = [new Set(was), new Set(is)]
    const [more, fewer] = [wanted.difference(present), present.difference(wanted)]
    return more.size + fewer.size === 0 ? [] : [{ id: connectionIdOf(snapshot), more, fewer }]
  })
  if (changed.length === 0) return
  for (const { id, more, fewer } of changed) {
    await addToInteractions(tx, id, [...more])
    await removeFromInteractions(tx, id, [...fewer])
  }
  const ids = changed.map(({ id }) => id)
  await refreshContactTimes(tx, ids, await localNowOf(tx, now))
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

const MOVE_NOTES = memberStatement<{ connection_id: number; ids: readonly number[] }>()(`
  update notes set connection_id = :connection_id
  where member_id = :member_id and note_id in (:ids...bigint)`)

const MOVE_FOLLOW_UPS = memberStatement<{ connection_id: number; ids: readonly number[] }>()(`
  update follow_ups set connection_id = :connection_id
  where member_id = :member_id and follow_up_id in (:ids...bigint)`)
