/** The composition root: from a configuration to a running service. */

import { bearerCheck } from '../access/bearer.ts'
import { openDatabase } from '../db/open.ts'
import { assemble } from '../http/assemble.ts'
import { openJobs } from './jobs.ts'
import { listRoutes } from './catalog.ts'
import { seedDemo } from './seed-demo.ts'
import { readVersion } from './version.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Config } from './config.ts'

export interface Service extends AsyncDisposable {
  readonly database: Database
  /** Migrations applied at this start; all of them for a new database. */
  readonly applied: readonly string[]
  /** Whether the demo account was made at this start. */
  readonly seeded: boolean
  /** Begins to answer and to work; resolves with the port. */
  listen(): Promise<number>
}

/** Opens and migrates the database, seeds the demo account, and puts the parts together. Answers nothing yet. */
export async function createService(
  config: Config,
  { clock, log }: { clock: Clock; log: Log },
): Promise<Service> {
  const { database, applied } = await openDatabase(config.database, {
    clock,
    searchThreads: config.searchThreads,
  })
  const seeded = await seedDemo(database, clock.now())
  const jobs = await openJobs(config, { database, clock, log })
  const { publicUrl } = config
  const http = assemble({
    routes: listRoutes({
      database,
      clock,
      log,
      publicUrl,
      quota: config.monthlyCredits,
      version: readVersion(),
      wake: (jobId?: number) => jobs.wake(jobId),
    }),
    authenticate: bearerCheck({ database, clock, publicUrl }),
    log,
  })
  return {
    database,
    applied,
    seeded,
    async listen() {
      const port = await http.listen(config.host, config.port)
      jobs.start()
      return port
    },
    /** Graceful: refuses new requests, finishes those it has, lets go of its jobs, then closes the database. */
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), jobs.stop()])
      await jobs[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
