/** The error for a database that temporarily cannot serve requests, on every engine. */

import { RequestError } from '../base/request-error.ts'

/**
 * HTTP 503 with `Retry-After`. Never stored under an Idempotency-Key. The `cause` is only logged: callers cannot fix a full
 * disk.
 */
export function databaseUnavailable(cause: unknown): RequestError {
  const error = new RequestError(
    'unavailable',
    'The database is temporarily unavailable. Try again in a few seconds.',
  )
  error.cause = cause
  return error
}
