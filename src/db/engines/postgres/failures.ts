/** Classifies PostgreSQL errors: retry, temporarily unavailable, or a bug. */

import { RequestError } from '../../../base/request-error.ts'
import { commitUncertain, databaseUnavailable } from '../../unavailable.ts'

/**
 * Two transactions conflicted, and the losing one can be repeated (PostgreSQL, appendix A): serialization_failure,
 * deadlock_detected, and unique_violation if another transaction inserted the row between our read and our insert. The
 * repeated read finds the row and reports the proper error.
 */
const UNIQUE_VIOLATION = '23505'
const IN_THE_WAY = new Set(['40001', '40P01', UNIQUE_VIOLATION])

/** The server rejects writes: a standby, or a primary that became read-only. */
const READ_ONLY = '25006'

/** Transient error codes (PostgreSQL, appendix A), in addition to the classes below. */
const TRANSIENT = new Set([
  READ_ONLY,
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '55P03', // lock_not_available
  '57014', // query_canceled, by statement_timeout
])

/**
 * 08 connection exceptions; 53 insufficient resources: disk full, out of memory, too many connections, a limit such as
 * temp_file_limit; 57P the server stops, crashed, starts, or dropped the session; 58 errors of its operating system.
 */
const TRANSIENT_CLASS = /^(08|53|57P|58)/

/** Errors of the operating system and Node for broken or failed connections. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ENOTCONN',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
])

/** `pg` gives these errors no code: a `query_timeout`, and a broken connection. */
const NO_ANSWER = /^Query read timeout/
const BROKEN =
  /^(Connection terminated|timeout e|Client (was closed|has encountered)|Query read timeout)/

export function isSerializationConflict(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error))
}

/** Converts a transient failure to a `RequestError` with code `unavailable`; returns any other error unchanged. */
export function translateFailure(error: unknown): unknown {
  return isTransient(error) ? databaseUnavailable(error) : error
}

/** Translates the failure of a COMMIT. If the connection was lost, the transaction may be committed. */
export function translateCommitFailure(error: unknown): unknown {
  const isLost = error instanceof RequestError && breaksConnection(error.cause)
  return isLost ? commitUncertain(error.cause) : error
}

/** Translates the failure of a transaction that conflicted on every attempt. */
export function translateConflict(error: unknown): unknown {
  const isConflict = isSerializationConflict(error) && codeOf(error) !== UNIQUE_VIOLATION
  return isConflict ? databaseUnavailable(error) : error
}

/** Whether other pooled connections probably have the same fault: no response, or a read-only server. */
export function isSharedFault(error: unknown): boolean {
  return codeOf(error) === READ_ONLY || (isWithoutCode(error) && NO_ANSWER.test(error.message))
}

/** Whether the connection must not be used again after this error. */
export function breaksConnection(error: unknown): boolean {
  const code = codeOf(error)
  if (code === READ_ONLY || UNREACHABLE.has(code) || /^(08|57P)/.test(code)) return true
  return isWithoutCode(error) && BROKEN.test(error.message)
}

function isTransient(error: unknown): boolean {
  const code = codeOf(error)
  return TRANSIENT.has(code) || TRANSIENT_CLASS.test(code) || breaksConnection(error)
}

function isWithoutCode(error: unknown): error is Error {
  return error instanceof Error && codeOf(error) === ''
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
