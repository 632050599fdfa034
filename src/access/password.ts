/** A member's password: only its hash is stored, and checking one takes as long for accounts that do not exist. */

import { memberStatement } from '../db/statement.ts'
import { DUMMY_HASH, isOutdated, type PasswordHash, type PasswordHasher } from './password-hash.ts'
import { MAX_PASSWORD_LENGTH, normalizePassword } from './password-policy.ts'
import type { Database, MemberReader, MemberTransaction } from '../db/database.ts'

/** What to store of a password. It takes a while: never within a transaction. */
export function hashPassword(hasher: PasswordHasher, password: string): Promise<PasswordHash> {
  return hasher.hash(normalizePassword(password))
}

/** In place of any the member had. */
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

/** Whether it is this member's password; see `verifyPassword`. */
export async function checkPassword(
  check: PasswordCheck,
  memberId: number | undefined,
  password: string,
): Promise<boolean> {
  return (await verifyPassword(check, memberId, password)) !== undefined
}

/**
 * The stored hash that the password matches; undefined when it is wrong. Hashing takes a while, and the password can be
 * changed meanwhile: a transaction that lets someone in for it asks `isPasswordHash` first.
 *
 * The work is the same for no member (undefined) and for a member without a password, so that the time it takes reveals
 * nothing. A hash of an older cost is replaced.
 */
export async function verifyPassword(
  check: PasswordCheck,
  memberId: number | undefined,
  password: string,
): Promise<PasswordHash | undefined> {
  const { database, hasher } = check
  const member = database.member(memberId ?? NOBODY)
  const stored = (await member.get(HASH, {}))?.hash
  const normalized = normalizePassword(password)
  // No password is this long: what it is compared with does not matter, only that it takes its time.
  const comparable = normalized.length <= 2 * MAX_PASSWORD_LENGTH ? normalized : ''
  const matches = await hasher.matches(comparable, stored ?? DUMMY_HASH)
  if (!matches || stored === undefined) return undefined
  if (!isOutdated(stored)) return stored
  const hash = await hasher.hash(normalized)
  const renewed = await member.write((tx) => tx.run(RENEW, { before: stored, hash }))
  // Another sign-in renewed it first, or it was changed.
  return renewed > 0 ? hash : verifyPassword(check, memberId, password)
}

/** Whether the member's password is still the one that was verified. It cannot change until the transaction ends. */
export async function isPasswordHash(tx: MemberTransaction, hash: PasswordHash): Promise<boolean> {
  return (await tx.run(HOLD, { hash })) > 0
}

export async function hasPassword(reader: MemberReader): Promise<boolean> {
  return (await reader.get(HASH, {})) !== undefined
}

/** False when the member had none. */
export async function removePassword(tx: MemberTransaction): Promise<boolean> {
  return (await tx.run(REMOVE, {})) > 0
}

/** An id that no member has. */
const NOBODY = -1

/** By the primary key. */
const HASH = memberStatement<object, { hash: PasswordHash }>()(
  'select hash from passwords where member_id = :member_id',
)

const SET = memberStatement<{ hash: PasswordHash; now: number }>()(`
  insert into passwords (member_id, hash, changed_at) values (:member_id, :hash, :now)
  on conflict (member_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`)

/** Unless another password was set meanwhile. `changed_at` stays: it is the same password. */
const RENEW = memberStatement<{ before: PasswordHash; hash: PasswordHash }>()(`
  update passwords set hash = :hash where member_id = :member_id and hash = :before`)

/** Changes nothing, but holds the row. */
const HOLD = memberStatement<{ hash: PasswordHash }>()(
  'update passwords set hash = hash where member_id = :member_id and hash = :hash',
)

const REMOVE = memberStatement()('delete from passwords where member_id = :member_id')
