/** A grant: the access that one consent gives one client. It owns its codes and tokens, which are deleted with it. */

import { storeCredentialName } from '../access/credential-name.ts'
import { DAY, MINUTE } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

/** After a year the member must consent again, however often the tokens are refreshed. */
export const GRANT_LIFETIME_MS = 365 * DAY

/** The lifetime until the code is redeemed; longer than that of any code. */
const PENDING_GRANT_LIFETIME_MS = 10 * MINUTE

interface NewGrant {
  readonly clientId: string
  /** As the member saw it on the consent page. */
  readonly clientName: string
  /** The host that the browser was redirected to with the code. */
  readonly redirectHost: string
  readonly scope: string
  /** RFC 8707; null if the client sent none. */
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
  await insertRow(tx, 'grants', {
    grant_id: grantId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    redirect_host: grant.redirectHost,
    scope: grant.scope,
    resource: grant.resource,
    created_at: now,
    expires_at: now + PENDING_GRANT_LIFETIME_MS,
  })
  await storeCredentialName(tx, grantId, grant.clientName, now)
  return grantId
}

/** Whether the grant exists and lasts until then, in milliseconds. */
export async function isGrantValid(
  reader: MemberReader,
  grantId: string,
  until: number,
): Promise<boolean> {
  return (await reader.get(VALID, { grant_id: grantId, until })) !== undefined
}

/** Revokes all codes and tokens of the grant at once. False for an unknown grant. */
export async function revokeGrant(tx: MemberTransaction, grantId: string): Promise<boolean> {
  return (await tx.run(REVOKE, { grant_id: grantId })) > 0
}

/** Disconnects every agent, including unredeemed codes. Returns the number of grants. */
export async function revokeAllGrants(tx: MemberTransaction): Promise<number> {
  return tx.run(REVOKE_ALL, {})
}

/** The agents that a member has connected, newest first. */
export async function listGrants(reader: MemberReader, now: number): Promise<Grant[]> {
  return reader.all(LIVE, { now })
}

const VALID = memberStatement<{ grant_id: string; until: number }, { grant_id: string }>()(`
  select grant_id from grants
  where member_id = :member_id and grant_id = :grant_id and expires_at > :until`)

/** Codes and tokens are deleted by their foreign keys. */
const REVOKE = memberStatement<{ grant_id: string }>()(
  'delete from grants where member_id = :member_id and grant_id = :grant_id',
)

const REVOKE_ALL = memberStatement()('delete from grants where member_id = :member_id')

const COLUMNS = asProperties(
  'grant_id, client_id, client_name, redirect_host, scope, resource, created_at, last_used_at',
)

/** A grant without a usable refresh token is no longer connected. */
const LIVE = memberStatement<{ now: number }, Grant>()(`
  select ${COLUMNS}
  from grants g
  where member_id = :member_id and exists (
    select 1 from refresh_tokens r
    where r.member_id = :member_id and r.grant_id = g.grant_id and r.used_at is null and r.expires_at > :now)
  order by created_at desc, grant_id`)

/** Deletes expired grants with their codes and tokens. By grants_by_expiry. */
export const sweepGrants = sweepOf('grants', 'member_id, grant_id', 'expires_at')
