/** The composition root: from a configuration to a running service. */

import { bearerCheck } from '../access/bearer.ts'
import { visitOpener } from '../access/browser-session.ts'
import { addressReader } from '../guards/client-address.ts'
import { checkDeprecations, DEPRECATED_PARAMETERS } from '../guards/deprecations.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { openDatabase } from '../db/open.ts'
import { assemble } from '../http/assemble.ts'
import { refusePage } from '../html/message-page.ts'
import { clientDocuments, type ClientDocuments } from '../oauth/client-document.ts'
import { openJobs } from './jobs.ts'
import { listRoutes } from './catalog.ts'
import { seedDemo } from './seed-demo.ts'
import { createFirstLink } from '../sign-in/first-link.ts'
import { joinAddress } from '../sign-in/link-address.ts'
import { sweepRegularly } from './sweep.ts'
import { readVersion } from './version.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Route } from '../http/route.ts'
import type { Config } from './config.ts'

export interface Service extends AsyncDisposable {
  readonly database: Database
  /** All that it answers. */
  readonly routes: readonly Route[]
  /** Migrations applied at this start; all of them for a new database. */
  readonly applied: readonly string[]
  /** Whether the demo account was made at this start. */
  readonly seeded: boolean
  /** Where the first member joins; undefined once there is one. */
  readonly firstLink: string | undefined
  /** Begins to answer and to work; resolves with the port. */
  listen(): Promise<number>
}

export interface ServiceParts {
  readonly clock: Clock
  readonly log: Log
  /** Where metadata documents of OAuth clients are read; the public internet unless told otherwise. */
  readonly documents?: ClientDocuments
}

/** Opens and migrates the database, seeds the demo account, and puts the parts together. Answers nothing yet. */
export async function createService(
  config: Config,
  { clock, log, documents }: ServiceParts,
): Promise<Service> {
  const { database, applied } = await openDatabase(config.database, {
    clock,
    searchThreads: config.searchThreads,
  })
  const seeded = await seedDemo(database, clock.now())
  const firstLink = await createFirstLink(database, clock.now())
  const jobs = await openJobs(config, { database, clock, log })
  const { publicUrl } = config
  const authenticate = bearerCheck({ database, clock, publicUrl })
  const limits = createRateLimits({ overrides: config.rateLimits, clock })
  const routes = listRoutes({
    database,
    clock,
    log,
    publicUrl,
    quota: config.monthlyCredits,
    version: readVersion(),
    wake: (jobId?: number) => jobs.wake(jobId),
    authenticate,
    limits,
    securityContact: config.securityContact,
    rateLimits: config.rateLimits,
    documents: documents ?? clientDocuments({ clock }),
    refreshGraceSeconds: config.refreshGraceSeconds,
    signUp: config.signUp,
    oidc: config.oidc,
  })
  checkDeprecations([
    ...DEPRECATED_PARAMETERS,
    ...routes.flatMap(({ deprecated = [] }) => deprecated),
  ])
  const http = assemble({
    routes,
    notFoundPage: refusePage,
    authenticate,
    openVisit: visitOpener({ database, clock, publicUrl }),
    limits,
    addressOf: addressReader(config.trustedProxies),
    publicUrl,
    log,
  })
  let sweeping: AsyncDisposable | undefined
  return {
    database,
    routes,
    applied,
    seeded,
    firstLink: firstLink && joinAddress(publicUrl, firstLink),
    async listen() {
      const port = await http.listen(config.host, config.port)
      jobs.start()
      sweeping = sweepRegularly({ database, clock, log })
      return port
    },
    /** Graceful: refuses new requests, finishes those it has, lets go of its jobs, then closes the database. */
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), jobs.stop()])
      await sweeping?.[Symbol.asyncDispose]()
      await jobs[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
