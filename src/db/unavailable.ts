/** The one answer to a database that cannot serve a request now, whichever engine runs and whatever the reason is. */

import { Refusal } from '../base/request-error.ts'

/**
 * HTTP 503 with `Retry-After`; never kept as the answer of an Idempotency-Key. The reason is the `cause`, for the log:
 * callers cannot do anything about a full disk.
 */
export function databaseUnavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'unavailable',
    'The database is temporarily unavailable. Try again in a few seconds.',
  )
  refusal.cause = cause
  return refusal
}
