/** Sweeps while the service runs. */

import { DAY, HOUR, MINUTE, type Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'

/** Expired data is never used, so keeping it for another hour costs only disk space. */
const INTERVAL = HOUR
/**
 * The first sweep runs this long after the start, so that processes that restart often also sweep; up to twice as long,
 * so that nodes that start together do not sweep together.
 */
const FIRST_DELAY_MS = 3 * MINUTE

interface SweepDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Notifies the worker of a new job. */
  readonly wake: (jobId: number) => void
  /** Brings the demo account up to date. */
  readonly renewDemo: () => Promise<unknown>
  /** `WEFT_ACTIVITY_RETENTION_DAYS`; null keeps the latest changes of each member, however old. */
  readonly activityRetentionDays: number | null
}

/** Sweeps a few minutes after the start, then every hour. Once a day, also renews matching keys, drops old activity and erases deleted data from the database files. */
export function sweepRegularly({
  database,
  clock,
  log,
  wake,
  renewDemo,
  activityRetentionDays: days,
}: SweepDeps): AsyncDisposable {
  const stopping = new AbortController()
  let running = Promise.resolve()
  let eraseAt = clock.now()
  const sweepAll = async (now: number): Promise<void> => {
    const { renewContacts, startPurges, sweep, sweepActivity } = await import('./sweep.ts')
    const swept = await sweep(database, now, { signal: stopping.signal })
    const renewed = await renewContacts(database, now, { signal: stopping.signal })
    const purges = await startPurges(database, now, wake)
    await renewDemo()
    if (now >= eraseAt) {
      if (days !== null) await sweepActivity(database, days, now, { signal: stopping.signal })
      await database.erase()
      eraseAt = now + DAY
    }
    log.debug({ swept, renewed, purges }, 'swept')
  }
  let timer: NodeJS.Timeout
  const sweepIn = (delayMs: number) => {
    timer = setTimeout(() => {
      running = running
        .then(() => sweepAll(clock.now()))
        .catch((error: unknown) => log.error({ err: error }, 'sweep failed'))
      sweepIn(INTERVAL)
    }, delayMs)
    timer.unref()
  }
  sweepIn(FIRST_DELAY_MS * (1 + Math.random()))
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      stopping.abort()
      await running
    },
  }
}
