/** Runs jobs, sends emails and prepares networks for searches: together with HTTP in `weft serve`, alone in `weft work`. */

import { JobWorker, type RunnableJob } from '../jobs/worker.ts'
import { prepareNetworks } from '../connections/search/meaning/prepare-networks.ts'
import { createCalendarSync } from '../connections/calendars/sync-calendar.ts'
import { createBookPulls } from '../subscribed-books/pull-regularly.ts'
import { createDeliverySender } from '../deliveries/delivery-sender.ts'
import { policyOfHosts } from '../deliveries/endpoint-hosts.ts'
import { createReminderScheduler } from '../reminders/reminder-scheduler.ts'
import { createEmailSender } from '../email/sender.ts'
import { openMailServer, senderDomain } from '../email/smtp.ts'
import type { CalendarAccess } from '../connections/calendars/calendar-deps.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { lazy } from '../base/lazy.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { Database } from '../db/database.ts'
import type { Config } from '../config/config.ts'
import type { ServiceMetrics } from '../operate/service-metrics.ts'

/** In this process, unless `jobConcurrency` is 0. */
export interface Jobs extends AsyncDisposable {
  start(): void
  /** Call it after the transaction that created a job, or requested its cancellation, has committed. */
  wake(): void
  /** Releases the jobs that run here. Other nodes continue them. */
  stop(): Promise<void>
}

interface JobsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly embedder: Embedder
  readonly metrics: ServiceMetrics | null
  readonly trace?: Trace | undefined
  readonly calendars: CalendarAccess
}

export function openJobs(config: Config & { readonly publicUrl: string }, deps: JobsDeps): Jobs {
  const { database, clock, log, embedder, metrics, calendars, trace } = deps
  const { jobConcurrency: concurrency } = config
  if (concurrency === 0) return NO_JOBS
  const worker = new JobWorker({
    database,
    jobs: runnableJobs({ embedder, calendars, publicUrl: config.publicUrl }),
    clock,
    log,
    concurrency,
    isOnOneHost: config.database.engine === 'sqlite',
    onEnded: metrics?.onEnded,
    trace,
  })
  const wake = () => worker.wake()
  const { webhookHosts } = config
  const parts = [
    worker,
    ...openEmails(config, deps),
    openReminders(config, deps),
    createCalendarSync({ database, clock, log, ...calendars }),
    createBookPulls({ database, clock, log, ...calendars, webhookHosts, wake }),
  ]
  let preparing: AsyncDisposable | undefined
  const stop = async () => {
    await Promise.all([...parts, preparing].map(async (part) => part?.[Symbol.asyncDispose]()))
  }
  return {
    start() {
      for (const part of parts) part.start()
      preparing ??= prepareNetworks({ database, embedder, clock, log })
    },
    wake,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const NO_JOBS: Jobs = {
  start: () => {},
  wake: () => {},
  stop: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

/** Without a mail server, none. */
function openEmails(
  { smtp, publicUrl }: Config & { readonly publicUrl: string },
  { database, clock, log, metrics, trace }: JobsDeps,
) {
  if (smtp === null) return []
  const server = openMailServer(smtp)
  const domain = senderDomain(smtp)
  const onAttempted = metrics?.onAttempted
  return [
    createEmailSender({ database, clock, log, publicUrl, onAttempted, trace, server, domain }),
  ]
}

/** Decides what to announce, and sends it to devices, webhooks and agents. */
function openReminders(
  { publicUrl, webhookHosts }: Config & { readonly publicUrl: string },
  { database, clock, log, metrics, calendars }: JobsDeps,
) {
  const { sealSecret, outgoing, fetchPolicy } = calendars
  const scheduler = createReminderScheduler({ database, clock, log })
  const sender = createDeliverySender({
    database,
    clock,
    log,
    publicUrl,
    sealSecret,
    outgoing,
    policyOf: policyOfHosts(webhookHosts, fetchPolicy),
    onDelivered: metrics?.onDelivered,
  })
  return {
    start() {
      scheduler.start()
      sender.start()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([scheduler[Symbol.asyncDispose](), sender[Symbol.asyncDispose]()])
    },
  }
}

export const JOB_KINDS = [
  'file_import',
  'embed_objects',
  'purge_deleted',
  'find_photos',
  'export_data',
]

/** Jobs whose code is loaded when the first of them runs. */
function runnableJobs(deps: {
  readonly embedder: Embedder
  readonly calendars: CalendarAccess
  readonly publicUrl: string
}): RunnableJob[] {
  const jobs = lazy(async () => (await import('./catalog.ts')).listJobKinds(deps))
  return JOB_KINDS.map((kind) => ({
    kind,
    async run(running) {
      const job = (await jobs()).find((one) => one.kind === kind)
      if (!job) throw new Error(`no job of the kind ${kind}`)
      return job.run(running)
    },
  }))
}
