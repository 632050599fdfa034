/**
 * The row locks of a member. Every transaction takes them in this order: the rows of networks, lower numbers first, and then
 * the rows of members. A transaction of one member starts with the lock of its network.
 */

import { memberStatement, statement } from '../db/statement.ts'
import type { MemberTransaction, Transaction } from '../db/database.ts'

interface LockedMember {
  readonly isDisabled: boolean
}

/**
 * Serializes signing a member in with revoking their access: everything that starts a session, creates a credential,
 * changes a password or ends access acquires this lock first in its transaction. Undefined if the member does not exist.
 */
export async function lockMember(tx: MemberTransaction): Promise<LockedMember | undefined> {
  await tx.run(LOCK_NETWORK, {})
  const row = await tx.shared.get(LOCK, { id: tx.memberId })
  return row && { isDisabled: row.disabled_at !== null }
}

/** Locks the networks that a transaction changes beside the rows of members. */
export async function lockNetworks(tx: Transaction, memberIds: readonly number[]): Promise<void> {
  for (const memberId of memberIds.toSorted((one, other) => one - other))
    await tx.member(memberId).run(LOCK_NETWORK, {})
}

/** A no-op that locks the row on every engine, like `for update`. By the primary key. */
export const LOCK_NETWORK = memberStatement()(
  'update networks set keyed_day = keyed_day where member_id = :member_id',
)

/** As `LOCK_NETWORK`. */
const LOCK = statement<{ id: number }, { disabled_at: number | null }>(
  'update members set version = version where member_id = :id returning disabled_at',
)
