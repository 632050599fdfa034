/** Errors that the caller can fix, with a stable code. Any other error is a bug. */

import { phrase, messageText, type Message } from '../languages/message.ts'
import type { SchemaProblem } from './schema.ts'

/** Every code with its HTTP status and title. A released code never changes its meaning. */
export const REQUEST_ERRORS = {
  invalid_request: [400, phrase('Invalid request')],
  missing_query: [400, phrase('Missing query')],
  unknown_kind: [400, phrase('Unknown job kind')],
  unreadable_file: [400, phrase('Unreadable contacts file')],
  unauthorized: [401, phrase('Valid bearer token required')],
  credits_exhausted: [402, phrase('Monthly credits used up')],
  forbidden: [403, phrase('Not allowed')],
  sandbox_read_only: [403, phrase('The sandbox is read-only')],
  not_found: [404, phrase('Not found')],
  job_not_found: [404, phrase('Job not found')],
  method_not_allowed: [405, phrase('Method not allowed')],
  request_timeout: [408, phrase('Request timeout')],
  conflict: [409, phrase('Conflict with the current state')],
  ambiguous_person: [409, phrase('Several people match')],
  preparing: [409, phrase('Not ready yet')],
  payload_too_large: [413, phrase('Request body too large')],
  upload_quota_exceeded: [413, phrase('Upload limit reached')],
  uri_too_long: [414, phrase('URL too long')],
  unsupported_media_type: [415, phrase('Unsupported content type')],
  expectation_failed: [417, phrase('Unsupported expectation')],
  idempotency_key_invalid: [400, phrase('Invalid Idempotency-Key')],
  batch_too_large: [400, phrase('Batch too large')],
  not_batchable: [400, phrase('Not allowed in a batch')],
  idempotency_in_flight: [409, phrase('The same request is still in progress')],
  idempotency_key_reused: [422, phrase('Idempotency-Key already used for another request')],
  rate_limited: [429, phrase('Too many requests')],
  headers_too_large: [431, phrase('Request headers too large')],
  internal: [500, phrase('Internal error')],
  unavailable: [503, phrase('Service temporarily unavailable')],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type RequestErrorCode = keyof typeof REQUEST_ERRORS

/** What to do about the error, and data for programs. */
export interface RequestErrorDetails {
  readonly hint?: string
  readonly errors?: readonly SchemaProblem[]
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number
  /** Response headers of this error, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The message and the hint for pages, if they have values. The message and the hint above are in English. */
  readonly texts?: readonly Message[]
  /** Additional members of the problem document, in snake_case. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** The usual minimum duration of a restart or failover. Seconds. */
const UNAVAILABLE_RETRY_AFTER = 5

export class RequestError extends Error {
  readonly code: RequestErrorCode
  readonly status: number
  readonly title: string
  readonly details: RequestErrorDetails

  constructor(code: RequestErrorCode, detail: string, details: RequestErrorDetails = {}) {
    super(detail)
    this.name = 'RequestError'
    this.code = code
    this.status = REQUEST_ERRORS[code][0]
    this.title = REQUEST_ERRORS[code][1]
    // Every 503 has a Retry-After.
    this.details =
      code === 'unavailable' ? { retryAfter: UNAVAILABLE_RETRY_AFTER, ...details } : details
  }

  /** Whether to log this as a failure. Overload errors have no cause and are not logged. */
  get isFailure(): boolean {
    return this.status >= 500 && this.cause !== undefined
  }
}

/** `invalid_request` for one argument. `detail` is what is wrong with it, such as "is required". */
export function invalidArgument(argument: string, detail: string): RequestError {
  return new RequestError('invalid_request', `${argument}: ${detail}.`, {
    errors: [{ pointer: `/${argument}`, detail }],
  })
}

/** `invalid_request` for a change without any field. */
export function nothingToUpdate(): RequestError {
  return new RequestError(
    'invalid_request',
    phrase('No fields to update. Provide at least one field.'),
  )
}

/** True if the error is one that callers can fix and has one of these codes. */
export function hasCode(
  error: unknown,
  ...codes: readonly RequestErrorCode[]
): error is RequestError {
  return error instanceof RequestError && codes.includes(error.code)
}

/** What happened and what to do, in the language of the reader. */
export function shownText({ message, details: { hint, texts } }: RequestError): string {
  return messagesOf(message, hint, texts).map(messageText).join(' ')
}

/** The message and the hint of an error, to be written where they are shown. */
export function messagesOf(
  message: string,
  hint?: string,
  texts?: readonly Message[],
): readonly Message[] {
  return texts ?? [message, hint].flatMap((source) => (source === undefined ? [] : [{ source }]))
}
