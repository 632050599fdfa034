/** What a caller did wrong, in words and codes that reach them; every other error is a bug of ours. */

import type { SchemaProblem } from './schema.ts'

/** Every stable code with its HTTP status and title. A code, once released, keeps its meaning. */
export const REQUEST_ERRORS = {
  invalid_request: [400, 'The request is not valid'],
  missing_query: [400, 'The question is missing'],
  unknown_kind: [400, 'There is no such kind of job'],
  unreadable_file: [400, 'The file cannot be read as contacts'],
  unauthorized: [401, 'A valid bearer token is needed'],
  credits_exhausted: [402, 'The monthly credits are used up'],
  forbidden: [403, 'This is not allowed'],
  sandbox_read_only: [403, 'The sandbox changes nothing'],
  not_found: [404, 'There is nothing here'],
  job_not_found: [404, 'There is no such job'],
  method_not_allowed: [405, 'This path does not answer that method'],
  request_timeout: [408, 'The request took too long to arrive'],
  conflict: [409, 'The request does not fit the present state'],
  payload_too_large: [413, 'The body is too large'],
  upload_quota_exceeded: [413, 'Your uploads have reached their limit'],
  uri_too_long: [414, 'The address is too long'],
  unsupported_media_type: [415, 'That content type is not understood here'],
  expectation_failed: [417, 'That expectation cannot be met'],
  idempotency_key_invalid: [400, 'The Idempotency-Key is not valid'],
  batch_too_large: [400, 'The batch is too large'],
  not_batchable: [400, 'That cannot be part of a batch'],
  idempotency_in_flight: [409, 'The same request is being answered right now'],
  idempotency_key_reused: [422, 'The Idempotency-Key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Something went wrong on our side'],
  unavailable: [503, 'The service cannot answer right now'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type RequestErrorCode = keyof typeof REQUEST_ERRORS

/** Beyond the sentence: what to do about it, and what the code needs. */
export interface RequestErrorDetails {
  readonly hint?: string
  readonly errors?: readonly SchemaProblem[]
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number
  /** Response headers that belong to the refusal, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the problem document, in snake_case. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** Seconds: how long a restart or a failover usually takes at least. */
const UNAVAILABLE_RETRY_AFTER = 5

export class RequestError extends Error {
  readonly code: RequestErrorCode
  readonly status: number
  readonly title: string
  readonly details: RequestErrorDetails

  constructor(code: RequestErrorCode, detail: string, details: RequestErrorDetails = {}) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.status = REQUEST_ERRORS[code][0]
    this.title = REQUEST_ERRORS[code][1]
    // Every 503 says when to come again.
    this.details =
      code === 'unavailable' ? { retryAfter: UNAVAILABLE_RETRY_AFTER, ...details } : details
  }

  /** Whether something failed that the log should tell of; a refusal for too much load has no cause. */
  get isFailure(): boolean {
    return this.status >= 500 && this.cause !== undefined
  }
}
