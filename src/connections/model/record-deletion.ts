/** Schedules the purge of deleted data. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** Records that there is something to purge. Call it when deleting a connection, a custom field or a photo, or undoing a note. */
export async function recordDeletion(tx: MemberTransaction, at: number): Promise<void> {
  await tx.run(RECORD_DELETION, { at })
}

const RECORD_DELETION = memberStatement<{ at: number }>()(`
  update networks set oldest_deletion = :at
  where member_id = :member_id and (oldest_deletion is null or oldest_deletion > :at)`)
