/** A grant: what one consent gave one client. All its codes and tokens hang on it, and go with it. */

import { keepCredentialName } from '../access/credential-name.ts'
import { DAY, MINUTE } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { memberStatement, serviceStatement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction, Transaction } from '../db/database.ts'

/** However often it is refreshed, a person is asked again after a year. */
export const GRANT_LIFETIME_MS = 365 * DAY

/** Until its code is redeemed it is nobody's; longer than any code lives. */
const PENDING_GRANT_LIFETIME_MS = 10 * MINUTE

export interface NewGrant {
  readonly clientId: string
  /** As the member saw it when they allowed it. */
  readonly clientName: string
  /** Where the browser went with the code. */
  readonly redirectHost: string
  readonly scope: string
  /** RFC 8707; null where the client named none. */
  readonly resource: string | null
}

export interface Grant extends NewGrant {
  readonly grantId: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export async function createGrant(
  tx: MemberTransaction,
  grant: NewGrant,
  now: number,
): Promise<string> {
  const grantId = newId('grant')
  await tx.run(INSERT, {
    grant_id: grantId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    redirect_host: grant.redirectHost,
    scope: grant.scope,
    resource: grant.resource,
    created_at: now,
    expires_at: now + PENDING_GRANT_LIFETIME_MS,
  })
  await keepCredentialName(tx, grantId, grant.clientName, now)
  return grantId
}

/** Ends everything that was issued under it, at once. False when there was no such grant. */
export async function revokeGrant(tx: MemberTransaction, grantId: string): Promise<boolean> {
  return (await tx.run(REVOKE, { grant_id: grantId })) > 0
}

/** Disconnects every agent: codes that were not redeemed yet are worth nothing either. Tells how many there were. */
export async function revokeAllGrants(tx: MemberTransaction): Promise<number> {
  return tx.run(REVOKE_ALL, {})
}

/** The agents a member has connected, the last connected first. */
export async function listGrants(reader: MemberReader, now: number): Promise<Grant[]> {
  const rows = await reader.all(LIVE, { now })
  return rows.map((row) => ({
    grantId: row.grant_id,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    scope: row.scope,
    resource: row.resource,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

export async function sweepGrants(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { now })
}

const INSERT = memberStatement<{
  grant_id: string
  client_id: string
  client_name: string
  redirect_host: string
  scope: string
  resource: string | null
  created_at: number
  expires_at: number
}>()(`
  insert into grants
    (member_id, grant_id, client_id, client_name, redirect_host, scope, resource, created_at, expires_at)
  values
    (:member_id, :grant_id, :client_id, :client_name, :redirect_host, :scope, :resource, :created_at, :expires_at)`)

/** Codes and tokens go by their foreign keys. */
const REVOKE = memberStatement<{ grant_id: string }>()(
  'delete from grants where member_id = :member_id and grant_id = :grant_id',
)

const REVOKE_ALL = memberStatement()('delete from grants where member_id = :member_id')

/** A grant without a token that could still be refreshed is connected to nothing. */
const LIVE = memberStatement<
  { now: number },
  {
    grant_id: string
    client_id: string
    client_name: string
    redirect_host: string
    scope: string
    resource: string | null
    created_at: number
    last_used_at: number | null
  }
>()(`
  select grant_id, client_id, client_name, redirect_host, scope, resource, created_at, last_used_at
  from grants g
  where member_id = :member_id and exists (
    select 1 from refresh_tokens r
    where r.member_id = :member_id and r.grant_id = g.grant_id and r.used_at is null and r.expires_at > :now)
  order by created_at desc, grant_id`)

/** By grants_by_expiry. */
const SWEEP = serviceStatement<{ now: number }>(`
  delete from grants where (member_id, grant_id) in (
    select member_id, grant_id from grants where expires_at <= :now order by expires_at limit ${SWEEP_BATCH})`)
