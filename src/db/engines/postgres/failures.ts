/** What PostgreSQL's errors mean here: run it again, the database cannot serve a request now, or a bug. */

import { databaseUnavailable } from '../../unavailable.ts'

/**
 * Two transactions got in each other's way, and the loser, run again, sees what the winner did (PostgreSQL, appendix A):
 * serialization_failure, deadlock_detected; and unique_violation, where another committed the row between our look and
 * our insert: the second look finds it, and refuses in its own words.
 */
const UNIQUE_VIOLATION = '23505'
const IN_THE_WAY = new Set(['40001', '40P01', UNIQUE_VIOLATION])

/** The server refuses to write: a standby, or a primary that was made read-only. */
const READ_ONLY = '25006'

/** Codes of PostgreSQL (appendix A) that another attempt may not meet, beside the classes below. */
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

/** What the operating system and Node say of a connection that breaks or cannot be made. */
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

/** `pg` gives these errors no code: no answer within `query_timeout`, and a connection that broke. */
const NO_ANSWER = /^Query read timeout/
const BROKEN =
  /^(Connection terminated|timeout e|Client (was closed|has encountered)|Query read timeout)/

export function isSerializationConflict(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error))
}

/** For a database that cannot serve a request now, a `Refusal` that says `unavailable`; any other error as it is. */
export function translateFailure(error: unknown): unknown {
  return isTransient(error) ? databaseUnavailable(error) : error
}

/** The same for a transaction that got in another's way each time it ran. */
export function translateConflict(error: unknown): unknown {
  const isConflict = isSerializationConflict(error) && codeOf(error) !== UNIQUE_VIOLATION
  return isConflict ? databaseUnavailable(error) : error
}

/** Whether the other connections of the pool probably have the same fault: no answer comes, or nothing can be written. */
export function isSharedFault(error: unknown): boolean {
  return codeOf(error) === READ_ONLY || (isWithoutCode(error) && NO_ANSWER.test(error.message))
}

/** Whether the connection that failed so must not be used again. */
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
