/** API tokens: named bearer credentials that members create themselves. Only their hash is stored. */

import { t } from '../languages/message.ts'
import { DAY, MINUTE } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import {
  API_TOKEN_PREFIX,
  hashSecret,
  isWellFormedSecret,
  newSecret,
  secretHint,
} from '../base/secrets.ts'
import { updateRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { LIMIT_COLUMNS, limitsOf, type LimitRow } from './agent-limits.ts'
import { storeCredentialName } from './credential-name.ts'
import { checkVisibleName } from './validate-name.ts'
import type { Database, MemberReader, MemberTransaction, Transaction } from '../db/database.ts'
import type { Caller, Credential } from '../http/caller.ts'

export interface ApiToken {
  readonly tokenId: string
  readonly name: string
  readonly holder: Credential['holder']
  /** Name of the cloud agent. */
  readonly agent: string | null
  /** The first characters. */
  readonly hint: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

interface NewApiToken {
  readonly name: string
  readonly holder: Credential['holder']
  /** ID of the cloud agent that uses the token. */
  readonly agentId?: string | undefined
  /** Null: does not expire. */
  readonly lifetimeDays: number | null
}

/** Only this response contains the secret. */
export interface MintedApiToken extends ApiToken {
  readonly secret: string
}

const MAX_LIFETIME_DAYS = 3650

/** Ended tokens and devices are kept this long, so that members can see what happened to them. */
export const ENDED_RETENTION_MS = 90 * DAY

/**
 * Creates a token. Its secret is returned once and never stored.
 *
 * @throws {RequestError} `conflict` when a token that has not been revoked has this name.
 * @throws {RequestError} `invalid_request` when the name has no visible characters.
 */
export async function mintApiToken(
  tx: MemberTransaction,
  token: NewApiToken,
  now: number,
): Promise<MintedApiToken> {
  const name = checkVisibleName(token.name, 'A token')
  const agent = await requireAgent(tx, token)
  if (await tx.get(LIVE_BY_NAME, { name }))
    throw new RequestError('conflict', `A token named “${name}” already exists.`, {
      hint: 'Choose another name, or revoke that token first.',
    })
  const secret = newSecret(API_TOKEN_PREFIX)
  const minted: MintedApiToken = {
    tokenId: newId('tok'),
    name,
    holder: token.holder,
    agent: agent?.name ?? null,
    hint: secretHint(secret, API_TOKEN_PREFIX),
    createdAt: now,
    expiresAt: expiryOf(token.lifetimeDays, now),
    lastUsedAt: null,
    secret,
  }
  await insertRow(tx, 'api_tokens', {
    token_id: minted.tokenId,
    name,
    secret_hash: hashSecret(secret),
    hint: minted.hint,
    holder: minted.holder,
    agent_id: agent?.agent_id ?? null,
    created_at: now,
    expires_at: minted.expiresAt,
  })
  await storeCredentialName(tx, minted.tokenId, name, now)
  return minted
}

/** Lists tokens that are not revoked, newest first. */
export async function listApiTokens(reader: MemberReader): Promise<ApiToken[]> {
  return reader.all(LIVE, {})
}

/** Returns token names by ID, including revoked tokens. */
export async function tokenNames(
  reader: MemberReader,
): Promise<ReadonlyMap<string, { readonly name: string; readonly isRevoked: boolean }>> {
  const rows = await reader.all(NAMES, {})
  return new Map(
    rows.map(({ token_id, name, revoked_at }) => [
      token_id,
      { name, isRevoked: revoked_at !== null },
    ]),
  )
}

/** Revokes by ID or name. Returns false if it is unknown or revoked. */
export async function revokeApiToken(
  tx: MemberTransaction,
  idOrName: string,
  now: number,
): Promise<boolean> {
  return (await tx.run(REVOKE, { token: idOrName, now })) > 0
}

/** Deletes API tokens that were revoked or expired at least 90 days ago. */
export async function sweepApiTokens(tx: Transaction, now: number): Promise<number> {
  return (await sweepRevoked(tx, now)) + (await sweepExpired(tx, now))
}

/** By api_tokens_by_revocation and api_tokens_by_expiry. */
const sweepRevoked = sweepOf('api_tokens', 'token_id', 'revoked_at', ENDED_RETENTION_MS)
const sweepExpired = sweepOf('api_tokens', 'token_id', 'expires_at', ENDED_RETENTION_MS)

/** Revokes the token with this secret, if any. */
export async function revokeApiTokenSecret(
  database: Database,
  secret: string,
  now: number,
): Promise<void> {
  if (!isWellFormedSecret(API_TOKEN_PREFIX, secret)) return
  const row = await database.get(BY_SECRET, { secret_hash: hashSecret(secret) })
  if (row) await database.member(row.member_id).write((tx) => revokeApiToken(tx, row.token_id, now))
}

/** Returns the number of revoked tokens. */
export async function revokeAllApiTokens(tx: MemberTransaction, now: number): Promise<number> {
  return tx.run(REVOKE_ALL, { now })
}

/** Returns undefined if the token is unknown, revoked or expired, or the member is disabled. */
export async function findTokenHolder(
  database: Database,
  secret: string,
  now: number,
): Promise<Caller | undefined> {
  if (!isWellFormedSecret(API_TOKEN_PREFIX, secret)) return undefined
  const row = await database.get(HOLDER, { secret_hash: hashSecret(secret), now })
  if (!row) return undefined
  const { memberId, tokenId, lastUsedAt } = row
  recordUse(database, 'api_tokens', { tokenId }, { memberId, lastUsedAt, now })
  return {
    memberId,
    username: row.username,
    name: row.memberName,
    timeZone: row.timeZone ?? 'UTC',
    credential: {
      id: tokenId,
      kind: 'api_token',
      name: row.name,
      holder: row.holder,
      agent: row.agent,
      clientId: null,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
    },
    limits: limitsOf(row),
  }
}

async function requireAgent(tx: MemberTransaction, { holder, agentId }: NewApiToken) {
  if (agentId === undefined) return undefined
  const agent = await tx.get(AGENT, { agent_id: agentId })
  if (agent && holder === 'cloud_agent') return agent
  throw new RequestError('not_found', t('Cloud agent not found. Create it before its token.'))
}

function expiryOf(days: number | null, now: number): number | null {
  if (days === null) return null
  if (!Number.isInteger(days) || days < 1 || days > MAX_LIFETIME_DAYS)
    throw new RequestError(
      'invalid_request',
      t('The lifetime of a token must be 1 to {max} whole days, or unlimited.', {
        max: MAX_LIFETIME_DAYS,
      }),
    )
  return now + days * DAY
}

interface HolderRow extends ApiToken, LimitRow {
  readonly memberId: number
  readonly username: string
  readonly memberName: string
  readonly timeZone: string | null
}

const TOKEN_COLUMNS = asProperties(
  't.token_id, t.name, t.holder, t.hint, t.created_at, t.expires_at, t.last_used_at',
)

/** By the unique index on secret_hash, like the next statement. */
const BY_SECRET = statement<{ secret_hash: string }, { member_id: number; token_id: string }>(
  'select member_id, token_id from api_tokens where secret_hash = :secret_hash',
)

const HOLDER = statement<{ secret_hash: string; now: number }, HolderRow>(`
  select ${TOKEN_COLUMNS}, a.name as agent, ${asProperties('t.member_id, m.username, m.time_zone')},
    m.name as "memberName", ${LIMIT_COLUMNS}
  from api_tokens t join members m on m.member_id = t.member_id
    left join cloud_agents a on a.member_id = t.member_id and a.agent_id = t.agent_id
    left join agent_limits l on l.member_id = t.member_id and l.credential_id = t.token_id
  where t.secret_hash = :secret_hash and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > :now) and (l.ends_at is null or l.ends_at > :now)
    and m.disabled_at is null`)

const NAMES = memberStatement<
  object,
  { token_id: string; name: string; revoked_at: number | null }
>()('select token_id, name, revoked_at from api_tokens where member_id = :member_id')

/** By api_tokens_by_member_and_name, like the next two statements. */
const LIVE = memberStatement<object, ApiToken>()(`
  select ${TOKEN_COLUMNS}, a.name as agent
  from api_tokens t left join cloud_agents a on a.member_id = t.member_id and a.agent_id = t.agent_id
  where t.member_id = :member_id and t.revoked_at is null
  order by t.created_at desc, t.token_id`)

const AGENT = memberStatement<{ agent_id: string }, { agent_id: string; name: string }>()(`
  select agent_id, name from cloud_agents
  where member_id = :member_id and agent_id = :agent_id and removed_at is null`)

const LIVE_BY_NAME = memberStatement<{ name: string }, { token_id: string }>()(
  'select token_id from api_tokens where member_id = :member_id and name = :name and revoked_at is null',
)

const REVOKE = memberStatement<{ token: string; now: number }>()(`
  update api_tokens set revoked_at = :now
  where member_id = :member_id and revoked_at is null and (token_id = :token or name = :token)`)
const REVOKE_ALL = memberStatement<{ now: number }>()(
  'update api_tokens set revoked_at = :now where member_id = :member_id and revoked_at is null',
)

/** The use of a credential is recorded at most once a minute, to save a write per call. */
const RESOLUTION = MINUTE

interface LastUse {
  readonly memberId: number
  /** The stored time; null for never. */
  readonly lastUsedAt: number | null
  readonly now: number
}

/** Writes `last_used_at` in the background if it is due. A lost update does no harm. */
export function recordUse(
  database: Database,
  table: 'api_tokens' | 'devices' | 'grants',
  key: Readonly<Record<string, string>>,
  { memberId, lastUsedAt, now }: LastUse,
): void {
  if (lastUsedAt !== null && lastUsedAt >= now - RESOLUTION) return
  database
    .member(memberId)
    .write((tx) => updateRow(tx, table, key, { lastUsedAt: now }))
    .catch(() => {})
}
