/** `weft work`: runs jobs without serving requests, beside any number of other processes. */

import { MEBIBYTE } from '../db/member-memory.ts'
import { logLoosePaths, openDatabase } from '../db/engines/open.ts'
import { openEmbedder } from '../embeddings/embedder.ts'
import { openJobs } from './jobs.ts'
import { openMetricsListener, probesOf } from './metrics-listener.ts'
import { createReadiness } from './readiness.ts'
import { createServiceMetrics } from './service-metrics.ts'
import { readVersion } from './version.ts'
import { drainWhenOutdated } from './watch-schema.ts'
import { requirePublicUrl, type Config } from './config.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

interface Working extends AsyncDisposable {
  /** The port of `/metrics`, `/healthz` and `/readyz`; undefined without `WEFT_METRICS_PORT`. */
  readonly metricsPort: number | undefined
  /** From now on `/readyz` reports 503. */
  drain(): void
}

/** Opens and migrates the database and starts running jobs. Dispose it to stop gracefully. */
export async function startWorking(
  settings: Config,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Working> {
  // The result of an export contains its download URL.
  const config = { ...settings, publicUrl: requirePublicUrl(settings) }
  await using opening = new AsyncDisposableStack()
  const readiness = createReadiness(log)
  const metrics = config.metrics && createServiceMetrics(log)
  const { own } = probesOf(config.metrics, readiness, metrics)
  const listener = own && opening.use(await openMetricsListener(own))
  const { database, loose, newest } = await openDatabase(config.database, {
    clock,
    searchThreads: config.searchThreads,
    memoryBytes: config.searchMemoryMb * MEBIBYTE,
    timeoutSeconds: config.databaseTimeoutSeconds,
    connections: config.databaseConnections,
    timings: metrics?.timings,
  })
  opening.use(database)
  logLoosePaths(log, loose)
  metrics?.observe({
    database,
    clock,
    version: readVersion(),
    engine: config.database.engine,
    startedAt: clock.now(),
  })
  const embedder = openEmbedder(config.embeddings)
  const jobs = opening.use(
    await openJobs(config, { database, clock, log, embedder, onEnded: metrics?.onEnded }),
  )
  opening.use(drainWhenOutdated({ database, newest, log, readiness, jobs }))
  readiness.start(database)
  jobs.start()
  const opened = opening.move()
  return {
    metricsPort: listener?.port,
    drain: () => readiness.drain(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
