/**
 * The row lock that orders everything that lets a member in with everything that shuts them out. Whatever starts a
 * session, mints a credential, changes a password or ends access takes this lock first in its transaction.
 */

import { statement } from '../db/statement.ts'
import type { SharedTransaction } from '../db/database.ts'

export interface LockedMember {
  readonly isDisabled: boolean
}

/** Holds the row until the transaction ends; undefined when there is no such member. */
export async function lockMember(
  tx: SharedTransaction,
  memberId: number,
): Promise<LockedMember | undefined> {
  const row = await tx.get(LOCK, { id: memberId })
  return row && { isDisabled: row.disabled_at !== null }
}

/** Changes nothing, but holds the row on either engine. By the primary key. */
const LOCK = statement<{ id: number }, { disabled_at: number | null }>(
  'update members set version = version where member_id = :id returning disabled_at',
)
