/**
 * Deliveries: messages to endpoints, stored in the transaction of their cause, so that no crash loses one.
 *
 * ```
 * queued ── accepted by the endpoint ──▶ sent
 *   │ ▲
 *   │ └── not accepted: tried again later
 *   ├── rejected, or expired ──────────▶ failed
 *   └── the endpoint has ended ────────▶ dropped
 * ```
 */

import { newId } from '../base/ids.ts'
import { DAY, HOUR } from '../base/clock.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { listEndpoints, type Endpoint } from './endpoint-store.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { Notice } from './notice.ts'

export interface Delivery {
  /** Random: the `webhook-id` of every attempt. */
  readonly deliveryId: string
  readonly endpointId: number
  readonly cause: string
  readonly notice: Notice
  readonly state: 'queued' | 'sent' | 'failed' | 'dropped'
  readonly attempts: number
  /** HTTP status of the last attempt; null if there was no response. */
  readonly status: number | null
  readonly error: string | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
}

/** Longer than an endpoint may fail. Milliseconds. */
const SENDING_TIME_MS = 4 * DAY
/** An announcement of a moment is worthless hours later. */
const MOMENT_TIME_MS = 2 * HOUR
const KEEP_MS = 7 * DAY

/** Per endpoint. Later ones are dropped. */
const MAX_QUEUED = 1000

/**
 * Queues notices for the endpoints that want them. A notice whose subject was queued before is left out. Call it in the
 * transaction of the cause.
 */
export async function queueDeliveries(
  tx: MemberTransaction,
  notices: readonly Notice[],
  now: number,
): Promise<number> {
  if (notices.length === 0) return 0
  let queued = 0
  for (const endpoint of await listEndpoints(tx)) {
    const wanted = notices.filter((notice) => wants(endpoint, notice, now))
    if (wanted.length > 0) queued += await queueFor(tx, endpoint, wanted, now)
  }
  return queued
}

/** Queues notices for one endpoint, also those that it did not ask for, such as tests. Returns their number. */
export async function queueFor(
  tx: MemberTransaction,
  { endpointId }: Pick<Endpoint, 'endpointId'>,
  notices: readonly Notice[],
  now: number,
): Promise<number> {
  const waiting = (await tx.get(COUNT_QUEUED, { endpoint_id: endpointId }))?.queued ?? 0
  let queued = 0
  for (const notice of notices.slice(0, Math.max(0, MAX_QUEUED - waiting))) {
    const { cause, subject } = notice
    const isKnown = await tx.get(BY_SUBJECT, { endpoint_id: endpointId, subject })
    if (isKnown) continue
    const expiresAt = now + (cause === 'meeting.upcoming' ? MOMENT_TIME_MS : SENDING_TIME_MS)
    await insertRow(tx, 'deliveries', {
      delivery_id: newId('msg'),
      endpoint_id: endpointId,
      cause,
      subject,
      payload: JSON.stringify(notice),
      state: 'queued',
      created_at: now,
      expires_at: expiresAt,
      purge_at: expiresAt + KEEP_MS,
    })
    queued += 1
  }
  if (queued > 0) await tx.run(WAKE, { endpoint_id: endpointId, now })
  return queued
}

function wants(endpoint: Endpoint, notice: Notice, now: number): boolean {
  const { causes, endedAt, expiresAt } = endpoint
  if (endedAt !== null || (expiresAt !== null && expiresAt <= now)) return false
  const isInSummary = notice.isInSummary === true && causes.includes('summary')
  return causes.includes(notice.cause) && !isInSummary && matches(endpoint, notice)
}

/** True if the data of a notice has every value that the subscription asks for. */
export function matches(
  { arguments: wanted }: Pick<Endpoint, 'arguments'>,
  { data }: Notice,
): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const found = data[name]
    return Array.isArray(found) ? found.includes(value) : found === undefined || found === value
  })
}

/** Newest first. */
export async function listDeliveries(
  reader: MemberReader,
  endpointId: number,
  limit: number,
): Promise<Delivery[]> {
  return (await reader.all(LATEST, { endpoint_id: endpointId, limit })).map(deliveryOf)
}

/** Oldest first. */
export async function listQueued(
  reader: MemberReader,
  endpointId: number,
  limit: number,
): Promise<Delivery[]> {
  return (await reader.all(QUEUED, { endpoint_id: endpointId, limit })).map(deliveryOf)
}

/** Queues a delivery again, with the same ID. False if it is queued, or is no longer kept. */
export async function redeliver(
  tx: MemberTransaction,
  endpointId: number,
  deliveryId: string,
  now: number,
): Promise<boolean> {
  const row = await tx.get(REDELIVER, {
    endpoint_id: endpointId,
    delivery_id: deliveryId,
    expires_at: now + SENDING_TIME_MS,
    purge_at: now + SENDING_TIME_MS + KEEP_MS,
  })
  if (!row) return false
  await tx.run(WAKE, { endpoint_id: row.endpoint_id, now })
  return true
}

/** Attempts of the messages of an endpoint that were queued since a time, and how many were accepted. */
export async function countAttempts(
  reader: MemberReader,
  endpointId: number,
  since: number,
): Promise<{ readonly attempts: number; readonly accepted: number }> {
  const counted = await reader.get(ATTEMPTS, { endpoint_id: endpointId, since })
  return counted ?? { attempts: 0, accepted: 0 }
}

export type DeliveryOutcome = Pick<Delivery, 'state' | 'status' | 'error'>

/** Counts an attempt. A state other than `queued` is final. */
export async function recordAttempt(
  tx: MemberTransaction,
  deliveryId: string,
  { state, status, error }: DeliveryOutcome,
  now: number,
): Promise<void> {
  const ended_at = state === 'queued' ? null : now
  await tx.run(ATTEMPTED, { delivery_id: deliveryId, state, status, error, ended_at })
}

/** Ends all queued deliveries of an endpoint. */
export async function dropQueued(
  tx: MemberTransaction,
  endpointId: number,
  now: number,
): Promise<void> {
  await tx.run(DROP, { endpoint_id: endpointId, now })
}

type DeliveryRow = Omit<Delivery, 'notice'> & { readonly payload: string }

function deliveryOf({ payload, ...row }: DeliveryRow): Delivery {
  // Written only by queueFor.
  return { ...row, notice: JSON.parse(payload) as Notice }
}

const COLUMNS = asProperties(
  'delivery_id, endpoint_id, cause, payload, state, attempts, status, error, created_at, expires_at, ended_at',
)

/** By index deliveries_by_time, like the next statements. */
const LATEST = memberStatement<{ endpoint_id: number; limit: number }, DeliveryRow>()(`
  select ${COLUMNS} from deliveries
  where member_id = :member_id and endpoint_id = :endpoint_id
  order by created_at desc, delivery_id desc limit :limit`)

const QUEUED = memberStatement<{ endpoint_id: number; limit: number }, DeliveryRow>()(`
  select ${COLUMNS} from deliveries
  where member_id = :member_id and endpoint_id = :endpoint_id and state = 'queued'
  order by created_at, delivery_id limit :limit`)

const COUNT_QUEUED = memberStatement<{ endpoint_id: number }, { queued: number }>()(`
  select cast(count(*) as integer) as queued from deliveries
  where member_id = :member_id and endpoint_id = :endpoint_id and state = 'queued'`)

const ATTEMPTS = memberStatement<
  { endpoint_id: number; since: number },
  { attempts: number; accepted: number }
>()(`
  select cast(coalesce(sum(attempts), 0) as integer) as attempts,
    cast(count(case when state = 'sent' then 1 end) as integer) as accepted
  from deliveries where member_id = :member_id and endpoint_id = :endpoint_id and created_at >= :since`)

const DROP = memberStatement<{ endpoint_id: number; now: number }>()(`
  update deliveries set state = 'dropped', ended_at = :now
  where member_id = :member_id and endpoint_id = :endpoint_id and state = 'queued'`)

/** By index deliveries_by_subject. */
const BY_SUBJECT = memberStatement<
  { endpoint_id: number; subject: string },
  { delivery_id: string }
>()(`
  select delivery_id from deliveries
  where member_id = :member_id and endpoint_id = :endpoint_id and subject = :subject`)

/** Does not shorten the wait of an endpoint that failed. By primary key. */
const WAKE = memberStatement<{ endpoint_id: number; now: number }>()(`
  update endpoints set next_attempt_at = coalesce(next_attempt_at, :now)
  where member_id = :member_id and endpoint_id = :endpoint_id`)

/** By primary key, like the next statement. */
const REDELIVER = memberStatement<
  { endpoint_id: number; delivery_id: string; expires_at: number; purge_at: number },
  { endpoint_id: number }
>()(`
  update deliveries set state = 'queued', expires_at = :expires_at, purge_at = :purge_at, ended_at = null
  where member_id = :member_id and delivery_id = :delivery_id and endpoint_id = :endpoint_id and state <> 'queued'
  returning endpoint_id`)

const ATTEMPTED = memberStatement<{
  delivery_id: string
  state: Delivery['state']
  status: number | null
  error: string | null
  ended_at: number | null
}>()(`
  update deliveries set attempts = attempts + 1, state = :state, status = :status, error = :error, ended_at = :ended_at
  where member_id = :member_id and delivery_id = :delivery_id`)

/** Deletes deliveries that are no longer kept. By index deliveries_by_purge. */
export const sweepDeliveries = sweepOf('deliveries', 'member_id, delivery_id', 'purge_at')
