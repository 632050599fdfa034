/** Passkey challenges: random, single-use, valid for five minutes, for one purpose and one browser. */

import { randomBytes } from 'node:crypto'
import { MINUTE } from '../base/clock.ts'
import { sessionPart } from '../http/form-guard.ts'
import { hashSecret } from '../base/secrets.ts'
import { insertRow } from '../db/insert-row.ts'
import { statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { Transaction } from '../db/database.ts'

/** What a confirmation allows, once. */
export type ConfirmedAction = 'connect_app' | 'create_token' | 'export_data' | 'delete_account'

/** A confirmed action is not a passkey challenge but a confirmation: see `reauthentication.ts`. */
type ChallengePurpose = 'sign_in' | 'add' | 'confirm' | ConfirmedAction

export interface ChallengeScope {
  readonly purpose: ChallengePurpose
  /** Identifies the browser: its CSRF token, which changes when a member signs in or out. */
  readonly formToken: string
}

const LIFETIME = 5 * MINUTE
const RANDOM_BYTES = 32

/** Base64url. `carried` is returned when the challenge is used; clients cannot forge it. */
export async function createChallenge(
  tx: Transaction,
  { purpose, formToken }: ChallengeScope,
  now: number,
  carried: Uint8Array = new Uint8Array(),
): Promise<string> {
  const challenge = Buffer.concat([randomBytes(RANDOM_BYTES), carried]).toString('base64url')
  await insertRow(tx, 'passkey_challenges', {
    challenge_hash: hashSecret(challenge),
    purpose,
    bound_to: hashSecret(sessionPart(formToken)),
    expires_at: now + LIFETIME,
  })
  return challenge
}

/** Consumes it. Returns false if it is unknown, used or expired. */
export async function takeChallenge(
  tx: Transaction,
  challenge: string,
  { purpose, formToken }: ChallengeScope,
  now: number,
): Promise<boolean> {
  const sought = {
    challenge_hash: hashSecret(challenge),
    purpose,
    bound_to: hashSecret(sessionPart(formToken)),
    now,
  }
  return (await tx.run(TAKE, sought)) > 0
}

/** What `createChallenge` carried. */
export function challengeBytes(challenge: string): Buffer {
  return Buffer.from(challenge, 'base64url').subarray(RANDOM_BYTES)
}

/** By the primary key. */
const TAKE = statement<{
  challenge_hash: string
  purpose: ChallengePurpose
  bound_to: string
  now: number
}>(`
  delete from passkey_challenges
  where challenge_hash = :challenge_hash and purpose = :purpose and bound_to = :bound_to and expires_at > :now`)

/** Deletes expired challenges. By passkey_challenges_by_expiry. */
export const sweepChallenges = sweepOf('passkey_challenges', 'challenge_hash', 'expires_at')
