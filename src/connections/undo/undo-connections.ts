/** Restores people to an earlier state if the same fields have not changed since, and undoes their creation. */

import { statesIn } from '../../records/undo-rows.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { cadencesOf, ownCadence, recordedCadence, storeCadences } from '../cadence/cadence-store.ts'
import { FOLLOW_UPS } from '../follow-ups/follow-ups.ts'
import { NO_CADENCE, type OwnCadence } from '../last-contact/contact-times.ts'
import {
  UNDONE,
  readConnectionId,
  type Connection,
  type FieldSources,
} from '../model/connection.ts'
import {
  findConnections,
  updateConnections,
  type ConnectionUpdate,
} from '../model/connection-store.ts'
import { dropKeys } from '../model/key-store.ts'
import { keysOf } from '../model/match-keys.ts'
import { MERGE_ACTION } from './merges-since.ts'
import { hasPhoto } from '../model/photo-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import {
  CADENCE_FIELDS,
  connectionIdOf,
  isSameValue,
  presentValue,
  tagsIn,
  touchedFields,
  withSnapshot,
  type RecordedCadence,
  type Snapshot,
  type SnapshotPair,
} from '../person/snapshot.ts'
import {
  addTagsOf,
  removeTagsOf,
  formerSpellings,
  respellTags,
  tagsOf,
  type Tag,
} from '../model/tag-store.ts'
import { restoreAttachments } from './restore-attachments.ts'
import { redoCreation, undoCreation } from './undo-creation.ts'
import type { ConnectionKey } from '../model/connection-key.ts'
import type { State } from '../../records/logged-state.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Undoes a change of people: all of it, or nothing if one of them has changed. Reverts also the follow-ups planned with it. */
export const peopleUndoer: Undoer = {
  actions: [
    'connection.add',
    'connection.update',
    'connections.add',
    'connections.update',
    'connections.delete',
    'connections.restore',
    'notes.add',
    MERGE_ACTION,
  ],
  async undo({ tx, now, since }, { before, after }) {
    const [from, to] = [snapshotsIn(after), snapshotsIn(before)]
    // Someone with a follow-up counts as used, so that their creation cannot be undone.
    await FOLLOW_UPS.swap(tx, { was: NO_STATES, is: statesIn(FOLLOW_UPS, after), now })
    await restorePeople(tx, from, to, { now, since })
    await FOLLOW_UPS.swap(tx, { was: statesIn(FOLLOW_UPS, before), is: NO_STATES, now })
    return { connections: (from.length > to.length ? from : to).map(connectionIdOf) }
  },
}

const NO_STATES: ReadonlyMap<string, State> = new Map()

/** The states of the people in an entry. As the features record them, or swapped by an undo. */
function snapshotsIn(entry: object | null): readonly Snapshot[] {
  if (entry === null) return []
  return 'connections' in entry ? (entry as SnapshotPair).connections : [entry as Snapshot]
}

/** Restores people from one state to another. Those with a state on one side only, which come last, were created. */
export async function restorePeople(
  tx: MemberTransaction,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
  { now, since }: { readonly now: number; readonly since: number },
): Promise<void> {
  const both = Math.min(from.length, to.length)
  if (both > 0) await restoreSnapshot(tx, from.slice(0, both), to.slice(0, both), now)
  for (const snapshot of from.slice(both)) await undoCreation(tx, snapshot, since, now)
  for (const snapshot of to.slice(both)) await redoCreation(tx, snapshot, now)
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
  await reverse(tx, reversals, now)
  await restoreAttachments(tx, from, to, now)
  await recordSearchChanges(tx, from.map(connectionIdOf))
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

/** Notes, interactions and other rows are compared by where they moved, sources together with each field. */
const NOT_COMPARED: ReadonlySet<keyof Snapshot> = new Set([
  'notes',
  'moved_rows',
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
    return !NOT_COMPARED.has(field) && !isSameValue(field, value, from[field])
  })
  return changed.length === 0 ? [] : [`${connection_id} (${changed.join(', ')})`]
}

async function reverse(
  tx: MemberTransaction,
  reversals: readonly Reversal[],
  now: number,
): Promise<void> {
  const updates = reversals.map((reversal) => updateOf(reversal, now))
  await updateConnections(tx, updates)
  await dropKeys(tx, updates.flatMap(lostKeys))
  const tagged = reversals.filter(({ touched }) => touched.includes('tags'))
  if (tagged.length > 0) {
    await respellTags(
      tx,
      tagged.flatMap(({ from, to, tags }) =>
        formerSpellings(tags, { from: tagsIn(from), to: tagsIn(to) }),
      ),
    )
    await removeTagsOf(tx, tagged.flatMap(unwantedTags))
    await addTagsOf(tx, tagged.flatMap(wantedTags))
  }
  const cadences = new Map(reversals.flatMap(cadenceAfter))
  if (cadences.size > 0) await storeCadences(tx, cadences)
}

function updateOf(
  { from, to, touched, connection: before }: Reversal,
  now: number,
): ConnectionUpdate {
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
  return { before, after }
}

function lostKeys({ before, after }: ConnectionUpdate): ConnectionKey[] {
  const { connectionId } = after
  const has = new Set(keysOf(after))
  return keysOf(before).flatMap((key) => (has.has(key) ? [] : [{ key, connectionId }]))
}

function cadenceAfter({ to, touched, cadence }: Reversal): [number, OwnCadence][] {
  const fields = touched.filter(isCadenceField)
  if (fields.length === 0) return []
  return [[connectionIdOf(to), ownCadence({ ...cadence, ...fieldsOf(to, fields) })]]
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

function unwantedTags({ to, tags }: Reversal): ConnectionKey[] {
  const wanted = new Set(tagsIn(to).map(({ key }) => key))
  const connectionId = connectionIdOf(to)
  return tags.flatMap(({ key }) => (wanted.has(key) ? [] : [{ key, connectionId }]))
}

function wantedTags({ to }: Reversal) {
  const connectionId = connectionIdOf(to)
  return tagsIn(to).map(({ tag, key }) => ({ tag, key, connectionId }))
}
