/** The one answer to a database that cannot serve a request now, whichever engine runs and whatever the reason is. */

import { RequestError } from '../base/request-error.ts'

/**
 * HTTP 503 with `Retry-After`; never kept as the answer of an Idempotency-Key. The reason is the `cause`, for the log:
 * callers cannot do anything about a full disk.
 */
export function databaseUnavailable(cause: unknown): RequestError {
  const refusal = new RequestError(
    'unavailable',
    'The database is temporarily unavailable. Try again in a few seconds.',
  )
  refusal.cause = cause
  return refusal
}
