/** A message as an HTTP request, and what a response to it means. */

import { MINUTE, SECOND } from '../base/clock.ts'
import { t } from '../languages/message.ts'
import type { Endpoint } from './endpoint-store.ts'

/** An endpoint with its address and secrets in clear. */
export interface OpenEndpoint extends Endpoint {
  readonly url: URL
  /** The current one, and during a rotation also the former one. */
  readonly secrets: readonly string[]
  /** `name: value` */
  readonly headerText: string | null
}

export interface OutgoingRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface RequestContext {
  /** Milliseconds. */
  readonly now: number
  readonly publicUrl: string
}

interface EndpointResponse {
  readonly status: number
  readonly retryAfter: string | undefined
}

export type Verdict =
  | { readonly kind: 'accepted' }
  /** Try the same message again; not before `waitMs`, if the endpoint asked for a pause. */
  | { readonly kind: 'retry'; readonly error: string; readonly waitMs: number }
  /** The endpoint will never accept this message. */
  | { readonly kind: 'rejected'; readonly error: string }
  /** The endpoint refuses all further messages. */
  | { readonly kind: 'gone'; readonly error: string }

/** Why an attempt failed, in the current language. Errors are stored in English. */
export function deliveryErrorText(error: string): string {
  const status = /^HTTP status (\d+)$/.exec(error)?.[1]
  return status === undefined ? t(error) : t('HTTP status {status}', { status })
}

const MAX_RETRY_AFTER_MS = 24 * 60 * MINUTE

/**
 * Standard Webhooks 1.0.0 and RFC 8030 section 7.3: 2xx is success, a redirect is an error, 410 ends the endpoint (404, too,
 * for a push service), and `Retry-After` is obeyed. MCP events (SEP-3415): 410 and 413 end one delivery.
 */
export function judgeResponse(
  { kind }: Pick<Endpoint, 'kind'>,
  { status, retryAfter }: EndpointResponse,
  now: number,
): Verdict {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  const error = `HTTP status ${status}`
  if (kind === 'event' && (status === 410 || status === 413)) return { kind: 'rejected', error }
  if (status === 410 || (kind === 'push' && status === 404)) return { kind: 'gone', error }
  if (status === 413) return { kind: 'rejected', error }
  return { kind: 'retry', error, waitMs: pauseOf(retryAfter, now) }
}

/** `Retry-After` in milliseconds, as seconds or as a date (RFC 9110 section 10.2.3); 0 without one. */
function pauseOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const wait = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * SECOND
    : Date.parse(retryAfter) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS)
}
