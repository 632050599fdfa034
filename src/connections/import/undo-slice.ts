/** Undoes and redoes the changes of an import to some connections, with a few statements for all of them. */

import {
  LIST_FIELDS,
  TEXT_FIELDS,
  UNDONE,
  publicConnectionId,
  type Connection,
  type ListField,
  type TextField,
} from '../model/connection.ts'
import { removeUnchanged, restoreFollowUps } from '../follow-ups/imported-follow-ups.ts'
import { detailFieldsOf, detailOf, withDetails, type DetailField } from '../model/details.ts'
import { keysOf } from '../model/match-keys.ts'
import { isSame } from '../model/snapshot.ts'
import { addKeys, dropKeys, type ConnectionKey } from '../model/key-store.ts'
import { addTagsOf, removeTagsOf, tagOf } from '../model/tag-store.ts'
import { updateConnectionRows } from '../model/connection-store.ts'
import {
  clearUndone,
  findSuccessors,
  markUndone,
  removeNotes,
  restoreNotesOf,
} from '../model/undo-connections.ts'
import { withStoredPhoto } from '../model/photo-store.ts'
import { recordKeyChanges, recordSearchChanges } from '../model/search-changes.ts'
import { replaceImportedChanges, type ImportedChange } from './import-changes.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { StoredFollowUp } from '../follow-ups/follow-ups.ts'

/** Some of the changes of an import. */
interface Slice {
  readonly jobId: number
  readonly effects: readonly Effect[]
  /** IDs of connections that others were merged into since. */
  readonly merged: ReadonlySet<number>
  readonly now: number
}

/** The change of an import to a connection that still exists or can be restored. */
export interface Effect {
  readonly connection: Connection
  /** Undefined when the import created the connection. */
  readonly change: ImportedChange | undefined
  /** Whether it has a typed note, or a follow-up that the member planned or changed. */
  readonly hasTypedContent: boolean
}

/** A connection that is reverted. */
interface Reversal {
  readonly before: Connection
  readonly after: Connection
  readonly change: ImportedChange
}

/** Returns the skipped connections with reasons. */
export async function undoSlice(tx: MemberTransaction, slice: Slice): Promise<string[]> {
  const created: number[] = []
  const changed: Reversal[] = []
  const keys: ConnectionKey[] = []
  const skipped: string[] = []
  for (const effect of slice.effects) {
    const { connection, change } = effect
    const { connectionId } = connection
    if (change && !change.connection) {
      keys.push(...change.added_keys.map((key) => ({ key, connectionId })))
      continue
    }
    // A connection that the member deleted stays deleted, so that later imports skip it.
    if (!change && connection.deletedAt !== null) continue
    if (isUndone(effect)) continue
    const since = changeSince(connection, slice.jobId) ?? useSince(slice, effect)
    if (since !== undefined) skipped.push(`${publicConnectionId(connectionId)} ${since}`)
    else if (change?.connection)
      changed.push(undoneFrom(connection, change.connection, change, slice))
    else created.push(connectionId)
  }
  await dropKeys(tx, keys)
  await recordKeyChanges(tx, keys.map(idOfKey))
  await markUndone(tx, created, slice.now)
  await saveUndone(tx, slice, await withStoredPhotos(tx, changed))
  return skipped
}

/** Whether an interrupted or concurrent undo has already processed this connection. */
function isUndone({ connection, change }: Effect): boolean {
  return (
    change?.undone !== undefined &&
    connection.deletedAt === null &&
    connection.importJobId === change.connection?.importJobId
  )
}

function changeSince(
  { deletedAt, importJobId }: Connection,
  expectedJobId: number | null,
): string | undefined {
  if (deletedAt !== null) return 'was deleted'
  return importJobId === expectedJobId ? undefined : 'was changed by a later import'
}

/** The use of a connection since the import, if it prevents the undo. Edits only count for created connections. */
function useSince({ merged }: Slice, effect: Effect): string | undefined {
  const { connection, change, hasTypedContent } = effect
  if (merged.has(connection.connectionId)) return 'has had other connections merged into it'
  if (change) return undefined
  if (Object.values(connection.fieldSources).includes('typed')) return 'was edited manually'
  return hasTypedContent ? 'has a new note or follow-up' : undefined
}

/** The fields that an import may have changed. */
function fieldsOf(one: Connection, other: Connection): UndoneField[] {
  return [...TEXT_FIELDS, ...LIST_FIELDS, ...detailFieldsOf(one.details, other.details)]
}

type UndoneField = TextField | ListField | DetailField

function valueOf(connection: Connection, field: UndoneField): unknown {
  return isMainField(field) ? connection[field] : detailOf(connection.details, field)
}

function isMainField(field: UndoneField): field is TextField | ListField {
  return MAIN_FIELDS.has(field)
}

const MAIN_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, ...LIST_FIELDS])

/** Typed fields are kept: imports never change them, so they were typed before the import or after it. */
function undoneFrom(
  present: Connection,
  original: Connection,
  change: ImportedChange,
  { now }: Slice,
): Reversal {
  const fields = fieldsOf(present, original).filter(
    (field) => present.fieldSources[field] !== 'typed',
  )
  return { before: present, after: withFieldsOf(present, original, fields, now), change }
}

async function saveUndone(
  tx: MemberTransaction,
  { jobId, now }: Slice,
  changed: readonly Reversal[],
): Promise<void> {
  await updateConnectionRows(tx, changed)
  await dropKeys(
    tx,
    changed.flatMap(({ after, change: { added_keys } }) => {
      const { connectionId } = after
      const kept = new Set(keysOf(after))
      const lost = added_keys.filter((key) => !kept.has(key))
      return lost.map((key) => ({ key, connectionId }))
    }),
  )
  await addKeys(tx, changed.flatMap(connectionKeysOf))
  await removeTagsOf(tx, changed.flatMap(importedTagsOf))
  await removeNotes(
    tx,
    changed.flatMap(({ change }) => change.added_notes),
    now,
  )
  await removeUnchanged(tx, changed.flatMap(followUpsIn))
  await replaceImportedChanges(
    tx,
    jobId,
    changed.map(({ before, change }) => [before.connectionId, { ...change, undone: before }]),
  )
  await recordSearchChanges(tx, changed.map(idOf))
}

/** Without photos that were purged since. */
function withStoredPhotos(
  tx: MemberTransaction,
  reversals: readonly Reversal[],
): Promise<Reversal[]> {
  return Promise.all(
    reversals.map(async (one) => ({
      ...one,
      after: await withStoredPhoto(tx, one.after, one.before),
    })),
  )
}

function followUpsIn({ change: { added_follow_ups = [] } }: Reversal): readonly StoredFollowUp[] {
  return added_follow_ups
}

function idOf({ after }: Reversal): number {
  return after.connectionId
}

function idOfKey({ connectionId }: ConnectionKey): number {
  return connectionId
}

function connectionKeysOf({ after }: Reversal): ConnectionKey[] {
  const { connectionId } = after
  return keysOf(after).map((key) => ({ key, connectionId }))
}

/** The tags that the import added, unless the member has edited the tags. */
function importedTagsOf({ before: { connectionId, fieldSources }, change }: Reversal) {
  if (fieldSources.tags === 'typed') return []
  return change.added_tags.map((tag) => ({ ...tagOf(tag), connectionId }))
}

function withFieldsOf(
  present: Connection,
  other: Connection,
  fields: readonly UndoneField[],
  now: number,
): Connection {
  const values: Record<string, unknown> = {}
  const fieldSources = { ...present.fieldSources }
  for (const field of fields) {
    if (isMainField(field)) values[field] = other[field]
    const source = other.fieldSources[field]
    if (source) fieldSources[field] = source
    else delete fieldSources[field]
  }
  const { importJobId } = other
  const version = present.version + 1
  const details = withDetails(
    present.details,
    fields.flatMap((field) =>
      isMainField(field) ? [] : [[field, detailOf(other.details, field)] as const],
    ),
  )
  return { ...present, ...values, details, fieldSources, importJobId, version, updatedAt: now }
}

/** Returns the skipped connections with reasons. */
export async function redoSlice(tx: MemberTransaction, slice: Slice): Promise<string[]> {
  const skipped = await recreate(tx, slice)
  const changed: Reversal[] = []
  const keys: ConnectionKey[] = []
  for (const { connection, change } of slice.effects) {
    if (!change) continue
    const { connectionId } = connection
    const { connection: original, undone, ...added } = change
    if (original && !undone) continue // skipped by the undo, or redone
    const since = original && changeSince(connection, original.importJobId)
    if (since !== undefined) {
      skipped.push(`${publicConnectionId(connectionId)} ${since}`)
      continue
    }
    keys.push(...added.added_keys.map((key) => ({ key, connectionId })))
    if (original && undone)
      changed.push(redoneFrom(connection, undone, { ...added, connection: original }, slice))
  }
  await addKeys(tx, keys)
  await recordKeyChanges(tx, keys.map(idOfKey))
  await saveRedone(tx, slice, await withStoredPhotos(tx, changed))
  return skipped
}

/** Restores connections that the import created, unless the same people were added again in the meantime. */
async function recreate(tx: MemberTransaction, { effects, now }: Slice): Promise<string[]> {
  const undone = effects.flatMap(({ connection, change }) =>
    !change && connection.mergedInto === UNDONE ? [connection] : [],
  )
  const successors = await findSuccessors(tx, undone)
  const wanted = undone.filter(({ connectionId }) => !successors.has(connectionId))
  await clearUndone(tx, wanted, now)
  return [...successors].map(
    ([id, successor]) =>
      `${publicConnectionId(id)} was added again as ${publicConnectionId(successor)}`,
  )
}

/** Fields that have another value since the undo are kept. */
function redoneFrom(
  present: Connection,
  undone: Connection,
  change: ImportedChange & { readonly connection: Connection },
  { now }: Slice,
): Reversal {
  const fields = fieldsOf(present, undone).filter(
    (field) =>
      present.fieldSources[field] !== 'typed' &&
      isSame(valueOf(present, field), valueOf(change.connection, field)),
  )
  return { before: present, after: withFieldsOf(present, undone, fields, now), change }
}

async function saveRedone(
  tx: MemberTransaction,
  { jobId }: Slice,
  changed: readonly Reversal[],
): Promise<void> {
  await updateConnectionRows(tx, changed)
  await addKeys(tx, changed.flatMap(connectionKeysOf))
  await addTagsOf(tx, changed.flatMap(importedTagsOf))
  await restoreNotesOf(
    tx,
    changed.flatMap(({ after: { connectionId }, change }) =>
      change.added_notes.map((noteId) => ({ noteId, connectionId })),
    ),
  )
  await restoreFollowUps(tx, changed.flatMap(followUpsIn))
  await replaceImportedChanges(
    tx,
    jobId,
    changed.map(({ after, change }) => [after.connectionId, change]),
  )
  await recordSearchChanges(tx, changed.map(idOf))
}
