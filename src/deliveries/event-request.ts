/** Messages to agents' subscriptions (SEP-3415, webhook delivery). */

import { jsonOf } from '../base/parse-text.ts'
import { randomBytes } from 'node:crypto'
import { newId } from '../base/ids.ts'
import { rfc3339 } from '../base/clock.ts'
import { FetchFailure, fetchPublic, type FetchPolicy } from '../http/public-fetch/public-fetch.ts'
import { signatureHeaders } from './webhook-request.ts'
import type { Delivery } from './delivery-store.ts'
import type { OpenEndpoint, OutgoingRequest, RequestContext } from './outgoing-request.ts'
import type { OutgoingPermit } from '../base/concurrency/outgoing-pool.ts'

/** An event as agents receive it. `name` of the endpoint is the ID of the subscription. */
export function writeEvent(
  { name: subscriptionId, format, url, secrets }: OpenEndpoint,
  { deliveryId, notice, createdAt }: Delivery,
  { now }: RequestContext,
): OutgoingRequest {
  const body = JSON.stringify({
    eventId: deliveryId,
    name: format,
    timestamp: rfc3339(createdAt),
    data: notice.data,
    cursor: null,
  })
  return { url, body, headers: headersOf(subscriptionId, secrets, deliveryId, { body, now }) }
}

interface Callback {
  readonly url: URL
  readonly secret: string
  readonly subscriptionId: string
}

/** Why an address cannot be used; undefined if it can. The values of SEP-3415, and `connection_refused` for all others. */
type CallbackProblem = 'connection_refused' | 'http_4xx' | 'http_5xx' | 'challenge_failed'

const RECEIVER_PATH = '/.well-known/mcp-webhook-receiver.json'
const MAX_ANSWER_BYTES = 16_384

/**
 * Makes sure that the receiver at an address wants these messages: its origin says so in a well-known file, or it returns a
 * challenge.
 */
export async function verifyCallback(
  permit: OutgoingPermit,
  callback: Callback,
  { policy, now }: { readonly policy: FetchPolicy; readonly now: number },
): Promise<CallbackProblem | undefined> {
  if (await isListedReceiver(permit, callback.url, policy)) return undefined
  const challenge = randomBytes(24).toString('base64url')
  const body = JSON.stringify({ type: 'verification', challenge })
  const { url, secret, subscriptionId } = callback
  const headers = headersOf(subscriptionId, [secret], newId('msg_verification'), { body, now })
  try {
    const { status, bytes } = await fetchPublic(permit, url, policy, {
      headers,
      body,
      maxBytes: MAX_ANSWER_BYTES,
    })
    if (status >= 500) return 'http_5xx'
    if (status >= 400) return 'http_4xx'
    return readJson(bytes)?.['challenge'] === challenge ? undefined : 'challenge_failed'
  } catch (error) {
    if (error instanceof FetchFailure) return 'connection_refused'
    throw error
  }
}

async function isListedReceiver(
  permit: OutgoingPermit,
  url: URL,
  policy: FetchPolicy,
): Promise<boolean> {
  try {
    const headers = { accept: 'application/json', 'user-agent': 'Weft' }
    const file = new URL(RECEIVER_PATH, url)
    const { bytes } = await fetchPublic(permit, file, policy, {
      headers,
      maxBytes: MAX_ANSWER_BYTES,
    })
    const receivers = readJson(bytes)?.['receivers']
    return (
      Array.isArray(receivers) &&
      receivers.some((path) => typeof path === 'string' && url.pathname.startsWith(path))
    )
  } catch (error) {
    if (error instanceof FetchFailure) return false
    throw error
  }
}

function headersOf(
  subscriptionId: string,
  secrets: readonly string[],
  messageId: string,
  { body, now }: { readonly body: string; readonly now: number },
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Weft',
    'x-mcp-subscription-id': subscriptionId,
    ...signatureHeaders(secrets, messageId, body, now),
  }
}

function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(Buffer.from(bytes).toString())
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}
