/** Opens the configured database of a process that serves requests or runs jobs. */

import { MEBIBYTE } from '../db/member-memory.ts'
import { traceDatabase } from '../db/traced-database.ts'
import { logLoosePaths, openDatabase, type OpenedDatabase } from '../db/engines/open.ts'
import { openSharedClock } from '../db/shared-clock.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { Config } from '../config/config.ts'
import type { ServiceMetrics } from '../operate/service-metrics.ts'

interface Deps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<ServiceMetrics, 'timings'> | null
  readonly trace?: Trace | undefined
  readonly open?: typeof openDatabase | undefined
}

/** Opens and migrates it, and warns about files that others can read and about a wrong clock. */
export async function openServiceDatabase(
  config: Config,
  { clock, log, metrics, trace, open = openDatabase }: Deps,
): Promise<OpenedDatabase & { readonly sharedClock: Clock }> {
  const opened = await open(config.database, {
    clock,
    searchThreads: config.searchThreads,
    memoryBytes: config.searchMemoryMb * MEBIBYTE,
    timeoutSeconds: config.databaseTimeoutSeconds,
    connections: config.databaseConnections,
    timings: metrics?.timings,
  })
  logLoosePaths(log, opened.loose)
  const sharedClock = await openSharedClock(opened.database, clock, log)
  if (!trace) return { ...opened, sharedClock }
  const database = traceDatabase(opened.database, config.database.engine, trace)
  return { ...opened, sharedClock, database }
}
