/** Validates OAuth access tokens. The authorization server (oauth/) issues them. */

import { hashSecret, isWellFormedSecret } from '../base/secrets.ts'
import { statement } from '../db/statement.ts'
import { LIMIT_COLUMNS, limitsOf, type LimitRow } from './agent-limits.ts'
import { recordUse } from './api-token.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'

export const ACCESS_TOKEN_PREFIX = 'weft_at_'

/** The caller, or undefined if the token is unknown or expired, its grant is revoked, or the member is disabled. */
export async function findAccessTokenHolder(
  database: Database,
  token: string,
  now: number,
): Promise<Caller | undefined> {
  if (!isWellFormedSecret(ACCESS_TOKEN_PREFIX, token)) return undefined
  const row = await database.get(HOLDER, { token_hash: hashSecret(token), now })
  if (!row) return undefined
  const { member_id: memberId, last_used_at: lastUsedAt } = row
  recordUse(database, 'grants', { grantId: row.grant_id }, { memberId, lastUsedAt, now })
  return {
    memberId,
    username: row.username,
    name: row.name,
    timeZone: row.time_zone ?? 'UTC',
    credential: {
      id: row.grant_id,
      kind: 'oauth_access_token',
      name: row.client_name,
      holder: 'ai_client',
      agent: null,
      clientId: row.client_id,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    },
    limits: limitsOf(row),
  }
}

interface HolderRow extends LimitRow {
  readonly member_id: number
  readonly username: string
  readonly name: string
  readonly time_zone: string | null
  readonly grant_id: string
  readonly client_id: string
  readonly client_name: string
  readonly created_at: number
  readonly expires_at: number
  readonly last_used_at: number | null
}

/** By four primary keys. */
const HOLDER = statement<{ token_hash: string; now: number }, HolderRow>(`
  select t.member_id, t.grant_id, t.created_at, t.expires_at, g.client_id, g.client_name, g.last_used_at,
    m.username, m.name, m.time_zone, ${LIMIT_COLUMNS}
  from access_tokens t
    join grants g on g.member_id = t.member_id and g.grant_id = t.grant_id
    join members m on m.member_id = t.member_id
    left join agent_limits l on l.member_id = t.member_id and l.credential_id = t.grant_id
  where t.token_hash = :token_hash and t.expires_at > :now and m.disabled_at is null
    and (l.ends_at is null or l.ends_at > :now)`)
