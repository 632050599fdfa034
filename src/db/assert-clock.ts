/** Rejects a clock that differs too much from the database's, by which other nodes are set. */

import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import type { Database } from './database.ts'

/**
 * Nodes compare times that others wrote: leases of jobs, expiry of uploads, tokens and codes. A node whose clock is wrong
 * takes jobs away from others, finds their uploads expired, and sweeps them. Smaller differences only shorten a lifetime, and
 * `weft doctor` reports them. The same limit as in Kerberos (RFC 4120, section 1.6).
 */
const MAX_CLOCK_DIFFERENCE_MS = 5 * MINUTE

/** @throws {RequestError} `conflict` when the clocks differ by more than five minutes. */
export async function assertClock(database: Pick<Database, 'clockAheadMs'>): Promise<void> {
  const aheadMs = await database.clockAheadMs()
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return
  const order = aheadMs > 0 ? 'behind' : 'ahead of'
  throw new RequestError(
    'conflict',
    `The clock of this machine is ${durationText(Math.abs(aheadMs))} ${order} the clock of the database server.`,
    {
      hint: 'Synchronize the clocks of both machines, for example with NTP, then start Weft again.',
    },
  )
}

function durationText(ms: number): string {
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} minutes`
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)} hours`
  return `${Math.round(ms / DAY)} days`
}
