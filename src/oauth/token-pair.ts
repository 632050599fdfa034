/** Token pairs: an access token that lives for an hour, and a single-use refresh token. */

import { ACCESS_TOKEN_PREFIX } from '../access/access-token.ts'
import { DAY, HOUR } from '../base/clock.ts'
import { seal, unseal, type SealKey } from '../base/seal.ts'
import { hashSecret, isWellFormedSecret, newSecret } from '../base/secrets.ts'
import { updateRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, statement } from '../db/statement.ts'
import { SWEEP_BATCH, sweepOf } from '../db/sweep-batch.ts'
import { GRANT_LIFETIME_MS } from './grant.ts'
import type { Database, MemberTransaction, Transaction } from '../db/database.ts'

const REFRESH_TOKEN_PREFIX = 'weft_rt_'

export const ACCESS_TOKEN_LIFETIME_MS = HOUR
/** An unused refresh token expires after this time. */
const REFRESH_TOKEN_IDLE_LIFETIME_MS = 60 * DAY
/**
 * How many used refresh tokens a grant keeps to detect reuse. At one refresh per hour this covers 83 days, which is
 * longer than a token lives. Only a client that refreshes in a loop reaches it.
 */
const MAX_USED_REFRESH_TOKENS = 2000

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly issuedAt: number
}

export interface RefreshToken {
  readonly memberId: number
  readonly grantId: string
  readonly clientId: string
  readonly grantedAt: number
  /** The end that the member set for the agent, if that is earlier. */
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly successor: string | null
}

interface TokenOwner {
  readonly grantId: string
  /** When the grant was created, which limits the lifetime of its tokens. */
  readonly grantedAt: number
}

export interface TokenGrant {
  readonly memberId: number
  readonly grantId: string
  readonly clientId: string
}

export async function issueTokens(
  tx: MemberTransaction,
  { grantId, grantedAt }: TokenOwner,
  now: number,
): Promise<TokenPair> {
  const pair: TokenPair = {
    accessToken: newSecret(ACCESS_TOKEN_PREFIX),
    refreshToken: newSecret(REFRESH_TOKEN_PREFIX),
    issuedAt: now,
  }
  const end = grantedAt + GRANT_LIFETIME_MS
  await insertRow(tx, 'access_tokens', {
    token_hash: hashSecret(pair.accessToken),
    grant_id: grantId,
    created_at: now,
    expires_at: Math.min(now + ACCESS_TOKEN_LIFETIME_MS, end),
  })
  const refreshUntil = Math.min(now + REFRESH_TOKEN_IDLE_LIFETIME_MS, end)
  await insertRow(tx, 'refresh_tokens', {
    token_hash: hashSecret(pair.refreshToken),
    grant_id: grantId,
    created_at: now,
    expires_at: refreshUntil,
  })
  // A grant is swept once its last token has expired.
  await updateRow(tx, 'grants', { grantId }, { expiresAt: refreshUntil })
  return pair
}

export async function findRefreshToken(
  database: Database,
  token: string,
): Promise<RefreshToken | undefined> {
  if (!isWellFormedSecret(REFRESH_TOKEN_PREFIX, token)) return undefined
  const row = await database.get(REFRESH_BY_HASH, { token_hash: hashSecret(token) })
  return row && { ...row, expiresAt: Math.min(row.expiresAt, row.endsAt ?? Infinity) }
}

/**
 * Uses the refresh token and issues the next pair. Undefined if another request used the token first: one statement
 * decides, so exactly one of any number of concurrent requests wins, across processes. With `keepsSuccessor`, stores the
 * new pair next to the old token, encrypted so that only the old token can decrypt it.
 */
export async function rotateRefreshToken(
  tx: MemberTransaction,
  token: string,
  owner: TokenOwner,
  { keepsSuccessor, now }: { readonly keepsSuccessor: boolean; readonly now: number },
): Promise<TokenPair | undefined> {
  const tokenHash = hashSecret(token)
  if ((await tx.run(USE_REFRESH, { token_hash: tokenHash, now })) === 0) return undefined
  await tx.run(DROP_EXPIRED_ACCESS, { grant_id: owner.grantId, now })
  await tx.run(DROP_EXPIRED_REFRESH, { grant_id: owner.grantId, now })
  await tx.run(DROP_OLDEST_USED, { grant_id: owner.grantId })
  const pair = await issueTokens(tx, owner, now)
  if (keepsSuccessor) {
    const successor = seal(successorKey(token), pair)
    await updateRow(tx, 'refresh_tokens', { tokenHash }, { successor })
  }
  return pair
}

/** The pair that replaced `token`, as long as it has not been used itself. */
export async function currentSuccessor(
  database: Database,
  token: string,
  { successor }: RefreshToken,
): Promise<TokenPair | undefined> {
  if (successor === null) return undefined
  // Sealed with this token, so it was written by `rotateRefreshToken`.
  const pair = unseal(successorKey(token), successor) as TokenPair | undefined
  if (!pair) return undefined
  const next = await findRefreshToken(database, pair.refreshToken)
  return next?.usedAt === null ? pair : undefined
}

/** Removes expired access and refresh tokens, including used ones. */
export async function sweepTokens(tx: Transaction, now: number): Promise<number> {
  return (await sweepAccess(tx, now)) + (await sweepRefresh(tx, now))
}

/** By access_tokens_by_expiry and refresh_tokens_by_expiry. */
const sweepAccess = sweepOf('access_tokens', 'token_hash', 'expires_at')
const sweepRefresh = sweepOf('refresh_tokens', 'token_hash', 'expires_at')

/** Finds the grant and client of an access or refresh token, whether valid or used. */
export async function findTokenGrant(
  database: Database,
  token: string,
): Promise<TokenGrant | undefined> {
  const found = token.startsWith(ACCESS_TOKEN_PREFIX) ? ACCESS_GRANT : REFRESH_GRANT
  return database.get(found, { token_hash: hashSecret(token) })
}

/** The token is the secret, so the database alone decrypts nothing. */
function successorKey(token: string): SealKey {
  return { secret: token, purpose: 'weft refresh successor' }
}

const REFRESH_COLUMNS = asProperties(
  'r.member_id, r.grant_id, g.client_id, r.expires_at, r.used_at, r.successor, l.ends_at',
)

/** Uses the primary key. Includes used tokens, to detect reuse. */
const REFRESH_BY_HASH = statement<
  { token_hash: string },
  RefreshToken & { readonly endsAt: number | null }
>(`
  select ${REFRESH_COLUMNS}, g.created_at as "grantedAt"
  from refresh_tokens r
    join grants g on g.member_id = r.member_id and g.grant_id = r.grant_id
    join members m on m.member_id = r.member_id
    left join agent_limits l on l.member_id = r.member_id and l.credential_id = r.grant_id
  where r.token_hash = :token_hash and m.disabled_at is null`)

const USE_REFRESH = memberStatement<{ token_hash: string; now: number }>()(`
  update refresh_tokens set used_at = :now
  where token_hash = :token_hash and member_id = :member_id and used_at is null`)

/** Uses access_tokens_by_grant and refresh_tokens_by_grant. */
const DROP_EXPIRED_ACCESS = memberStatement<{ grant_id: string; now: number }>()(`
  delete from access_tokens where member_id = :member_id and grant_id = :grant_id and expires_at <= :now`)

const DROP_EXPIRED_REFRESH = memberStatement<{ grant_id: string; now: number }>()(`
  delete from refresh_tokens where member_id = :member_id and grant_id = :grant_id and expires_at <= :now`)

/** Uses refresh_tokens_by_grant. Deletes none until a grant has more than the maximum. */
const DROP_OLDEST_USED = memberStatement<{ grant_id: string }>()(`
  delete from refresh_tokens where member_id = :member_id and token_hash in (
    select token_hash from refresh_tokens
    where member_id = :member_id and grant_id = :grant_id and used_at is not null
    order by used_at desc limit ${SWEEP_BATCH} offset ${MAX_USED_REFRESH_TOKENS})`)
const GRANT_COLUMNS = asProperties('t.member_id, t.grant_id, g.client_id')

/** Uses the primary keys, like the next statement. */
const ACCESS_GRANT = statement<{ token_hash: string }, TokenGrant>(`
  select ${GRANT_COLUMNS}
  from access_tokens t join grants g on g.member_id = t.member_id and g.grant_id = t.grant_id
  where t.token_hash = :token_hash`)

const REFRESH_GRANT = statement<{ token_hash: string }, TokenGrant>(`
  select ${GRANT_COLUMNS}
  from refresh_tokens t join grants g on g.member_id = t.member_id and g.grant_id = t.grant_id
  where t.token_hash = :token_hash`)
