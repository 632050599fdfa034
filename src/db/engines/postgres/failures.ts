/** What PostgreSQL's errors mean here: try again, the database is gone, or a bug. */

import { Refusal } from '../../../base/refusal.ts'

/** Seconds: how long a restart or a failover usually takes at least. */
const RETRY_AFTER = 5

/**
 * Two transactions got in each other's way, and the loser, run again, sees what the winner did (PostgreSQL, appendix A):
 * serialization_failure, deadlock_detected; and unique_violation, where another committed the row between our look and
 * our insert: the second look finds it, and refuses in its own words.
 */
const IN_THE_WAY = new Set(['40001', '40P01', '23505'])

/**
 * Beside class 08, connection exceptions: the server stops, has crashed, starts, has no connection left; or a statement
 * waited or worked too long, because it is overloaded.
 */
const GONE = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300', '55P03', '57014'])

/** What the operating system says when nobody is there. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** What `pg` and `pg-pool` say of a connection that broke, or that did not come in time; they give no code. */
const BROKEN =
  /^(Connection terminated|timeout e|Client (was closed|has encountered)|Query read timeout)/

export function isInTheWay(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error))
}

/** The refusal for a database that cannot answer now; any other error as it is. */
export function translateFailure(error: unknown): unknown {
  if (!isGone(error)) return error
  const refusal = new Refusal('unavailable', 'The database cannot be reached right now.', {
    retryAfter: RETRY_AFTER,
  })
  refusal.cause = error
  return refusal
}

/** Whether the connection is of no more use. */
export function isGone(error: unknown): boolean {
  const code = codeOf(error)
  if (GONE.has(code) || UNREACHABLE.has(code) || code.startsWith('08')) return true
  return code === '' && error instanceof Error && BROKEN.test(error.message)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
