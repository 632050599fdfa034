/** The composition root: from a configuration to a running service. */

import { checkDeprecations, DEPRECATED_PARAMETERS } from '../guards/deprecations.ts'
import { bearerCheck } from '../access/bearer.ts'
import { deviceCheck } from '../access/device-password.ts'
import { browserRequestReader } from '../access/browser-session.ts'
import { createPasswordHasher, type PasswordHasher } from '../access/passwords/password-hash.ts'
import { addressReader } from '../guards/client-address.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { openServiceDatabase } from './open-service-database.ts'
import { LargeBodies } from '../http/body/large-bodies.ts'
import { assemble, securityHeaders, type HttpService } from '../http/http-service.ts'
import { openListener } from '../http/listener.ts'
import { answerProbes } from '../http/probes.ts'
import { requestLog } from '../http/request-log.ts'
import { errorPage } from '../html/message.page.ts'
import { createAttemptRecorder } from '../oauth/attempts/attempt-recorder.ts'
import { clientDocuments, type ClientDocuments } from '../oauth/client-document.ts'
import { openEmbedder, type Embedder } from '../embeddings/embedder.ts'
import { assertBackupDirectory, backUpDaily } from '../operate/backup.ts'
import { openJobs, type Jobs } from './background-work.ts'
import type { openDatabase } from '../db/engines/open.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { routeGroups } from './route-groups.ts'
import { renewDemo, seedDemo, type DemoState } from '../acts/seed-demo.ts'
import { createFirstLink } from '../sign-in/invitations/first-link.ts'
import { typedForms } from '../forms/typed-forms.ts'
import { joinAddress } from '../sign-in/session/one-time-link-url.ts'
import { listAdmins } from '../members/admin-role.ts'
import { sweepRegularly } from '../operate/regular-sweep.ts'
import { createReadiness } from '../operate/readiness.ts'
import { openMetricsListener, probesOf } from '../operate/metrics-listener.ts'
import { drainWhenOutdated } from './watch-schema.ts'
import { createServiceMetrics, type ServiceMetrics } from '../operate/service-metrics.ts'
import { nodeStatus } from './this-node.ts'
import { openTracing } from './tracing.ts'
import { toolCallLog } from '../tools/tool-call-log.ts'
import { readRepository, readVersion } from './version.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { Database } from '../db/database.ts'
import type { SharedWindows } from '../guards/shared-windows.ts'
import type { Route } from '../http/route.ts'
import { localUrl, type Config } from '../config/config.ts'
import { readSealSecret } from '../config/seal-secret.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { lazy } from '../base/lazy.ts'
import type { CalendarAccess } from '../connections/calendars/calendar-deps.ts'
import type { FetchPolicy } from '../http/public-fetch/public-fetch.ts'

export interface Service extends AsyncDisposable {
  readonly database: Database
  /** The public URL, with the bound port. */
  readonly publicUrl: string
  readonly port: number
  /** The port of `/metrics`; undefined if it has none of its own. */
  readonly metricsPort: number | undefined
  /** All routes; loads those that no request has needed yet. */
  listRoutes(): Promise<readonly Route[]>
  /** Migrations applied at this start; for a new database, all of them. */
  readonly applied: readonly string[]
  readonly demo: DemoState
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
  /** How calendars are fetched; by default from the public internet. */
  readonly calendarFetch?: Partial<FetchPolicy>
  /** Hashes passwords; by default at the recommended cost. */
  readonly hasher?: PasswordHasher
  /** Opens the database; by default migrates it first. */
  readonly openDatabase?: typeof openDatabase
  /** Milliseconds between two checks of the schema. */
  readonly schemaIntervalMs?: number
  /** How long a connection must be idle before a shutdown closes it. Milliseconds; 0 by default. */
  readonly idleGraceMs?: number
}

/**
 * Binds the port, opens and migrates the database, seeds the demo account, and wires the components. Responds with 503
 * until it is started. If a step fails, everything opened before is closed.
 *
 * The port comes first, because every public URL contains it, and a start with a port in use must change nothing.
 */
export async function createService(settings: Config, deps: ServiceDeps): Promise<Service> {
  const { clock, log, openDatabase: open } = deps
  checkDeprecations(DEPRECATED_PARAMETERS)
  if (settings.backupDirectory !== null) assertBackupDirectory(settings.backupDirectory)
  await using opening = new AsyncDisposableStack()
  const readiness = createReadiness(log)
  const metrics = settings.metrics && createServiceMetrics(log)
  const trace = await openTracing()
  const probes = probesOf(settings.metrics, readiness, metrics)
  const listener = opening.use(
    await openListener(settings.host, settings.port, {
      headers: securityHeaders(settings.publicUrl ?? ''),
      probes: answerProbes(probes.main),
      idleGraceMs: deps.idleGraceMs,
    }),
  )
  const metricsListener = probes.own && opening.use(await openMetricsListener(probes.own))
  const { port } = listener
  const publicUrl = settings.publicUrl ?? localUrl(settings.host, port)
  const config = { ...settings, port, publicUrl }
  const opened = await openServiceDatabase(config, { clock, log, metrics, trace, open })
  const { database, applied, newest, sharedClock } = opened
  opening.use(database)
  const demo = config.demo === 'on' ? await seedDemo(database, clock.now()) : 'off'
  const firstLink = await createFirstLink(database, clock.now())
  const embedder = openEmbedder(config.embeddings)
  const outgoing = new OutgoingPool()
  const calendars = {
    sealSecret: lazy(() => readSealSecret(config)),
    outgoing,
    fetchPolicy: deps.calendarFetch ?? {},
  }
  const shared = opening.use(await openSharedLimits(config, log, metrics))
  const jobs = opening.use(
    openJobs(config, {
      database,
      clock: sharedClock,
      log,
      embedder,
      metrics,
      trace,
      calendars,
    }),
  )
  const { groups, http } = assembleService(config, deps, {
    database,
    embedder,
    jobs,
    metrics,
    shared,
    trace,
    calendars,
  })
  const closing = opening.move()
  return {
    publicUrl,
    port,
    metricsPort: metricsListener?.port,
    database,
    async listRoutes() {
      const [first, ...later] = groups
      return [...first, ...(await Promise.all(later.map((load) => load()))).flat()]
    },
    applied,
    demo,
    hasAdmin: (await listAdmins(database)).size > 0,
    firstLink: firstLink && joinAddress(publicUrl, firstLink),
    start() {
      http.answerAt(listener)
      readiness.start(database)
      jobs.start()
      closing.use(
        drainWhenOutdated({
          database,
          newest,
          log,
          readiness,
          jobs,
          intervalMs: deps.schemaIntervalMs,
        }),
      )
      const { backupDirectory: directory, backupUrl } = config
      if (directory !== null)
        closing.use(backUpDaily({ database: config.database, backupUrl, directory, clock, log }))
      const { activityRetentionDays } = config
      closing.use(
        sweepRegularly({
          database,
          clock: sharedClock,
          log,
          wake: () => jobs.wake(),
          renewDemo: async () => config.demo === 'on' && renewDemo(database, sharedClock.now()),
          activityRetentionDays,
        }),
      )
    },
    drain: () => readiness.drain(),
    /** Rejects new requests, finishes open ones, releases jobs, then closes the database. */
    async [Symbol.asyncDispose]() {
      readiness.drain()
      await Promise.all([http[Symbol.asyncDispose](), jobs.stop()])
      await closing[Symbol.asyncDispose]()
    },
  }
}

interface OpenedDeps {
  readonly database: Database
  readonly embedder: Embedder
  readonly jobs: Jobs
  readonly calendars: CalendarAccess
  readonly metrics: ServiceMetrics | null
  /** Undefined without Redis. */
  readonly shared: SharedWindows | undefined
  /** Undefined without an OpenTelemetry SDK. */
  readonly trace: Trace | undefined
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
  { clock, log, documents, hasher = createPasswordHasher() }: ServiceDeps,
  { database, embedder, jobs, metrics, shared, trace, calendars }: OpenedDeps,
): { readonly groups: ReturnType<typeof routeGroups>; readonly http: HttpService } {
  const { publicUrl } = config
  const authenticate = bearerCheck({ database, clock, publicUrl })
  const authenticateDevice = deviceCheck({ database, clock })
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
    sendsEmail: config.smtp !== null,
    startedAt: node.startedAt,
  })
  const addressOf = addressReader(config.trustedProxies)
  const attempts = createAttemptRecorder({ database, clock, log, publicUrl, addressOf })
  const answered = metrics ? both(metrics.onAnswered, requests) : requests
  const groups = routeGroups({
    asksLegacyClients: config.redisUrl === null,
    attempts,
    ...config,
    database,
    clock,
    log,
    quota: config.monthlyCredits,
    version,
    repository: readRepository(),
    embedder,
    calendars,
    wake: () => jobs.wake(),
    authenticate,
    hasher,
    limits,
    documents: documents ?? clientDocuments({ clock }),
    node,
    onCalled(called) {
      metrics?.onCalled(called)
      calls(called)
    },
    trace,
  })
  const [routes, ...laterRoutes] = groups
  const versions = lazy(async () => {
    const { memberVersion } = await import('../pages/member-version.ts')
    return memberVersion({ ...config, database, clock, embedder })
  })
  const http = assemble({
    routes,
    laterRoutes,
    errorPage,
    async memberVersion(...page) {
      return (await versions())(...page)
    },
    authenticate,
    authenticateDevice,
    readBrowserRequest: browserRequestReader({ ...config, database, clock, publicUrl }),
    typedForms: typedForms({ database, clock, publicUrl }),
    limits,
    tourLimit: LIMITS.tour,
    addressOf,
    publicUrl,
    largeBodies: new LargeBodies(),
    log,
    onAnswered: both(answered, (one) => attempts.observe(one)),
    trace,
  })
  return { groups, http }
}

function both<T>(one: (event: T) => void, other: (event: T) => void): (event: T) => void {
  return (event) => {
    one(event)
    other(event)
  }
}
