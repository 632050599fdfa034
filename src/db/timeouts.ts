/** How long the database may take before a caller is told that it is unavailable. */

import { MINUTE, SECOND } from '../base/clock.ts'

/** All in milliseconds. */
export interface DatabaseTimeouts {
  /** One statement of a request. */
  readonly statement: number
  /** One statement of bulk work: imports, purges, deleting an account. */
  readonly bulkStatement: number
  /** Waiting for a lock, a free connection or a new connection. */
  readonly wait: number
}

/** `WEFT_DATABASE_TIMEOUT`: MCP clients give up after 60 seconds unless told otherwise, so the answer must come sooner. */
export const DEFAULT_DATABASE_TIMEOUT_SECONDS = 30

/** Batches of bulk work take milliseconds; with this limit a broken connection holds a member up for two minutes. */
const LEAST_BULK_STATEMENT = 2 * MINUTE

export function databaseTimeouts(
  seconds: number = DEFAULT_DATABASE_TIMEOUT_SECONDS,
): DatabaseTimeouts {
  const statement = seconds * SECOND
  return {
    statement,
    bulkStatement: Math.max(LEAST_BULK_STATEMENT, 4 * statement),
    wait: Math.ceil(statement / 3),
  }
}
