/** The clock of jobs and sweeps, which several nodes run: the database server's, if this machine's is wrong. */

import { DAY, HOUR, MINUTE, type Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from './database.ts'

/**
 * Leases of jobs, and the lifetimes of uploads and other rows that sweeps delete, were written by other nodes. By a clock
 * that is ahead, a node would take over their running jobs and delete what they just wrote. Smaller differences only shorten a
 * lifetime. The same limit as in Kerberos (RFC 4120, section 1.6).
 */
const MAX_CLOCK_DIFFERENCE_MS = 5 * MINUTE

/** The given clock, corrected and with a warning when it differs from the database server's by more than five minutes. */
export async function openSharedClock(
  database: Pick<Database, 'clockAheadMs'>,
  clock: Clock,
  log: Log,
): Promise<Clock> {
  const aheadMs = await database.clockAheadMs()
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return clock
  const order = aheadMs > 0 ? 'behind' : 'ahead of'
  log.warn(
    `The clock of this machine is ${durationText(Math.abs(aheadMs))} ${order} the clock of the database server. ` +
      'Synchronize both, for example with NTP, then restart Weft: sign-ins, links and credits follow the clock of this machine.',
  )
  return { now: () => clock.now() + aheadMs }
}

function durationText(ms: number): string {
  if (ms < 2 * HOUR) return `${Math.round(ms / MINUTE)} minutes`
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)} hours`
  return `${Math.round(ms / DAY)} days`
}
