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
import { deleteRow, updateRow } from '../db/change-row.ts'
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
  const { causes, arguments: wanted = {}, ...values } = endpoint
  await insertRow(tx, 'endpoints', {
    endpointId,
    ...values,
    causes: JSON.stringify(causes),
    arguments: JSON.stringify(wanted),
    createdAt: now,
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
  const { causes = endpoint.causes, ...values } = changes
  await updateRow(
    tx,
    'endpoints',
    { endpointId: endpoint.endpointId },
    { ...values, causes: JSON.stringify(causes), ...HEALTHY },
  )
}

/** The state of an endpoint that does not fail. */
export const HEALTHY = { error: null, failures: 0, failingSince: null, endedAt: null }

/** Removes an endpoint and its deliveries. */
export async function removeEndpoint(tx: MemberTransaction, endpointId: number): Promise<void> {
  await deleteRow(tx, 'deliveries', { endpointId })
  await deleteRow(tx, 'endpoints', { endpointId })
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
  { error, failures, failingSince, deliveredAt, endedAt, nextAttemptAt }: EndpointOutcome,
): Promise<void> {
  const outcome = { error, failures, failingSince, deliveredAt, endedAt, nextAttemptAt }
  await updateRow(tx, 'endpoints', { endpointId }, outcome)
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

/** Deletes expired subscriptions. By index endpoints_by_expiry. */
export const sweepEndpoints = sweepOf('endpoints', 'member_id, endpoint_id', 'expires_at')
