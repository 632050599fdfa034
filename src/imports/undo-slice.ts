/** Undoes the changes of an import to some connections, with a few statements for all of them. */

import { removeUnchanged } from '../connections/follow-ups/imported-follow-ups.ts'
import { deleteDecisions } from '../connections/matching/match-reviews.ts'
import {
  publicConnectionId,
  type Connection,
  type SourcedField,
} from '../connections/model/connection.ts'
import { isTypedSince } from './merging/contact-origin.ts'
import { updateConnectionRows } from '../connections/model/connection-store.ts'
import { addKeys, dropKeys } from '../connections/model/key-store.ts'
import type { ImportedChange } from '../connections/imported-changes/imported-change.ts'
import type { ConnectionKey } from '../connections/model/connection-key.ts'
import { keysOf } from '../connections/model/match-keys.ts'
import { recordKeyChanges, recordSearchChanges } from '../connections/model/search-changes.ts'
import { removeTagsOf } from '../connections/model/tag-store.ts'
import { markUndone } from '../connections/model/undone.ts'
import { removeNotes } from '../connections/model/undo-notes.ts'
import { replaceImportedChanges } from '../connections/imported-changes/import-changes.ts'
import {
  changeSince,
  connectionKeysOf,
  decidedPairs,
  fieldsOf,
  followUpsIn,
  revertedId,
  connectionOfKey,
  importedTagsOf,
  isOwnValue,
  withFieldsOf,
  withStoredPhotos,
  type Effect,
  type Reversal,
  type Slice,
} from './import-reversal.ts'
import type { MemberTransaction } from '../db/database.ts'

/** Returns the skipped connections with reasons. */
export async function undoSlice(tx: MemberTransaction, slice: Slice): Promise<string[]> {
  const created: number[] = []
  const changed: Reversal[] = []
  const keys: ConnectionKey[] = []
  const skipped: string[] = []
  const undone: Effect[] = []
  for (const effect of slice.effects) {
    const { connection, change } = effect
    const { connectionId } = connection
    if (change && !change.connection) {
      keys.push(...change.added_keys.map((key) => ({ key, connectionId })))
      undone.push(effect)
      continue
    }
    // A connection that the member deleted stays deleted, so that later imports skip it.
    if (!change && connection.deletedAt !== null) continue
    if (isUndone(effect)) continue
    const since = changeSince(connection, slice.jobId) ?? useSince(slice, effect)
    if (since === undefined) undone.push(effect)
    if (since !== undefined) skipped.push(`${publicConnectionId(connectionId)} ${since}`)
    else if (change?.connection)
      changed.push(undoneFrom(connection, change.connection, change, slice))
    else created.push(connectionId)
  }
  const pairs = decidedPairs(undone)
  if (pairs.length > 0) await deleteDecisions(tx, pairs)
  await dropKeys(tx, keys)
  await recordKeyChanges(tx, keys.map(connectionOfKey))
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

/** The use of a connection since the import, if it prevents the undo. Edits only count for created connections. */
function useSince({ merged, startedAt }: Slice, effect: Effect): string | undefined {
  const { connection, change, hasTypedContent } = effect
  if (merged.has(connection.connectionId)) return 'has had other connections merged into it'
  if (change) return undefined
  if (wasEdited(connection, startedAt)) return 'was edited manually'
  return hasTypedContent ? 'has a new note or follow-up' : undefined
}

function wasEdited(connection: Connection, startedAt: number): boolean {
  const fields = Object.keys(connection.fieldSources) as SourcedField[]
  return fields.some((field) => isTypedSince(connection, field, startedAt))
}

/** Typed fields are kept. */
function undoneFrom(
  present: Connection,
  original: Connection,
  change: ImportedChange,
  slice: Slice,
): Reversal {
  const fields = fieldsOf(present, original).filter(
    (field) => !isOwnValue(present, field, change, slice),
  )
  return { before: present, after: withFieldsOf(present, original, fields, slice.now), change }
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
  await recordSearchChanges(tx, changed.map(revertedId))
}
