/** Deletes connections, and schedules the purge of deleted data. */

import { memberStatement } from '../../db/statement.ts'
import { recordSearchChanges } from './search-changes.ts'
import type { MemberTransaction } from '../../db/database.ts'

interface Deleted {
  /** Null restores them. */
  readonly deletedAt: number | null
  /** Trash shows only those without it. */
  readonly mergedInto?: number | null
}

/** Deletes connections until they are purged, or restores them. */
export async function setDeleted(
  tx: MemberTransaction,
  ids: readonly number[],
  { deletedAt, mergedInto = null }: Deleted,
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(SET_DELETED, { ids, deleted_at: deletedAt, merged_into: mergedInto, now })
  if (deletedAt !== null) await recordDeletion(tx, deletedAt)
  await recordSearchChanges(tx, ids)
}

/** Records that there is something to purge. Call it when deleting a connection, a custom field or a photo, or undoing a note. */
export async function recordDeletion(tx: MemberTransaction, at: number): Promise<void> {
  await tx.run(RECORD_DELETION, { at })
}

const RECORD_DELETION = memberStatement<{ at: number }>()(`
  update networks set oldest_deletion = :at
  where member_id = :member_id and (oldest_deletion is null or oldest_deletion > :at)`)

const SET_DELETED = memberStatement<{
  ids: readonly number[]
  deleted_at: number | null
  merged_into: number | null
  now: number
}>()(`
  update connections
  set deleted_at = :deleted_at, merged_into = :merged_into, version = version + 1, updated_at = :now
  where member_id = :member_id and connection_id in (:ids...bigint)`)
