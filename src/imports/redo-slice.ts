/** Redoes the changes of an import to some connections that were undone, with a few statements for all of them. */

import { recordDifferentPairs } from '../connections/matching/match-reviews.ts'
import { restoreFollowUps } from '../connections/follow-ups/imported-follow-ups.ts'
import { UNDONE, publicConnectionId, type Connection } from '../connections/model/connection.ts'
import { updateConnectionRows } from '../connections/model/connection-store.ts'
import { addKeys } from '../connections/model/key-store.ts'
import type { ImportedChange } from '../connections/imported-changes/imported-change.ts'
import type { ConnectionKey } from '../connections/model/connection-key.ts'
import { recordKeyChanges, recordSearchChanges } from '../connections/model/search-changes.ts'
import { isSame } from '../connections/model/snapshot.ts'
import { addTagsOf } from '../connections/model/tag-store.ts'
import { clearUndone, findSuccessors } from '../connections/model/undone.ts'
import { restoreNotesOf } from '../connections/model/undo-notes.ts'
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
  fieldValue,
  withFieldsOf,
  withStoredPhotos,
  type Effect,
  type Reversal,
  type Slice,
} from './import-reversal.ts'
import type { MemberTransaction } from '../db/database.ts'

/** Returns the skipped connections with reasons. */
export async function redoSlice(tx: MemberTransaction, slice: Slice): Promise<string[]> {
  const skipped = await recreate(tx, slice)
  const redone: Effect[] = slice.effects.filter(({ change }) => !change)
  const changed: Reversal[] = []
  const keys: ConnectionKey[] = []
  for (const effect of slice.effects) {
    const { connection, change } = effect
    if (!change) continue
    const { connectionId } = connection
    const { connection: original, undone, ...added } = change
    if (original && !undone) continue // skipped by the undo, or redone
    const since = original && changeSince(connection, original.importJobId)
    if (since !== undefined) {
      skipped.push(`${publicConnectionId(connectionId)} ${since}`)
      continue
    }
    redone.push(effect)
    keys.push(...added.added_keys.map((key) => ({ key, connectionId })))
    if (original && undone)
      changed.push(redoneFrom(connection, undone, { ...added, connection: original }, slice))
  }
  const pairs = decidedPairs(redone)
  if (pairs.length > 0) await recordDifferentPairs(tx, pairs, slice.now)
  await addKeys(tx, keys)
  await recordKeyChanges(tx, keys.map(connectionOfKey))
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
  slice: Slice,
): Reversal {
  const fields = fieldsOf(present, undone).filter(
    (field) =>
      !isOwnValue(present, field, change, slice) &&
      isSame(fieldValue(present, field), fieldValue(change.connection, field)),
  )
  return { before: present, after: withFieldsOf(present, undone, fields, slice.now), change }
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
  await recordSearchChanges(tx, changed.map(revertedId))
}
