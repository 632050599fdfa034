/** Runs jobs: together with HTTP in `weft serve`, alone in `weft work`. */

import { logLoosePaths, openDatabase } from '../db/engines/open.ts'
import { openJobDispatch } from '../jobs/open-dispatch.ts'
import { JobWorker, type WorkerDeps } from '../jobs/worker.ts'
import { openEmbedder, type Embedder } from '../embeddings/embedder.ts'
import { listJobKinds } from './catalog.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { requirePublicUrl, type Config } from './config.ts'

/** Dispatches jobs and, unless `jobConcurrency` is 0, runs some in this process. */
export interface Jobs extends AsyncDisposable {
  /** Starts running jobs. */
  start(): void
  /** Call it after the transaction that created a job, or requested its cancellation, has committed. */
  wake(jobId?: number): void
  /** Releases the jobs that run here. New jobs are still dispatched to other nodes. */
  stop(): Promise<void>
}

interface JobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly embedder: Embedder
  readonly openDispatch?: typeof openJobDispatch | undefined
  /** Called after a job has ended in this process. */
  readonly onEnded?: WorkerDeps['onEnded']
}

export async function openJobs(
  config: Config & { readonly publicUrl: string },
  { database, clock, log, embedder, openDispatch = openJobDispatch, onEnded }: JobsDeps,
): Promise<Jobs> {
  const { database: address, jobConcurrency: concurrency, databaseTimeoutSeconds } = config
  const dispatch = await openDispatch(address, log, databaseTimeoutSeconds)
  const worker =
    concurrency === 0
      ? undefined
      : new JobWorker({
          database,
          jobs: listJobKinds({ embedder, publicUrl: config.publicUrl }),
          clock,
          log,
          dispatch,
          concurrency,
          onEnded,
        })
  return {
    start: () => worker?.start(),
    wake: (jobId) => (worker ? worker.wake(jobId) : void dispatch.offer(jobId)),
    stop: async () => worker?.[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await worker?.[Symbol.asyncDispose]()
      await dispatch[Symbol.asyncDispose]()
    },
  }
}

/** Opens and migrates the database and starts running jobs, without HTTP. Dispose it to stop gracefully. */
export async function startWorking(
  settings: Config,
  { clock, log }: Pick<JobsDeps, 'clock' | 'log'>,
): Promise<AsyncDisposable> {
  // The result of an export contains its download URL.
  const config = { ...settings, publicUrl: requirePublicUrl(settings) }
  const { database, loose } = await openDatabase(config.database, {
    clock,
    searchThreads: config.searchThreads,
    timeoutSeconds: config.databaseTimeoutSeconds,
    connections: config.databaseConnections,
  })
  logLoosePaths(log, loose)
  try {
    const jobs = await openJobs(config, {
      database,
      clock,
      log,
      embedder: openEmbedder(config.embeddings),
    })
    jobs.start()
    return {
      async [Symbol.asyncDispose]() {
        await jobs[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}
