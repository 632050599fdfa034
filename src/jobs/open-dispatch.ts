/** Opens what hands out jobs where the data is: this process itself on SQLite, pg-boss on PostgreSQL. */

import { InProcessDispatch, type JobDispatch } from './job-dispatch.ts'
import { databaseTimeouts } from '../db/timeouts.ts'
import type { Log } from '../base/log.ts'
import type { DatabaseAddress } from '../db/engines/open.ts'

/** @throws Refusal when PostgreSQL cannot be reached, or the role may not make what pg-boss needs. */
export async function openJobDispatch(
  address: DatabaseAddress,
  log: Log,
  timeoutSeconds?: number,
): Promise<JobDispatch> {
  if (address.engine === 'sqlite') return new InProcessDispatch()
  // Only where it is used: pg-boss takes time to load.
  const { openPgBossDispatch } = await import('./pg-boss-dispatch.ts')
  return openPgBossDispatch(address.url, log, databaseTimeouts(timeoutSeconds))
}
