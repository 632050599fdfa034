/** Opens the dispatch for the database engine: in-process for SQLite, pg-boss for PostgreSQL. */

import { InProcessDispatch, type JobDispatch } from './job-dispatch.ts'
import { databaseTimeouts } from '../db/timeouts.ts'
import type { Log } from '../base/log.ts'
import type { DatabaseAddress } from '../db/engines/open.ts'

/** Lets the serving role use the job queue, if another role owns the database. */
export async function prepareJobDispatch(
  address: DatabaseAddress,
  timeoutSeconds?: number,
): Promise<void> {
  if (address.engine === 'sqlite' || address.ownerUrl === undefined) return
  const { prepareQueue } = await import('./pg-boss-dispatch.ts')
  await prepareQueue(address.ownerUrl, address.url, databaseTimeouts(timeoutSeconds))
}

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
  await prepareJobDispatch(address, timeoutSeconds)
  const { openPgBossDispatch } = await import('./pg-boss-dispatch.ts')
  return openPgBossDispatch(address.url, log, databaseTimeouts(timeoutSeconds))
}
