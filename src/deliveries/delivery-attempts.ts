/**
 * What failed attempts lead to: when a message is tried again, when an endpoint ends, and when a subscription is suspended.
 */

import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { countAttempts, type Delivery } from './delivery-store.ts'
import { HEALTHY, type Endpoint, type EndpointOutcome } from './endpoint-store.ts'
import type { Verdict } from './outgoing-request.ts'
import type { MemberTransaction } from '../db/database.ts'

/** Standard Webhooks 1.0.0, “Deliverability and reliability”. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY,
] as const
/** SEP-3415: three to five attempts within 10 to 15 minutes. */
const EVENT_RETRY_DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const
/** An endpoint that failed for this long ends. */
const MAX_FAILING_MS = 3 * DAY
/** A subscription is suspended if nearly all of many attempts in an hour failed; its refresh makes it active again. */
const MIN_RATED_ATTEMPTS = 100
const MAX_FAILED_SHARE = 0.95
/** Share of a delay that is random, so that endpoints of one host do not return together. */
const JITTER = 0.2

/** Suspension by rate (SEP-3415, “deliveryStatus”), of subscriptions. */
export async function failsTooOften(
  tx: MemberTransaction,
  { kind, endpointId }: Endpoint,
  now: number,
): Promise<boolean> {
  if (kind !== 'event') return false
  const { attempts, accepted } = await countAttempts(tx, endpointId, now - HOUR)
  return attempts >= MIN_RATED_ATTEMPTS && (attempts - accepted) / attempts > MAX_FAILED_SHARE
}

interface JudgedAttempt {
  readonly endpoint: Endpoint
  readonly delivery: Delivery
  readonly verdict: Verdict
}

export function afterAttempt(
  { endpoint, delivery, verdict }: JudgedAttempt,
  now: number,
): { readonly outcome: EndpointOutcome; readonly state: Delivery['state'] } {
  if (verdict.kind === 'accepted')
    return { state: 'sent', outcome: { ...HEALTHY, deliveredAt: now, nextAttemptAt: now } }
  const { error } = verdict
  if (verdict.kind === 'rejected')
    return { state: 'failed', outcome: { ...endpoint, error, nextAttemptAt: now } }
  const failingSince = endpoint.failingSince ?? now
  const failures = endpoint.failures + 1
  const hasEnded = verdict.kind === 'gone' || now - failingSince >= MAX_FAILING_MS
  if (hasEnded) {
    const ended = { ...endpoint, error, failures, failingSince, nextAttemptAt: null }
    return { state: 'failed', outcome: { ...ended, endedAt: endpoint.endedAt ?? now } }
  }
  const delays = endpoint.kind === 'event' ? EVENT_RETRY_DELAYS_MS : RETRY_DELAYS_MS
  const isLast = delivery.attempts >= delays.length
  const delay = delays[Math.min(failures, delays.length) - 1] ?? 0
  const wait = Math.max(Math.ceil(delay * (1 + JITTER * Math.random())), verdict.waitMs)
  const outcome = { ...endpoint, error, failures, failingSince, nextAttemptAt: now + wait }
  return { state: isLast ? 'failed' : 'queued', outcome }
}
