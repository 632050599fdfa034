/** Authorization codes: single-use, valid for a minute, and bound to a client, redirect URI and PKCE challenge. */

import { hash } from 'node:crypto'
import { MINUTE } from '../base/clock.ts'
import { hashSecret, isSameSecret, isWellFormedSecret, newSecret } from '../base/secrets.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, statement } from '../db/statement.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

const CODE_PREFIX = 'weft_ac_'

/** RFC 6749 section 4.1.2 recommends at most ten minutes. A browser needs seconds. */
export const AUTHORIZATION_CODE_LIFETIME_MS = MINUTE

export interface AuthorizationCode {
  readonly memberId: number
  readonly grantId: string
  readonly grantedAt: number
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly expiresAt: number
  readonly redeemedAt: number | null
}

export async function issueCode(
  tx: MemberTransaction,
  code: Pick<AuthorizationCode, 'grantId' | 'clientId' | 'redirectUri' | 'codeChallenge'>,
  now: number,
): Promise<string> {
  const secret = newSecret(CODE_PREFIX)
  await insertRow(tx, 'authorization_codes', {
    code_hash: hashSecret(secret),
    grant_id: code.grantId,
    client_id: code.clientId,
    redirect_uri: code.redirectUri,
    code_challenge: code.codeChallenge,
    expires_at: now + AUTHORIZATION_CODE_LIFETIME_MS,
  })
  return secret
}

export async function findCode(
  database: Database,
  code: string,
): Promise<AuthorizationCode | undefined> {
  if (!isWellFormedSecret(CODE_PREFIX, code)) return undefined
  return database.get(BY_HASH, { code_hash: hashSecret(code) })
}

/** Atomic: true only for the first of several concurrent calls. */
export async function redeemCode(
  tx: MemberTransaction,
  code: string,
  now: number,
): Promise<boolean> {
  return (await tx.run(REDEEM, { code_hash: hashSecret(code), now })) > 0
}

/** RFC 7636 section 4.6, method S256. */
export function verifiesChallenge(challenge: string, verifier: string): boolean {
  return isSameSecret(challenge, hash('sha256', verifier, 'base64url'))
}

const COLUMNS = asProperties(
  'c.member_id, c.grant_id, c.client_id, c.redirect_uri, c.code_challenge, c.expires_at, c.redeemed_at',
)

/** Uses the primary key. A redeemed code is kept as long as its grant, because presenting it again suggests theft. */
const BY_HASH = statement<{ code_hash: string }, AuthorizationCode>(`
  select ${COLUMNS}, g.created_at as "grantedAt"
  from authorization_codes c
    join grants g on g.member_id = c.member_id and g.grant_id = c.grant_id
    join members m on m.member_id = c.member_id
  where c.code_hash = :code_hash and m.disabled_at is null`)

const REDEEM = memberStatement<{ code_hash: string; now: number }>()(`
  update authorization_codes set redeemed_at = :now
  where code_hash = :code_hash and member_id = :member_id and redeemed_at is null`)
