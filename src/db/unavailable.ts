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

/** The same for a COMMIT without a response: only its connection was lost, or also the transaction. */
export function commitUncertain(cause: unknown): RequestError {
  const error = new RequestError(
    'unavailable',
    'The connection to the database was lost while saving. The change may have been saved.',
    {
      hint: 'Retry with the same Idempotency-Key. Without a key, first check whether the change was saved.',
    },
  )
  error.cause = cause
  return error
}

const SQLITE_FULL = 13

/** Whether SQLite, PostgreSQL or the operating system found no space, also as the cause of `unavailable`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return errcode === SQLITE_FULL || code === '53100' || code === 'ENOSPC' || isDiskFull(error.cause)
}
