/** Classifies PostgreSQL errors: retry, temporarily unavailable, or a bug. */

import { codeOf } from '../../../base/thrown.ts'
import { RequestError } from '../../../base/request-error.ts'
import { commitUncertain, databaseUnavailable } from '../../unavailable.ts'

/**
 * With serialization_failure and deadlock_detected (appendix A): a conflict. If another transaction has inserted the row
 * meanwhile, the repeated read finds it and reports the proper error.
 */
const UNIQUE_VIOLATION = '23505'
const IN_THE_WAY = new Set(['40001', '40P01', UNIQUE_VIOLATION])

/** PostgreSQL, appendix A. */
export const INSUFFICIENT_PRIVILEGE = '42501'
export const LOCK_NOT_AVAILABLE = '55P03'

/** From a standby, or a primary that became read-only. */
const READ_ONLY = '25006'

/** Besides the classes below (PostgreSQL, appendix A). */
const TRANSIENT = new Set([
  READ_ONLY,
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  LOCK_NOT_AVAILABLE,
  '57014', // query_canceled, by statement_timeout
])

/** 08 connection exceptions, 53 insufficient resources, 57P server stops or drops the session, 58 system errors. */
const TRANSIENT_CLASS = /^(08|53|57P|58)/

/** Error codes of the operating system and of Node. */
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

/** Errors of `pg` without a code. */
const NO_ANSWER = /^Query read timeout/
const BROKEN =
  /^(Connection terminated|timeout e|Client (was closed|has encountered)|Query read timeout)/

export function isSerializationConflict(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error))
}

/** Converts a transient failure to `unavailable`. Returns any other error unchanged. */
export function translateFailure(error: unknown): unknown {
  return isTransient(error) ? databaseUnavailable(error) : error
}

/** Converts the failure of a COMMIT, which may have succeeded if the connection was lost. */
export function translateCommitFailure(error: unknown): unknown {
  const isLost = error instanceof RequestError && breaksConnection(error.cause)
  return isLost ? commitUncertain(error.cause) : error
}

/** Converts the failure of a transaction that conflicted on every attempt. */
export function translateConflict(error: unknown): unknown {
  const isConflict = isSerializationConflict(error) && codeOf(error) !== UNIQUE_VIOLATION
  return isConflict ? databaseUnavailable(error) : error
}

/** True if other pooled connections probably share the fault. */
export function isSharedFault(error: unknown): boolean {
  return codeOf(error) === READ_ONLY || (isWithoutCode(error) && NO_ANSWER.test(error.message))
}

/** True if the connection must not be used again. */
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
