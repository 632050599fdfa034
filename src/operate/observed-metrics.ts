/** Metrics that are computed when they are read. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { SECOND, type Clock } from '../base/clock.ts'
import { withinTime } from '../base/concurrency/within-time.ts'
import { readPreparations } from '../connections/search/meaning/preparations.ts'
import { readBookState } from '../subscribed-books/book-store.ts'
import { readCalendarState } from '../connections/calendars/calendar-store.ts'
import { readDeliveryState } from '../deliveries/delivery-metrics.ts'
import { capitalized } from '../languages/capitalized.ts'
import { readOutbox } from '../outbox/outbox.ts'
import { readQueue } from '../pages/admin/job-queue.ts'
import type { Metrics } from '../base/monitoring/metrics.ts'
import type { Database } from '../db/database.ts'
import type { DueState } from '../db/due-rows.ts'
import type { RateLimits } from '../guards/rate-limits.ts'
import type { SharedWindows } from '../guards/shared-windows.ts'

export interface ObservedDeps {
  readonly database: Database
  /** Undefined in a process that serves no requests. */
  readonly limits?: Pick<RateLimits, 'rejected' | 'countedLocally'>
  /** Undefined without Redis. */
  readonly shared?: Pick<SharedWindows, 'isAvailable'> | undefined
  readonly clock: Clock
  readonly version: string
  readonly engine: string
  readonly sendsEmail: boolean
  /** When the process started, in milliseconds. */
  readonly startedAt: number
}

/** A scrape must not wait for an unavailable database. Milliseconds. */
const READ_TIMEOUT_MS = 2 * SECOND

/** Adds them. */
export function addObservedMetrics(metrics: Metrics, deps: ObservedDeps): void {
  const observing = { ...deps, metrics, ...gaugesOf(metrics, deps.clock) }
  observeJobs(observing)
  observePreparations(observing)
  if (deps.sendsEmail) observeEmails(observing)
  observeDue(observing, 'calendar', 'sync', readCalendarState)
  observeDue(observing, 'address book', 'pull', readBookState)
  observeDeliveries(observing)
  observePools(observing)
  if (deps.limits) observeRateLimits(metrics, deps.limits, deps.shared)
  observeProcess(observing)
}

interface Observing extends ObservedDeps, ReturnType<typeof gaugesOf> {
  readonly metrics: Metrics
}

function gaugesOf(metrics: Metrics, clock: Clock) {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    metrics.observed({ type: 'gauge', name, help, read: async () => [{ value: await read() }] })
  return {
    gauge,
    /** How many there are in each state. */
    states: (name: string, help: string, read: () => Promise<Readonly<Record<string, number>>>) =>
      metrics.observed({
        type: 'gauge',
        name,
        help,
        labels: ['state'],
        read: async () =>
          Object.entries(await read()).map(([state, value]) => ({ value, labels: { state } })),
      }),
    /** Seconds since a time, which is in milliseconds. Null and a later time are an age of 0. */
    age: (name: string, help: string, since: () => Promise<number | null>) =>
      gauge(name, help, async () => {
        const now = clock.now()
        return Math.max(0, now - ((await since()) ?? now)) / SECOND
      }),
  }
}

function observeJobs({ metrics, age, database, clock }: Observing): void {
  const read = () => withTimeout(readQueue(database, clock.now()))
  metrics.observed({
    type: 'gauge',
    name: 'weft_jobs',
    help: 'Unfinished jobs of all nodes. Abandoned jobs wait for another worker to take them over.',
    labels: ['kind', 'state'],
    read: async () =>
      (await read()).active.flatMap(({ kind, waiting, running, abandoned }) =>
        Object.entries({ queued: waiting, running, abandoned }).map(([state, value]) => ({
          value,
          labels: { kind, state },
        })),
      ),
  })
  age(
    'weft_job_queue_age_seconds',
    'Age of the oldest queued job of all nodes; 0 if none is queued.',
    async () => Math.min(...(await read()).active.map(({ waitsSince }) => waitsSince ?? Infinity)),
  )
}

function observePreparations({ states, age, database, clock }: Observing): void {
  const read = () => withTimeout(readPreparations(database, clock.now()))
  states(
    'weft_search_preparations',
    'Networks of all nodes whose index and vectors are out of date. Failed ones had three attempts.',
    async () => {
      const { gathering, due, running, abandoned, failed } = await read()
      return { gathering, due, running, abandoned, failed }
    },
  )
  age(
    'weft_search_preparation_age_seconds',
    'Age of the oldest preparation that is due or running; 0 without one.',
    async () => (await read()).oldestAt,
  )
}

function observeEmails({ states, age, database }: Observing): void {
  const read = () => withTimeout(readOutbox(database))
  states(
    'weft_emails',
    'Emails of all nodes that wait to be sent, or that failed in the last 30 days.',
    async () => {
      const { queued, failed } = await read()
      return { queued, failed }
    },
  )
  age(
    'weft_email_queue_age_seconds',
    'Age of the oldest queued email of all nodes; 0 if none is queued.',
    async () => (await read()).oldestAt,
  )
}

/** What is read again and again when it is due. */
function observeDue(
  { states, age, database, clock }: Observing,
  noun: 'calendar' | 'address book',
  work: string,
  readState: (database: Database, now: number) => Promise<DueState>,
): void {
  const read = () => withTimeout(readState(database, clock.now()))
  const name = `weft_${noun.replace(' ', '_')}`
  const plural = `${capitalized(noun)}s`
  states(
    `${name}s`,
    `${plural} of all nodes whose ${work} is due, and those whose last ${work} failed.`,
    async () => {
      const { due, failing } = await read()
      return { due, failing }
    },
  )
  age(
    `${name}_delay_seconds`,
    `Time since the longest-waiting ${noun} of all nodes became due; 0 if none is due.`,
    async () => (await read()).dueSince,
  )
}

function observeDeliveries({ metrics, age, database, clock }: Observing): void {
  const read = () => withTimeout(readDeliveryState(database, clock.now()))
  metrics.observed({
    type: 'gauge',
    name: 'weft_endpoints',
    help: 'Devices, webhooks and subscriptions of all nodes that have a message to send now, and those whose last attempt failed.',
    labels: ['kind', 'state'],
    read: async () => {
      const { due, failing } = await read()
      return Object.entries({ due, failing }).flatMap(([state, counts]) =>
        Object.entries(counts).map(([kind, value]) => ({ value, labels: { kind, state } })),
      )
    },
  })
  age(
    'weft_delivery_delay_seconds',
    'Time since the longest-waiting device, webhook or subscription of all nodes became due; 0 if none is due.',
    async () => (await read()).dueSince,
  )
  age(
    'weft_delivery_queue_age_seconds',
    'Age of the oldest message of all nodes that waits to be sent, also to one that fails; 0 if none waits.',
    async () => (await read()).oldestAt,
  )
}

function observePools({ metrics, gauge, database }: Observing): void {
  const ofPools = (name: string, help: string, of: 'size' | 'used' | 'waiting') =>
    metrics.observed({
      type: 'gauge',
      name,
      help,
      labels: ['pool'],
      read: () => database.usage().map((one) => ({ value: one[of], labels: { pool: one.pool } })),
    })
  ofPools('weft_database_pool_size', 'Connections or threads that a pool may have.', 'size')
  ofPools('weft_database_pool_used', 'Connections or threads of a pool that are in use.', 'used')
  ofPools('weft_database_pool_waiting', 'Callers that wait for a pool.', 'waiting')
  gauge(
    'weft_search_memory_bytes',
    'Memory of search indexes, which WEFT_SEARCH_MEMORY_MB limits.',
    () => database.memoryBytes,
  )
}

function observeRateLimits(
  metrics: Metrics,
  limits: NonNullable<ObservedDeps['limits']>,
  shared: ObservedDeps['shared'],
): void {
  metrics.observed({
    type: 'counter',
    name: 'weft_rate_limited_requests_total',
    help: 'Requests that a rate limit rejected.',
    labels: ['policy'],
    read: () =>
      limits.rejected().map(({ policy, count }) => ({ value: count, labels: { policy } })),
  })
  metrics.observed({
    type: 'gauge',
    name: 'weft_redis_up',
    help: 'Whether Redis responds: 1 or 0. Absent without WEFT_REDIS_URL.',
    read: () => (shared ? [{ value: shared.isAvailable ? 1 : 0 }] : []),
  })
  metrics.observed({
    type: 'counter',
    name: 'weft_rate_limit_fallbacks_total',
    help: 'Requests that this node counted by itself because Redis did not respond.',
    read: () => [{ value: limits.countedLocally }],
  })
}

/** Named as in the Prometheus client libraries, so that existing dashboards work. */
function observeProcess({ metrics, gauge, version, engine, startedAt }: Observing): void {
  metrics.observed({
    type: 'gauge',
    name: 'weft_build_info',
    help: 'Always 1; the labels identify the release.',
    labels: ['version', 'engine', 'node'],
    read: () => [{ value: 1, labels: { version, engine, node: process.versions.node } }],
  })
  gauge('process_start_time_seconds', 'Start time of the process since the epoch.', () =>
    Math.round(startedAt / SECOND),
  )
  gauge('process_resident_memory_bytes', 'Resident memory size.', () => process.memoryUsage.rss())
  gauge(
    'nodejs_heap_size_used_bytes',
    'Used size of the JavaScript heap.',
    () => process.memoryUsage().heapUsed,
  )
  metrics.observed({
    type: 'counter',
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process.',
    read: () => {
      const { user, system } = process.cpuUsage()
      return [{ value: (user + system) / 1e6 }]
    },
  })
  observeEventLoop(metrics)
}

/** Sampling interval. Milliseconds. */
const EVENT_LOOP_RESOLUTION_MS = 20

/** Each read covers the time since the previous read. */
function observeEventLoop(metrics: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS })
  delays.enable()
  metrics.observed({
    type: 'gauge',
    name: 'weft_event_loop_delay_seconds',
    help: 'Event loop delay since the metrics were last read, by percentile; 100 is the maximum.',
    labels: ['percentile'],
    read: () => {
      const samples = [
        ['50', delays.percentile(50)],
        ['99', delays.percentile(99)],
        ['100', delays.max],
      ] as const
      delays.reset()
      return samples.map(([percentile, nanoseconds]) => ({
        value: Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0,
        labels: { percentile },
      }))
    },
  })
}

async function withTimeout<T>(reading: Promise<T>): Promise<T> {
  const late = () => new Error('the database did not respond in time')
  return withinTime(READ_TIMEOUT_MS, reading, late)
}
