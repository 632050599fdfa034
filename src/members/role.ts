/** Who runs the service: admins let people in and shut them out. A role opens nobody's network to anybody. */

import { RequestError } from '../base/request-error.ts'
import { statement } from '../db/statement.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'
import type { MemberRole } from '../http/browser-request.ts'

/** Refuses (`conflict`) to take the role from the last admin. */
export async function changeRole(
  tx: SharedTransaction,
  memberId: number,
  role: MemberRole,
): Promise<void> {
  if (role === 'member') await assertNotLastAdmin(tx, memberId)
  await tx.run(SET_ROLE, { id: memberId, role })
}

/**
 * Refuses (`not_found`, as their pages do) whoever is no admin any more: a request may have waited for its body, or
 * for a turn. Admins stay what they are until this transaction has ended.
 */
export async function requireAdmin(tx: SharedTransaction, memberId: number): Promise<void> {
  await tx.run(LOCK_ADMINS, {})
  if (!(await activeAdmins(tx)).includes(memberId))
    throw new RequestError('not_found', 'You are an admin no more. Nothing was done.')
}

/** Members who are admins, disabled ones too. */
export async function listAdmins(reader: Reader): Promise<ReadonlySet<number>> {
  return new Set((await reader.all(ADMINS, {})).map((row) => row.member_id))
}

/**
 * Without an admin nobody could let people in by the pages; only whoever has the command line could make another.
 * So the last one stays until there is another. Whoever else would change an admin waits until this transaction has
 * ended: of two who leave at the same moment, one stays.
 */
export async function assertNotLastAdmin(tx: SharedTransaction, memberId: number): Promise<void> {
  await tx.run(LOCK_ADMINS, {})
  if (await isLastAdmin(tx, memberId))
    throw new RequestError('conflict', 'This is the only admin there is.', {
      hint: 'Make somebody else one first: on the page of a member, or by weft member promote USERNAME.',
    })
}

export async function isLastAdmin(reader: Pick<Reader, 'all'>, memberId: number): Promise<boolean> {
  const active = await activeAdmins(reader)
  return active.length === 1 && active[0] === memberId
}

async function activeAdmins(reader: Pick<Reader, 'all'>): Promise<number[]> {
  const rows = await reader.all(ADMINS, {})
  return rows.filter((row) => row.disabled_at === null).map((row) => row.member_id)
}

const SET_ROLE = statement<{ id: number; role: MemberRole }>(
  'update members set role = :role where member_id = :id',
)

/** A walk over all members, as the next: rare enough to need no index. */
const ADMINS = statement<object, { member_id: number; disabled_at: number | null }>(
  "select member_id, disabled_at from members where role = 'admin' order by member_id",
)

/** Changes nothing, but holds the rows: every engine's `for update`. */
const LOCK_ADMINS = statement("update members set role = role where role = 'admin'")
