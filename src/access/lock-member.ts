/**
 * The row lock that serializes signing a member in with revoking their access. Everything that starts a session, creates
 * a credential, changes a password or ends access acquires this lock first in its transaction.
 */

import { statement } from '../db/statement.ts'
import type { SharedTransaction } from '../db/database.ts'

interface LockedMember {
  readonly isDisabled: boolean
}

/** Locks the row until the transaction ends. Undefined if the member does not exist. */
export async function lockMember(
  tx: SharedTransaction,
  memberId: number,
): Promise<LockedMember | undefined> {
  const row = await tx.get(LOCK, { id: memberId })
  return row && { isDisabled: row.disabled_at !== null }
}

/** A no-op that locks the row on every engine. By the primary key. */
const LOCK = statement<{ id: number }, { disabled_at: number | null }>(
  'update members set version = version where member_id = :id returning disabled_at',
)
