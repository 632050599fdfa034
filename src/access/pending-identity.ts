/**
 * An identity provider account that is waiting for confirmation of the member to link it to. The browser holds a secret
 * in a form, the database its hash.
 */

import { sweepOf } from '../db/sweep-batch.ts'
import { MINUTE } from '../base/clock.ts'
import { hashSecret, newSecret } from '../base/secrets.ts'
import { insertRow } from '../db/insert-row.ts'
import { statement } from '../db/statement.ts'
import type { Reader, Transaction } from '../db/database.ts'
import type { Identity } from './provider-identity.ts'

export interface PendingIdentity extends Identity {
  readonly memberId: number
}

/** Identifies a pending identity, and its browser by the CSRF token. */
export interface PendingKey {
  readonly secret: string
  readonly formToken: string
}

const PREFIX = 'weft_idl_'
/** Enough time for the member to find their password. Milliseconds. */
const LIFETIME = 15 * MINUTE

/** The secret that identifies it. */
export async function addPendingIdentity(
  tx: Transaction,
  { memberId, issuer, subject }: PendingIdentity,
  formToken: string,
  now: number,
): Promise<string> {
  const secret = newSecret(PREFIX)
  await insertRow(tx, 'pending_identities', {
    secret_hash: hashSecret(secret),
    bound_to: hashSecret(formToken),
    issuer,
    subject,
    member_id: memberId,
    expires_at: now + LIFETIME,
  })
  return secret
}

/** Undefined if it was used, has expired, or belongs to another browser. */
export async function findPendingIdentity(
  reader: Reader,
  key: PendingKey,
  now: number,
): Promise<PendingIdentity | undefined> {
  const row = await reader.get(FIND, paramsOf(key, now))
  return row && { memberId: row.member_id, issuer: row.issuer, subject: row.subject }
}

/** Consumes it. Returns false if `findPendingIdentity` would not find it. */
export async function takePendingIdentity(
  tx: Transaction,
  key: PendingKey,
  now: number,
): Promise<boolean> {
  return (await tx.run(TAKE, paramsOf(key, now))) > 0
}

interface PendingKeyParams {
  readonly secret_hash: string
  readonly bound_to: string
  readonly now: number
}

function paramsOf({ secret, formToken }: PendingKey, now: number): PendingKeyParams {
  return { secret_hash: hashSecret(secret), bound_to: hashSecret(formToken), now }
}

/** By the primary key, like the next statement. */
const FIND = statement<PendingKeyParams, { issuer: string; subject: string; member_id: number }>(`
  select issuer, subject, member_id from pending_identities
  where secret_hash = :secret_hash and bound_to = :bound_to and expires_at > :now`)

const TAKE = statement<PendingKeyParams>(`
  delete from pending_identities
  where secret_hash = :secret_hash and bound_to = :bound_to and expires_at > :now`)

/** Deletes expired rows. By pending_identities_by_expiry. */
export const sweepPendingIdentities = sweepOf('pending_identities', 'secret_hash', 'expires_at')
