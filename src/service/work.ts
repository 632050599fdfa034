/** `weft work`: runs jobs without serving requests, alongside any number of other processes. */

import { codeOf } from '../base/thrown.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { lazy } from '../base/lazy.ts'
import { readSealSecret } from '../config/seal-secret.ts'
import { openEmbedder } from '../embeddings/embedder.ts'
import { openJobs } from './background-work.ts'
import { openMetricsListener, probesOf } from '../operate/metrics-listener.ts'
import { openServiceDatabase } from './open-service-database.ts'
import { createReadiness } from '../operate/readiness.ts'
import { createServiceMetrics } from '../operate/service-metrics.ts'
import { openTracing } from './tracing.ts'
import { readVersion } from './version.ts'
import { drainWhenOutdated } from './watch-schema.ts'
import { requirePublicUrl, type Config } from '../config/config.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Listener } from '../http/listener.ts'

interface Working extends AsyncDisposable {
  /** The port of `/metrics`, `/healthz` and `/readyz`; undefined if `WEFT_METRICS_PORT` is not set or taken. */
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
  const trace = await openTracing()
  const { own } = probesOf(config.metrics, readiness, metrics)
  const listener = own && opening.use(await openFreeListener(own, log))
  const opened = await openServiceDatabase(config, { clock, log, metrics, trace })
  const { database, newest, sharedClock } = opened
  opening.use(database)
  metrics?.observe({
    database,
    clock,
    version: readVersion(),
    engine: config.database.engine,
    startedAt: clock.now(),
    sendsEmail: config.smtp !== null,
  })
  const embedder = openEmbedder(config.embeddings)
  const jobs = opening.use(
    openJobs(config, {
      database,
      clock: sharedClock,
      log,
      embedder,
      metrics,
      trace,
      calendars: {
        sealSecret: lazy(() => readSealSecret(config)),
        outgoing: new OutgoingPool(),
      },
    }),
  )
  opening.use(drainWhenOutdated({ database, newest, log, readiness, jobs }))
  readiness.start(database)
  jobs.start()
  const closing = opening.move()
  return {
    metricsPort: listener?.port,
    drain: () => readiness.drain(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** A server on this machine with the same settings may have the port. Jobs matter more than metrics. */
async function openFreeListener(
  own: Parameters<typeof openMetricsListener>[0],
  log: Log,
): Promise<Listener | undefined> {
  try {
    return await openMetricsListener(own)
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error
    log.warn(
      { err: error },
      'no metrics for this process; set WEFT_METRICS_PORT to a different port',
    )
    return undefined
  }
}
