/**
 * Sends the queued deliveries of all members. Any number of processes share the work.
 *
 * A process claims an endpoint with a lease and sends its messages in order, so an endpoint never gets two at once, and one
 * that fails delays only its own messages. A message that was accepted is sent again, with the same ID, only if the process
 * dies before it has recorded that.
 */

import { MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { createDueWork, type DueWork } from '../base/concurrency/due-work.ts'
import { FetchFailure, fetchPublic, type FetchPolicy } from '../http/public-fetch/public-fetch.ts'
import { phrase } from '../languages/message.ts'
import { queueEmail } from '../outbox/outbox.ts'
import {
  dropQueued,
  listQueued,
  recordAttempt,
  type Delivery,
  type DeliveryOutcome,
} from './delivery-store.ts'
import {
  claimEndpoint,
  findDueEndpoints,
  hasLiveCredential,
  recordOutcome,
  type DueEndpoint,
  type Endpoint,
  type EndpointKind,
} from './endpoint-store.ts'
import { afterAttempt, failsTooOften } from './delivery-attempts.ts'
import { writeEvent } from './event-request.ts'
import { judgeResponse, type OpenEndpoint, type Verdict } from './outgoing-request.ts'
import { writePush } from './push-request.ts'
import { unsealFor, type SealSecret } from './seal-for-member.ts'
import { writeWebhook } from './webhook-request.ts'
import type { Log } from '../base/log.ts'
import type { OutgoingPermit, OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import type { Database, MemberDatabase } from '../db/database.ts'
import type { OutgoingRequest } from './outgoing-request.ts'

export interface DeliveryDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly sealSecret: SealSecret
  readonly outgoing: OutgoingPool
  /** How the host of an address may be reached. */
  readonly policyOf: (url: URL) => FetchPolicy
  /** Called after each attempt. */
  readonly onDelivered?: ((kind: EndpointKind, verdict: Verdict['kind']) => void) | undefined
}

const POLL_INTERVAL_MS = 2 * SECOND
/** Longer than an attempt. Another process continues after it if this one is killed. */
const LEASE_MS = MINUTE
/** Messages to one endpoint before others have their turn. */
const MESSAGES_PER_TURN = 20

/** Sends messages while the service runs. Disposing waits for the attempts that are under way. */
export function createDeliverySender(deps: DeliveryDeps): DueWork {
  return createDueWork({
    ...deps,
    pollIntervalMs: POLL_INTERVAL_MS,
    find: (now, limit) => findDueEndpoints(deps.database, now, limit),
    keyOf: ({ memberId, endpointId }) => `${memberId} ${endpointId}`,
    run: (due, signal) => sendAll(deps, due, signal),
    name: 'send messages',
  })
}

/**
 * Sends an endpoint's messages one by one, each with a permit of its own, so that others have their turn. Stops after the
 * first one that is not accepted. Returns whether there was an attempt.
 */
async function sendAll(
  deps: DeliveryDeps,
  due: DueEndpoint,
  signal: AbortSignal,
): Promise<boolean> {
  const { memberId, host } = due
  for (let attempts = 0; ; attempts += 1) {
    if (signal.aborted || attempts >= MESSAGES_PER_TURN) return attempts > 0
    const work = (permit: OutgoingPermit) => sendNext(deps, due, permit)
    if (!(await deps.outgoing.run({ memberId, host }, work))) return attempts > 0
  }
}

/** Sends the oldest queued message of an endpoint. False if none was due, or another process has the endpoint. */
async function sendNext(
  deps: DeliveryDeps,
  { memberId, endpointId }: DueEndpoint,
  permit: OutgoingPermit,
): Promise<boolean> {
  const db = deps.database.member(memberId)
  const now = deps.clock.now()
  const claimed = await db.write(async (tx) => {
    const endpoint = await claimEndpoint(tx, endpointId, { now, until: now + LEASE_MS })
    if (!endpoint) return undefined
    const [delivery] = await listQueued(tx, endpointId, 1)
    if (delivery) return { endpoint, delivery }
    await recordOutcome(tx, endpointId, { ...endpoint, nextAttemptAt: null })
    return undefined
  })
  if (!claimed) return false
  const verdict = await attempt(deps, { memberId, permit, ...claimed })
  deps.onDelivered?.(claimed.endpoint.kind, verdict.kind)
  await record(deps, db, { ...claimed, verdict })
  return true
}

interface Attempting {
  readonly memberId: number
  readonly endpoint: Endpoint
  readonly delivery: Delivery
  readonly permit: OutgoingPermit
}

async function attempt(
  deps: DeliveryDeps,
  { memberId, endpoint, delivery, permit }: Attempting,
): Promise<Attempted> {
  const { clock, policyOf } = deps
  const now = clock.now()
  if (endpoint.endedAt !== null)
    return { kind: 'gone', error: phrase('it has ended'), status: null }
  if (!(await hasLiveCredential(deps.database.member(memberId), endpoint, now)))
    return { kind: 'gone', error: phrase('its agent no longer has access'), status: null }
  if (delivery.expiresAt <= now || (endpoint.expiresAt ?? now + 1) <= now)
    return { kind: 'rejected', error: phrase('it was not sent in time'), status: null }
  const open = openEndpoint(deps.sealSecret(), memberId, endpoint, now)
  if (!open) return { kind: 'gone', error: phrase('its address cannot be decrypted'), status: null }
  const request = requestTo(deps, open, delivery, now)
  try {
    const { status, headers } = await fetchPublic(permit, request.url, policyOf(request.url), {
      headers: { 'user-agent': 'Weft', ...request.headers },
      body: request.body,
    })
    const response = { status, retryAfter: headers['retry-after'] }
    return { ...judgeResponse(endpoint, response, clock.now()), status }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return { kind: 'retry', error: phrase('it could not be reached'), waitMs: 0, status: null }
  }
}

type Attempted = Verdict & { readonly status: number | null }

function requestTo(
  deps: DeliveryDeps,
  endpoint: OpenEndpoint,
  delivery: Delivery,
  now: number,
): OutgoingRequest {
  const context = { now, publicUrl: deps.publicUrl }
  if (endpoint.kind === 'push') return writePush(endpoint, delivery, context, deps.sealSecret())
  const write = endpoint.kind === 'event' ? writeEvent : writeWebhook
  return write(endpoint, delivery, context)
}

function openEndpoint(
  secret: string,
  memberId: number,
  endpoint: Endpoint,
  now: number,
): OpenEndpoint | undefined {
  const clear = (sealed: string) => unsealFor(secret, memberId, sealed)
  const address = clear(endpoint.address)
  if (address === undefined) return undefined
  const isRotating = (endpoint.oldSecretUntil ?? 0) > now
  const secrets = [endpoint.secret, isRotating ? endpoint.oldSecret : null]
  return {
    ...endpoint,
    url: new URL(address),
    secrets: secrets.flatMap((one) => (one === null ? [] : (clear(one) ?? []))),
    headerText: endpoint.header === null ? null : (clear(endpoint.header) ?? null),
  }
}

interface Attempt {
  readonly endpoint: Endpoint
  readonly delivery: Delivery
  readonly verdict: Attempted
}

/** Stores the result of an attempt. */
async function record(
  deps: DeliveryDeps,
  db: MemberDatabase,
  { endpoint, delivery, verdict }: Attempt,
): Promise<void> {
  const now = deps.clock.now()
  const { outcome, state } = afterAttempt({ endpoint, delivery, verdict }, now)
  const { endpointId, kind, name } = endpoint
  const error = 'error' in verdict ? verdict.error : null
  await db.write(async (tx) => {
    const attempted: DeliveryOutcome = { state, status: verdict.status, error }
    await recordAttempt(tx, delivery.deliveryId, attempted, now)
    const isSuspended = verdict.kind !== 'accepted' && (await failsTooOften(tx, endpoint, now))
    const ended = isSuspended ? { nextAttemptAt: null, endedAt: outcome.endedAt ?? now } : {}
    await recordOutcome(tx, endpointId, { ...outcome, ...ended })
    if ((outcome.endedAt === null && !isSuspended) || endpoint.endedAt !== null) return
    await dropQueued(tx, endpointId, now)
    const details = { name, reason: error ?? '' }
    const email = { kind: 'endpoint_ended', memberId: db.memberId, details } as const
    // A device that withdrew its permission did so knowingly; the agent of a subscription sees its state.
    const isNews = kind === 'webhook' || (kind === 'push' && verdict.kind !== 'gone')
    if (isNews) await queueEmail(tx.shared, email, now)
  })
  if (verdict.kind !== 'accepted')
    deps.log.warn({ endpoint: kind, attempt: delivery.attempts + 1, error }, 'not delivered')
}
