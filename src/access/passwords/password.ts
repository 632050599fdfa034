/** Member passwords. Only the hash is stored, and a check takes equally long for accounts that do not exist. */

import { memberStatement } from '../../db/statement.ts'
import { MAX_PASSWORD_LENGTH, normalizePassword } from './password-policy.ts'
import type { Database, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { PasswordHash, PasswordHasher } from './password-hash.ts'

/** Hashes a password. Slow: never call it in a transaction. */
export function hashPassword(hasher: PasswordHasher, password: string): Promise<PasswordHash> {
  return hasher.hash(normalizePassword(password))
}

/** Replaces an existing password. */
export async function setPassword(
  tx: MemberTransaction,
  hash: PasswordHash,
  now: number,
): Promise<void> {
  await tx.run(SET, { hash, now })
}

export interface PasswordCheck {
  readonly database: Database
  readonly hasher: PasswordHasher
}

/**
 * Returns the stored hash if the password matches. A transaction that signs a member in must check `isPasswordHash`,
 * because the password may change meanwhile. Does the same work without a member or a password. Renews hashes with
 * outdated costs.
 */
export async function verifyPassword(
  check: PasswordCheck,
  memberId: number | undefined,
  password: string,
): Promise<PasswordHash | undefined> {
  const { database, hasher } = check
  const member = database.member(memberId ?? NO_MEMBER)
  const stored = (await member.get(HASH, {}))?.hash
  const normalized = normalizePassword(password)
  // Longer ones only take the usual time.
  const comparable = normalized.length <= 2 * MAX_PASSWORD_LENGTH ? normalized : ''
  const matches = await hasher.matches(comparable, stored ?? hasher.dummy)
  if (!matches || stored === undefined) return undefined
  if (!hasher.isOutdated(stored)) return stored
  const hash = await hasher.hash(normalized)
  const renewed = await member.write((tx) => tx.run(RENEW, { before: stored, hash }))
  // The hash was replaced meanwhile.
  return renewed > 0 ? hash : verifyPassword(check, memberId, password)
}

/** True if the hash is still current. Locks it until the transaction ends. */
export async function isPasswordHash(tx: MemberTransaction, hash: PasswordHash): Promise<boolean> {
  return (await tx.run(HOLD, { hash })) > 0
}

/** False for members with only a passkey or an identity provider. */
export async function hasPassword(reader: MemberReader): Promise<boolean> {
  return (await reader.get(HASH, {})) !== undefined
}

/** Returns false if the member had none. */
export async function removePassword(tx: MemberTransaction): Promise<boolean> {
  return (await tx.run(REMOVE, {})) > 0
}

/** An ID that no member has. */
const NO_MEMBER = -1

/** By the primary key. */
const HASH = memberStatement<object, { hash: PasswordHash }>()(
  'select hash from passwords where member_id = :member_id',
)

const SET = memberStatement<{ hash: PasswordHash; now: number }>()(`
  insert into passwords (member_id, hash, changed_at) values (:member_id, :hash, :now)
  on conflict (member_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`)

/** Only if the password did not change. `changed_at` stays, because the password is the same. */
const RENEW = memberStatement<{ before: PasswordHash; hash: PasswordHash }>()(`
  update passwords set hash = :hash where member_id = :member_id and hash = :before`)

/** A no-op that locks the row. */
const HOLD = memberStatement<{ hash: PasswordHash }>()(
  'update passwords set hash = hash where member_id = :member_id and hash = :hash',
)

const REMOVE = memberStatement()('delete from passwords where member_id = :member_id')
