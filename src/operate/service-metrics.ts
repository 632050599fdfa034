/** Every metric that Weft exposes, in one place. `docs/running/monitoring.md` describes them. */

import { Metrics } from '../base/monitoring/metrics.ts'
import { SECOND } from '../base/clock.ts'
import { addObservedMetrics, type ObservedDeps } from './observed-metrics.ts'
import type { Log } from '../base/log.ts'
import type { DatabaseTimings } from '../db/database.ts'
import type { DeliveryDeps } from '../deliveries/delivery-sender.ts'
import type { OnAnswered } from '../http/handle-request.ts'
import type { SenderDeps } from '../email/sender.ts'
import type { WorkerDeps } from '../jobs/worker.ts'
import type { OnCalled } from '../tools/run-tool-types.ts'

/** Receives what the service measures. Each callback is passed to the component that measures it. */
export interface ServiceMetrics {
  readonly onAnswered: OnAnswered
  readonly onCalled: OnCalled
  readonly onEnded: NonNullable<WorkerDeps['onEnded']>
  readonly onAttempted: NonNullable<SenderDeps['onAttempted']>
  readonly onDelivered: NonNullable<DeliveryDeps['onDelivered']>
  readonly timings: DatabaseTimings
  /** Receives the duration of every Redis request, in milliseconds. */
  readonly onRedisAnswered: (milliseconds: number) => void
  /** Adds the metrics that are computed when they are read. */
  observe(observed: ObservedDeps): void
  text(): Promise<string>
}

export function createServiceMetrics(log: Log): ServiceMetrics {
  const metrics = new Metrics()
  const requests = metrics.histogram({
    name: 'weft_http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labels: ['method', 'route', 'status'],
  })
  const calls = metrics.histogram({
    name: 'weft_tool_call_duration_seconds',
    help: 'Time of a metered tool call. The outcome is ok or the code of the error.',
    labels: ['tool', 'outcome'],
  })
  const credits = metrics.counter({
    name: 'weft_credits_charged_total',
    help: 'Credits charged for tool calls.',
    labels: ['tool'],
  })
  const jobs = metrics.counter({
    name: 'weft_jobs_finished_total',
    help: 'Jobs that ended on this node.',
    labels: ['kind', 'state'],
  })
  const { emails, deliveries } = attemptCounters(metrics)
  const commits = metrics.histogram({
    name: 'weft_database_commit_duration_seconds',
    help: 'Time of a commit. On SQLite, transactions of a group share one.',
  })
  const searches = metrics.histogram({
    name: 'weft_search_duration_seconds',
    help: 'Time of a search, with its wait for a thread or connection.',
    labels: ['callers'],
  })
  const redis = metrics.histogram({
    name: 'weft_redis_request_duration_seconds',
    help: 'Time of a rate limit check in Redis.',
  })
  return {
    onAnswered({ method, route = 'unmatched', status, milliseconds }) {
      requests.observe({ method, route, status: String(status) }, milliseconds / SECOND)
    },
    onCalled({ tool, outcome, cost, milliseconds }) {
      calls.observe({ tool, outcome }, milliseconds / SECOND)
      if (cost > 0) credits.add({ tool }, cost)
    },
    onEnded: (kind, state) => jobs.add({ kind, state }),
    onAttempted: (kind, outcome) => emails.add({ kind, outcome }),
    onDelivered: (kind, outcome) => deliveries.add({ kind, outcome }),
    timings: {
      committed: (milliseconds) => commits.observe({}, milliseconds / SECOND),
      searched: (callers, milliseconds) => searches.observe({ callers }, milliseconds / SECOND),
    },
    onRedisAnswered: (milliseconds) => redis.observe({}, milliseconds / SECOND),
    observe: (deps) => addObservedMetrics(metrics, deps),
    text: () => metrics.text((error) => log.warn({ err: error }, 'a metric could not be read')),
  }
}

function attemptCounters(metrics: Metrics) {
  const emails = metrics.counter({
    name: 'weft_email_attempts_total',
    help: 'Attempts of this node to send an email: sent, postponed, failed permanently, or dropped because it is not needed.',
    labels: ['kind', 'outcome'],
  })
  const deliveries = metrics.counter({
    name: 'weft_deliveries_total',
    help: 'Attempts of this node to send a message to a device, a webhook or an agent: accepted, retry, rejected, or gone.',
    labels: ['kind', 'outcome'],
  })
  return { emails, deliveries }
}
