/** Removes the notes of an undone change, and restores them. */

import { memberStatement } from '../../db/statement.ts'
import { UNDONE } from '../model/connection.ts'
import { recordDeletion } from '../model/record-deletion.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Note } from '../notes/notes.ts'

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

const ATTACH_NOTES = memberStatement<{
  ids: readonly number[]
  connection_id: number
  deleted_at: number | null
}>()(`
  update notes set connection_id = :connection_id, deleted_at = :deleted_at
  where member_id = :member_id and note_id in (:ids...bigint)`)
