/** The part of a service that runs jobs: beside HTTP in `weft serve`, alone in `weft work`. */

import { logLoosePaths, openDatabase } from '../db/engines/open.ts'
import { openJobDispatch } from '../jobs/open-dispatch.ts'
import { JobWorker } from '../jobs/worker.ts'
import { openEmbedder, type Embedder } from '../embeddings/embedder.ts'
import { listJobKinds } from './catalog.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { requirePublicUrl, type Config } from './config.ts'

/** Hands jobs out and, unless `jobConcurrency` is 0, runs some of them here. */
export interface Jobs extends AsyncDisposable {
  /** Begins to run jobs. */
  start(): void
  /** Call it when a job was made, or is to be cancelled; committed, in either case. */
  wake(jobId?: number): void
  /** Lets go of the jobs that run here; those made meanwhile are still handed to other nodes. */
  stop(): Promise<void>
}

interface JobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly embedder: Embedder
}

export async function openJobs(
  config: Config & { readonly publicUrl: string },
  { database, clock, log, embedder }: JobsDeps,
): Promise<Jobs> {
  const { database: address, jobConcurrency: concurrency, databaseTimeoutSeconds } = config
  const dispatch = await openJobDispatch(address, log, databaseTimeoutSeconds)
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

/** Opens and migrates the database, and begins to run jobs; no HTTP. Dispose it to stop gracefully. */
export async function startWorking(
  settings: Config,
  { clock, log }: Pick<JobsDeps, 'clock' | 'log'>,
): Promise<AsyncDisposable> {
  // The result of an export holds the address to download it from.
  const config = { ...settings, publicUrl: requirePublicUrl(settings) }
  const { database, loose } = await openDatabase(config.database, {
    clock,
    searchThreads: config.searchThreads,
    timeoutSeconds: config.databaseTimeoutSeconds,
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
