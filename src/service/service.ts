/** The composition root: from a configuration to a running service. */

import { bearerCheck } from '../access/bearer.ts'
import { browserRequestReader } from '../access/browser-session.ts'
import { addressReader } from '../guards/client-address.ts'
import { checkDeprecations, DEPRECATED_PARAMETERS } from '../guards/deprecations.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { MEBIBYTE } from '../db/member-memory.ts'
import { logLoosePaths, openDatabase } from '../db/engines/open.ts'
import { assemble, securityHeaders, type HttpService } from '../http/service.ts'
import { openListener, type Listener } from '../http/listener.ts'
import { answerProbes, type Probes } from '../http/probes.ts'
import { requestLog } from '../http/request-log.ts'
import { errorPage } from '../html/message.page.ts'
import { clientDocuments, type ClientDocuments } from '../oauth/client-document.ts'
import { openEmbedder, type Embedder } from '../embeddings/embedder.ts'
import { backUpDaily } from './backup.ts'
import { openJobs, type Jobs } from './jobs.ts'
import type { openJobDispatch } from '../jobs/open-dispatch.ts'
import { listRoutes } from './catalog.ts'
import { seedDemo, type DemoState } from './seed-demo.ts'
import { createFirstLink } from '../sign-in/invitations/first-link.ts'
import { joinAddress } from '../sign-in/session/link-address.ts'
import { listAdmins } from '../members/role.ts'
import { sweepRegularly } from './sweep.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { watchSchema } from './watch-schema.ts'
import { createServiceMetrics, type ServiceMetrics } from './service-metrics.ts'
import { nodeStatus } from './this-node.ts'
import { toolCallLog } from '../tools/tool-call-log.ts'
import { readVersion } from './version.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { SharedWindows } from '../guards/shared-windows.ts'
import type { Route } from '../http/route.ts'
import { localUrl, type Config, type MetricsSettings } from './config.ts'

export interface Service extends AsyncDisposable {
  readonly database: Database
  /** The public URL, with the bound port. */
  readonly publicUrl: string
  readonly port: number
  /** The port of `/metrics`; undefined if it has none of its own. */
  readonly metricsPort: number | undefined
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
  /** From now on `/readyz` reports 503, so that proxies stop sending requests. */
  drain(): void
}

interface ServiceDeps {
  readonly clock: Clock
  readonly log: Log
  /** Fetches metadata documents of OAuth clients; by default from the public internet. */
  readonly documents?: ClientDocuments
  /** Tells workers about new jobs; by default as the database engine does. */
  readonly openDispatch?: typeof openJobDispatch
  /** Milliseconds between two checks of the schema. */
  readonly schemaIntervalMs?: number
}

/**
 * Binds the port, opens and migrates the database, seeds the demo account, and wires the components. Responds with 503
 * until it is started. If a step fails, everything opened before is closed.
 *
 * The port comes first, because every public URL contains it, and a start with a port in use must change nothing.
 */
export async function createService(settings: Config, deps: ServiceDeps): Promise<Service> {
  const { clock, log, openDispatch } = deps
  await using opening = new AsyncDisposableStack()
  const readiness = createReadiness(log)
  const metrics = settings.metrics && createServiceMetrics(log)
  const probes = probesOf(settings.metrics, readiness, metrics)
  const listener = opening.use(
    await openListener(settings.host, settings.port, {
      headers: securityHeaders(settings.publicUrl ?? ''),
      probes: answerProbes(probes.main),
    }),
  )
  const metricsListener = probes.own && opening.use(await openMetricsListener(probes.own))
  const { port } = listener
  const publicUrl = settings.publicUrl ?? localUrl(settings.host, port)
  const config = { ...settings, port, publicUrl }
  const { searchThreads, searchMemoryMb, databaseTimeoutSeconds: timeoutSeconds } = config
  const { database, applied, loose, newest } = await openDatabase(config.database, {
    clock,
    searchThreads,
    memoryBytes: searchMemoryMb * MEBIBYTE,
    timeoutSeconds,
    connections: config.databaseConnections,
    timings: metrics?.timings,
  })
  opening.use(database)
  logLoosePaths(log, loose)
  const demo = await seedDemo(database, clock.now())
  const firstLink = await createFirstLink(database, clock.now())
  const embedder = openEmbedder(config.embeddings)
  const shared = opening.use(await openSharedLimits(config, log, metrics))
  const jobs = opening.use(
    await openJobs(config, {
      database,
      clock,
      log,
      embedder,
      openDispatch,
      onEnded: metrics?.onEnded,
    }),
  )
  const { routes, http } = assembleService(config, deps, {
    database,
    embedder,
    jobs,
    metrics,
    shared,
  })
  const opened = opening.move()
  return {
    publicUrl,
    port,
    metricsPort: metricsListener?.port,
    database,
    routes,
    applied,
    demo,
    hasAdmin: (await listAdmins(database)).size > 0,
    firstLink: firstLink && joinAddress(publicUrl, firstLink),
    start() {
      http.answerAt(listener)
      readiness.start(database)
      jobs.start()
      const onIncompatible = (migration: string) => {
        log.error(
          { migration },
          'a newer version of Weft has migrated the database; restart this node with that version',
        )
        readiness.outdate()
        void jobs.stop()
      }
      opened.use(
        watchSchema({ database, newest, onIncompatible, intervalMs: deps.schemaIntervalMs }),
      )
      const { backupDirectory: directory, backupUrl } = config
      if (directory !== null)
        opened.use(backUpDaily({ database: config.database, backupUrl, directory, clock, log }))
      opened.use(sweepRegularly({ database, clock, log, wake: (jobId) => jobs.wake(jobId) }))
    },
    drain: () => readiness.drain(),
    /** Rejects new requests, finishes open ones, releases jobs, then closes the database. */
    async [Symbol.asyncDispose]() {
      readiness.drain()
      await Promise.all([http[Symbol.asyncDispose](), jobs.stop()])
      await opened[Symbol.asyncDispose]()
    },
  }
}

interface OpenedDeps {
  readonly database: Database
  readonly embedder: Embedder
  readonly jobs: Jobs
  readonly metrics: ServiceMetrics | null
  /** Undefined without Redis. */
  readonly shared: SharedWindows | undefined
}

interface ServiceProbes {
  /** For the main port. */
  readonly main: Probes
  /** For the port of metrics. */
  readonly own: (Probes & Pick<MetricsSettings, 'host'> & { readonly port: number }) | undefined
}

function probesOf(
  settings: MetricsSettings | null,
  readiness: Readiness,
  metrics: ServiceMetrics | null,
): ServiceProbes {
  const shared = { readiness: () => readiness.check() }
  if (!settings || !metrics) return { main: shared, own: undefined }
  const { host, port, token } = settings
  const text = () => metrics.text()
  return {
    main: token === null ? shared : { ...shared, metrics: { text, token } },
    own: port === null ? undefined : { ...shared, host, port, metrics: { text, token: null } },
  }
}

async function openMetricsListener({
  host,
  port,
  ...probes
}: NonNullable<ServiceProbes['own']>): Promise<Listener> {
  const listener = await openListener(host, port, { probes: answerProbes(probes) })
  listener.answerWith((_, response) => response.writeHead(404).end())
  return listener
}

/** The client of Redis is imported only by nodes that use it. */
async function openSharedLimits(
  { redisUrl }: Config,
  log: Log,
  metrics: ServiceMetrics | null,
): Promise<SharedWindows | undefined> {
  if (redisUrl === null) return undefined
  const { openSharedWindows } = await import('../guards/shared-windows.ts')
  return openSharedWindows({ url: redisUrl, log, onAnswered: metrics?.onRedisAnswered })
}

function assembleService(
  config: Config & Pick<Service, 'publicUrl'>,
  { clock, log, documents }: ServiceDeps,
  { database, embedder, jobs, metrics, shared }: OpenedDeps,
): { readonly routes: Route[]; readonly http: HttpService } {
  const { publicUrl } = config
  const authenticate = bearerCheck({ database, clock, publicUrl })
  const limits = createRateLimits({ overrides: config.rateLimits, clock, shared })
  const requests = requestLog(log, config.logRequests)
  const calls = toolCallLog(log, config.logRequests)
  const version = readVersion()
  const node = nodeStatus(config, clock)
  metrics?.observe({
    database,
    limits,
    shared,
    clock,
    version,
    engine: config.database.engine,
    startedAt: node.startedAt,
  })
  const routes = listRoutes({
    ...config,
    database,
    clock,
    log,
    quota: config.monthlyCredits,
    version,
    embedder,
    wake: (jobId?: number) => jobs.wake(jobId),
    authenticate,
    limits,
    documents: documents ?? clientDocuments({ clock }),
    node,
    onCalled: metrics ? both(metrics.onCalled, calls) : calls,
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
    onAnswered: metrics ? both(metrics.onAnswered, requests) : requests,
  })
  return { routes, http }
}

function both<T>(one: (event: T) => void, other: (event: T) => void): (event: T) => void {
  return (event) => {
    one(event)
    other(event)
  }
}
