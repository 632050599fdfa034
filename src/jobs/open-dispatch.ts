/** Opens the dispatch for the database engine: in-process for SQLite, pg-boss for PostgreSQL. */

import { InProcessDispatch, type JobDispatch } from './job-dispatch.ts'
import { databaseTimeouts } from '../db/timeouts.ts'
import type { Log } from '../base/log.ts'
import type { DatabaseAddress } from '../db/engines/open.ts'

/**
 * @throws {RequestError} `unavailable` when PostgreSQL cannot be reached.
 * @throws {RequestError} `conflict` when the role lacks a privilege that pg-boss needs.
 */
export async function openJobDispatch(
  address: DatabaseAddress,
  log: Log,
  timeoutSeconds?: number,
): Promise<JobDispatch> {
  if (address.engine === 'sqlite') return new InProcessDispatch()
  // Imported lazily, because pg-boss is slow to load.
  const { openPgBossDispatch } = await import('./pg-boss-dispatch.ts')
  return openPgBossDispatch(address.url, log, databaseTimeouts(timeoutSeconds))
}
