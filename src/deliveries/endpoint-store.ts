/**
 * Endpoints: devices, webhooks and agents' subscriptions to which deliveries go.
 *
 * ```
 * active ── 410, or errors for three days ──▶ ended
 *   ▲                                          │
 *   └────────────── resumed ───────────────────┘
 * ```
 */

import { reserveNumbers } from '../tools/network-numbers.ts'
import { RequestError } from '../base/request-error.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, serviceStatement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'
import type { Cause } from './notice.ts'

export type EndpointKind = 'push' | 'webhook' | 'event'

/** Per member and kind. */
const MAX_ENDPOINTS: Readonly<Record<EndpointKind, number>> = { push: 20, webhook: 10, event: 50 }

export interface Endpoint {
  readonly endpointId: number
  readonly kind: EndpointKind
  readonly name: string
  /** How a webhook writes its messages; of a subscription, the name of its event. */
  readonly format: string
  /** Sealed. */
  readonly address: string
  /** What people recognize of the address. */
  readonly addressHint: string
  /** The host name of the address, by which requests are limited. */
  readonly host: string
  /** Sealed; null if messages are not signed. */
  readonly secret: string | null
  /** The secret before a rotation, which also signs until `oldSecretUntil`. Sealed. */
  readonly oldSecret: string | null
  readonly oldSecretUntil: number | null
  /** A fixed header as `name: value`. Sealed. */
  readonly header: string | null
  readonly causes: readonly Cause[]
  /** Arguments of a subscription. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The grant or token of the agent that subscribed. */
  readonly credentialId: string | null
  /** Why the last attempt failed; null if it succeeded. */
  readonly error: string | null
  readonly failures: number
  readonly failingSince: number | null
  readonly deliveredAt: number | null
  readonly endedAt: number | null
  readonly nextAttemptAt: number | null
  /** Null: it never expires. */
  readonly expiresAt: number | null
  readonly createdAt: number
}

type NewEndpoint = Pick<
  Endpoint,
  'kind' | 'name' | 'format' | 'address' | 'addressHint' | 'host' | 'causes'
> &
  Partial<Pick<Endpoint, 'secret' | 'header' | 'arguments' | 'credentialId' | 'expiresAt'>>

/** @throws {RequestError} `conflict` when the member has the maximum number of this kind. */
export async function addEndpoint(
  tx: MemberTransaction,
  endpoint: NewEndpoint,
  now: number,
): Promise<number> {
  const existing = await listEndpoints(tx, endpoint.kind)
  const max = MAX_ENDPOINTS[endpoint.kind]
  if (existing.length >= max)
    throw new RequestError('conflict', `You have ${max} of these already.`, {
      hint: 'Remove one first.',
    })
  const endpointId = await reserveNumbers(tx, 'last_endpoint')
  await insertRow(tx, 'endpoints', {
    endpoint_id: endpointId,
    kind: endpoint.kind,
    name: endpoint.name,
    format: endpoint.format,
    address: endpoint.address,
    address_hint: endpoint.addressHint,
    host: endpoint.host,
    secret: endpoint.secret ?? null,
    header: endpoint.header ?? null,
    causes: JSON.stringify(endpoint.causes),
    arguments: JSON.stringify(endpoint.arguments ?? {}),
    credential_id: endpoint.credentialId ?? null,
    expires_at: endpoint.expiresAt ?? null,
    created_at: now,
  })
  return endpointId
}

/** Lists endpoints in the order in which they were added. */
export async function listEndpoints(
  reader: MemberReader,
  kind?: EndpointKind,
): Promise<readonly Endpoint[]> {
  const rows = await reader.all(LIST, {})
  return rows.filter((row) => kind === undefined || row.kind === kind).map(endpointOf)
}

/** @throws {RequestError} `not_found` when the member has no such endpoint. */
export async function requireEndpoint(reader: MemberReader, endpointId: number): Promise<Endpoint> {
  const row = await reader.get(BY_ID, { endpoint_id: endpointId })
  if (row) return endpointOf(row)
  throw new RequestError('not_found', 'There is nothing with this ID to deliver to.', {
    hint: 'It may have been removed. Open the notifications page.',
  })
}

/** Values to change. */
type EndpointChanges = Partial<
  Pick<
    Endpoint,
    | 'name'
    | 'causes'
    | 'address'
    | 'secret'
    | 'oldSecret'
    | 'oldSecretUntil'
    | 'expiresAt'
    | 'credentialId'
  >
>

/** Changes an endpoint and makes it active again. */
export async function changeEndpoint(
  tx: MemberTransaction,
  endpoint: Endpoint,
  changes: EndpointChanges,
): Promise<void> {
  const { name, causes, address, secret, oldSecret, oldSecretUntil, expiresAt, credentialId } = {
    ...endpoint,
    ...changes,
  }
  await tx.run(CHANGE, {
    endpoint_id: endpoint.endpointId,
    name,
    causes: JSON.stringify(causes),
    address,
    secret,
    old_secret: oldSecret,
    old_secret_until: oldSecretUntil,
    expires_at: expiresAt,
    credential_id: credentialId,
  })
}

/** Removes an endpoint and its deliveries. */
export async function removeEndpoint(tx: MemberTransaction, endpointId: number): Promise<void> {
  await tx.run(DELETE_DELIVERIES, { endpoint_id: endpointId })
  await tx.run(DELETE, { endpoint_id: endpointId })
}

/** Whether the grant or token of a subscription still has access. */
export async function hasLiveCredential(
  reader: MemberReader,
  { credentialId }: Pick<Endpoint, 'credentialId'>,
  now: number,
): Promise<boolean> {
  if (credentialId === null) return true
  return (await reader.get(LIVE_CREDENTIAL, { credential_id: credentialId, now })) !== undefined
}

export interface DueEndpoint extends Pick<Endpoint, 'endpointId' | 'host'> {
  readonly memberId: number
}

/** Endpoints of all members with a message to send, longest due first. */
export async function findDueEndpoints(
  database: Reader,
  now: number,
  limit: number,
): Promise<readonly DueEndpoint[]> {
  return database.all(DUE, { now, limit })
}

/** Takes a due endpoint until `until`. Undefined if another node has taken it. */
export async function claimEndpoint(
  tx: MemberTransaction,
  endpointId: number,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<Endpoint | undefined> {
  const row = await tx.get(CLAIM, { endpoint_id: endpointId, now, until })
  return row && endpointOf(row)
}

export type EndpointOutcome = Pick<
  Endpoint,
  'error' | 'failures' | 'failingSince' | 'deliveredAt' | 'endedAt' | 'nextAttemptAt'
>

/** Stores the result of an attempt, and when the next one is due. */
export async function recordOutcome(
  tx: MemberTransaction,
  endpointId: number,
  outcome: EndpointOutcome,
): Promise<void> {
  await tx.run(RECORD, {
    endpoint_id: endpointId,
    error: outcome.error,
    failures: outcome.failures,
    failing_since: outcome.failingSince,
    delivered_at: outcome.deliveredAt,
    ended_at: outcome.endedAt,
    next_attempt_at: outcome.nextAttemptAt,
  })
}

type EndpointRow = Omit<Endpoint, 'causes' | 'arguments'> & {
  readonly causes: string
  readonly arguments: string
}

function endpointOf(row: EndpointRow): Endpoint {
  return {
    ...row,
    // Written only by this file.
    causes: JSON.parse(row.causes) as Cause[],
    arguments: JSON.parse(row.arguments) as Record<string, unknown>,
  }
}

const COLUMNS = asProperties(
  `endpoint_id, kind, name, format, address, address_hint, host, secret, old_secret, old_secret_until, header, causes, arguments,
   credential_id, error, failures, failing_since, delivered_at, ended_at, next_attempt_at, expires_at, created_at`,
)

/** By primary key, like the next statements. */
const LIST = memberStatement<object, EndpointRow>()(`
  select ${COLUMNS} from endpoints where member_id = :member_id order by endpoint_id`)

const BY_ID = memberStatement<{ endpoint_id: number }, EndpointRow>()(`
  select ${COLUMNS} from endpoints where member_id = :member_id and endpoint_id = :endpoint_id`)

const CHANGE = memberStatement<{
  endpoint_id: number
  name: string
  causes: string
  address: string
  secret: string | null
  old_secret: string | null
  old_secret_until: number | null
  expires_at: number | null
  credential_id: string | null
}>()(`
  update endpoints set name = :name, causes = :causes, address = :address, secret = :secret, old_secret = :old_secret,
    old_secret_until = :old_secret_until, expires_at = :expires_at, credential_id = :credential_id,
    error = null, failures = 0, failing_since = null, ended_at = null
  where member_id = :member_id and endpoint_id = :endpoint_id`)

const DELETE = memberStatement<{ endpoint_id: number }>()(
  'delete from endpoints where member_id = :member_id and endpoint_id = :endpoint_id',
)

/** By index deliveries_by_time. */
const DELETE_DELIVERIES = memberStatement<{ endpoint_id: number }>()(
  'delete from deliveries where member_id = :member_id and endpoint_id = :endpoint_id',
)

/** By the primary keys. */
const LIVE_CREDENTIAL = memberStatement<
  { credential_id: string; now: number },
  { found: number }
>()(`
  select 1 as found from grants
  where member_id = :member_id and grant_id = :credential_id and expires_at > :now
  union all
  select 1 as found from api_tokens
  where member_id = :member_id and token_id = :credential_id and revoked_at is null
    and (expires_at is null or expires_at > :now)`)

/** By index endpoints_by_attempt. */
const DUE = serviceStatement<{ now: number; limit: number }, DueEndpoint>(`
  select ${asProperties('member_id, endpoint_id, host')} from endpoints
  where next_attempt_at <= :now order by next_attempt_at limit :limit`)

const CLAIM = memberStatement<{ endpoint_id: number; now: number; until: number }, EndpointRow>()(`
  update endpoints set next_attempt_at = :until
  where member_id = :member_id and endpoint_id = :endpoint_id and next_attempt_at <= :now
  returning ${COLUMNS}`)

const RECORD = memberStatement<{
  endpoint_id: number
  error: string | null
  failures: number
  failing_since: number | null
  delivered_at: number | null
  ended_at: number | null
  next_attempt_at: number | null
}>()(`
  update endpoints set error = :error, failures = :failures, failing_since = :failing_since, delivered_at = :delivered_at,
    ended_at = :ended_at, next_attempt_at = :next_attempt_at
  where member_id = :member_id and endpoint_id = :endpoint_id`)

/** Deletes expired subscriptions. By index endpoints_by_expiry. */
export const sweepEndpoints = sweepOf('endpoints', 'member_id, endpoint_id', 'expires_at')
