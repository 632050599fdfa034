/** How long callers wait for the database before they get an `unavailable` error. */

import { MINUTE, SECOND } from '../base/clock.ts'

/** All in milliseconds. */
export interface DatabaseTimeouts {
  /** One statement of a request. */
  readonly statement: number
  /** One statement of bulk work: imports, purges, account deletion. */
  readonly bulkStatement: number
  /** Waiting for a lock or a connection. */
  readonly wait: number
}

/** `WEFT_DATABASE_TIMEOUT`: MCP clients time out after 60 seconds by default, so the response must come sooner. */
export const DEFAULT_DATABASE_TIMEOUT_SECONDS = 30

/** Batches of bulk work take milliseconds. With this limit, a broken connection blocks a member for two minutes. */
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
