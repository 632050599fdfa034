/** The composition root: from a configuration to a running service. */

import { bearerCheck } from '../access/bearer.ts'
import { browserRequestReader } from '../access/browser-session.ts'
import { addressReader } from '../guards/client-address.ts'
import { checkDeprecations, DEPRECATED_PARAMETERS } from '../guards/deprecations.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { logLoosePaths, openDatabase } from '../db/engines/open.ts'
import { assemble, securityHeaders, type HttpService } from '../http/service.ts'
import { openListener } from '../http/listener.ts'
import { errorPage } from '../html/message.page.ts'
import { clientDocuments, type ClientDocuments } from '../oauth/client-document.ts'
import { openEmbedder, type Embedder } from '../embeddings/embedder.ts'
import { openJobs, type Jobs } from './jobs.ts'
import { listRoutes } from './catalog.ts'
import { seedDemo, type DemoState } from './seed-demo.ts'
import { createFirstLink } from '../sign-in/invitations/first-link.ts'
import { joinAddress } from '../sign-in/session/link-address.ts'
import { listAdmins } from '../members/role.ts'
import { sweepRegularly } from './sweep.ts'
import { nodeStatus } from './this-node.ts'
import { readVersion } from './version.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Route } from '../http/route.ts'
import { localUrl, type Config } from './config.ts'

export interface Service extends AsyncDisposable {
  readonly database: Database
  /** The public URL, with the bound port. */
  readonly publicUrl: string
  readonly port: number
  /** All routes. */
  readonly routes: readonly Route[]
  /** Migrations applied at this start; for a new database, all of them. */
  readonly applied: readonly string[]
  readonly demo: DemoState
  /** Whether any member is an admin. */
  readonly hasAdmin: boolean
  /** The link for the first member to join; undefined once there is a member. */
  readonly firstLink: string | undefined
  /** Starts responding to requests and running jobs. */
  start(): void
}

interface ServiceDeps {
  readonly clock: Clock
  readonly log: Log
  /** Fetches metadata documents of OAuth clients; by default from the public internet. */
  readonly documents?: ClientDocuments
}

/**
 * Binds the port, opens and migrates the database, seeds the demo account, and wires the components. Responds with 503
 * until it is started. If a step fails, everything opened before is closed.
 *
 * The port comes first, because every public URL contains it, and a start with a port in use must change nothing.
 */
export async function createService(settings: Config, deps: ServiceDeps): Promise<Service> {
  const { clock, log } = deps
  await using opening = new AsyncDisposableStack()
  const listener = opening.use(
    await openListener(settings.host, settings.port, {
      headers: securityHeaders(settings.publicUrl ?? ''),
    }),
  )
  const { port } = listener
  const publicUrl = settings.publicUrl ?? localUrl(settings.host, port)
  const config = { ...settings, port, publicUrl }
  const { searchThreads, databaseTimeoutSeconds: timeoutSeconds } = config
  const { database, applied, loose } = await openDatabase(config.database, {
    clock,
    searchThreads,
    timeoutSeconds,
  })
  opening.use(database)
  logLoosePaths(log, loose)
  const demo = await seedDemo(database, clock.now())
  const firstLink = await createFirstLink(database, clock.now())
  const embedder = openEmbedder(config.embeddings)
  const jobs = opening.use(await openJobs(config, { database, clock, log, embedder }))
  const { routes, http } = assembleService(config, deps, { database, embedder, jobs })
  const opened = opening.move()
  return {
    publicUrl,
    port,
    database,
    routes,
    applied,
    demo,
    hasAdmin: (await listAdmins(database)).size > 0,
    firstLink: firstLink && joinAddress(publicUrl, firstLink),
    start() {
      http.answerAt(listener)
      jobs.start()
      opened.use(sweepRegularly({ database, clock, log, wake: (jobId) => jobs.wake(jobId) }))
    },
    /** Rejects new requests, finishes open ones, releases jobs, then closes the database. */
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), jobs.stop()])
      await opened[Symbol.asyncDispose]()
    },
  }
}

interface OpenedDeps {
  readonly database: Database
  readonly embedder: Embedder
  readonly jobs: Jobs
}

function assembleService(
  config: Config & Pick<Service, 'publicUrl'>,
  { clock, log, documents }: ServiceDeps,
  { database, embedder, jobs }: OpenedDeps,
): { readonly routes: Route[]; readonly http: HttpService } {
  const { publicUrl } = config
  const authenticate = bearerCheck({ database, clock, publicUrl })
  const limits = createRateLimits({ overrides: config.rateLimits, clock })
  const routes = listRoutes({
    ...config,
    database,
    clock,
    log,
    quota: config.monthlyCredits,
    version: readVersion(),
    embedder,
    wake: (jobId?: number) => jobs.wake(jobId),
    authenticate,
    limits,
    documents: documents ?? clientDocuments({ clock }),
    node: nodeStatus(config, clock),
  })
  checkDeprecations([
    ...DEPRECATED_PARAMETERS,
    ...routes.flatMap(({ deprecated = [] }) => deprecated),
  ])
  const http = assemble({
    routes,
    errorPage: errorPage,
    authenticate,
    readBrowserRequest: browserRequestReader({ database, clock, publicUrl }),
    limits,
    addressOf: addressReader(config.trustedProxies),
    publicUrl,
    log,
  })
  return { routes, http }
}
