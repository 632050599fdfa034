/** Admins manage members and invitations. The role gives no access to another member's network. */

import { RequestError } from '../base/request-error.ts'
import { statement } from '../db/statement.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'
import type { MemberRole } from '../http/browser-request.ts'

/** @throws {RequestError} `conflict` when the member is the last admin. */
export async function changeRole(
  tx: SharedTransaction,
  memberId: number,
  role: MemberRole,
): Promise<void> {
  if (role === 'member') await assertNotLastAdmin(tx, memberId)
  await tx.run(SET_ROLE, { id: memberId, role })
}

/**
 * Checks the role again inside the transaction, because it may have changed while the request waited. Locks the admins
 * until the transaction ends.
 *
 * @throws {RequestError} `not_found` when the member is not an active admin, as their pages do.
 */
export async function requireAdmin(tx: SharedTransaction, memberId: number): Promise<void> {
  await tx.run(LOCK_ADMINS, {})
  if (!(await activeAdmins(tx)).includes(memberId))
    throw new RequestError('not_found', 'You are no longer an admin. No changes were made.')
}

/** The IDs of all admins, including disabled ones. */
export async function listAdmins(reader: Reader): Promise<ReadonlySet<number>> {
  return new Set((await reader.all(ADMINS, {})).map((row) => row.member_id))
}

/**
 * Keeps the last admin, because without one only the command line could create another. Locks the admins until the
 * transaction ends, so that two admins who leave at the same time cannot both succeed.
 *
 * @throws {RequestError} `conflict` when the member is the last active admin.
 */
export async function assertNotLastAdmin(tx: SharedTransaction, memberId: number): Promise<void> {
  await tx.run(LOCK_ADMINS, {})
  if (await isLastAdmin(tx, memberId))
    throw new RequestError('conflict', 'This member is the only admin.', {
      hint: 'Promote another member first, on their admin page or with `weft member promote USERNAME`.',
    })
}

/** The name of the admin who joined first, for people who were invited. */
export async function nameOfFirstAdmin(reader: Reader): Promise<string | undefined> {
  return (await reader.get(FIRST_ADMIN, {}))?.name
}

/** Disabled admins do not count. */
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

/** Uses members_by_admin_role, as does the next: every start asks it. */
const ADMINS = statement<object, { member_id: number; disabled_at: number | null }>(
  "select member_id, disabled_at from members where role = 'admin' order by member_id",
)

const FIRST_ADMIN = statement<object, { name: string }>(
  "select name from members where role = 'admin' and disabled_at is null order by joined_at, member_id limit 1",
)

/** A no-op update that locks the rows on every engine, like `for update`. */
const LOCK_ADMINS = statement("update members set role = role where role = 'admin'")
