/**
 * Sends the emails of the outbox. Any number of processes share it. A process claims an email with a lease that it
 * renews while it sends, so the email of a process that died is sent by another.
 *
 * An accepted email is not sent again: the acceptance is recorded at once, and retried until the database has it. The
 * only exception is a process that is killed, or a connection that breaks, before the acceptance is recorded. No sender
 * can detect that (RFC 1047). The email is then sent again with the same Message-ID, by which mailboxes recognize
 * duplicates.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { isDeadWorker, newWorkerId } from '../base/concurrency/worker-id.ts'
import { revokeLinksOfEmail } from '../access/one-time-link.ts'
import { endEmail, type EmailKind, type EmailState, type QueuedEmail } from '../outbox/outbox.ts'
import { claimEmail, listEmailWorkers, postponeEmail, renewEmail } from '../outbox/send-queue.ts'
import { prepareEmail, type PreparedEmail } from './prepare.ts'
import { SendingError, type MailServer } from './smtp.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { Database } from '../db/database.ts'

export interface SenderDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly server: MailServer
  /** The part of Message-IDs after the @. */
  readonly domain: string
  readonly publicUrl: string
  /** Run one sender per process: a second one with the same process ID would consider the first one dead. */
  readonly workerId?: string
  /** Called after an attempt: `postponed` if there will be another. */
  readonly onAttempted?: ((kind: EmailKind, outcome: AttemptOutcome) => void) | undefined
  readonly trace?: Trace | undefined
}

type AttemptOutcome = Exclude<EmailState, 'queued'> | 'postponed'

export interface EmailSender extends AsyncDisposable {
  /** Sends due emails, now and every few seconds. */
  start(): void
  /** Sends everything that is due and resolves with the number of attempts. */
  sendDue(): Promise<number>
}

const POLL_INTERVAL_MS = 2 * SECOND
/** Another process takes over the email of a silent one after this time. */
const LEASE_MS = MINUTE
const RENEW_INTERVAL_MS = LEASE_MS / 3
/** Emails that a process sends at the same time. */
const CONCURRENCY = 4
/** How long a stopping process waits for the mail server's reply. */
const STOP_TIMEOUT_MS = 8 * SECOND
const RECORD_RETRY_MS = SECOND / 2

/** Call `start` to begin. Disposing waits for the email that is being sent. */
export function createEmailSender(deps: SenderDeps): EmailSender {
  const { log } = deps
  const worker = deps.workerId ?? newWorkerId()
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const running = new Set<Promise<unknown>>()
  const sendDue = async (): Promise<number> => {
    const senders = Array.from({ length: CONCURRENCY }, () =>
      sendWhileDue(deps, worker, stopping.signal),
    )
    const attempts = await Promise.all(senders)
    return attempts.reduce((sum, one) => sum + one, 0)
  }
  /** One email on which the mail server hangs does not delay the others. */
  const poll = () => {
    if (stopping.signal.aborted) return
    while (running.size < CONCURRENCY) {
      const one = sendWhileDue(deps, worker, stopping.signal)
        .catch((error: unknown) => log.error({ err: error }, 'could not send emails; retrying'))
        .finally(() => running.delete(one))
      running.add(one)
    }
  }
  return {
    sendDue,
    start() {
      timer ??= setInterval(poll, POLL_INTERVAL_MS)
      poll()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      const timeout = new AbortController()
      await Promise.race([
        Promise.all(running),
        sleep(STOP_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => {}),
      ])
      timeout.abort()
    },
  }
}

async function sendWhileDue(
  deps: SenderDeps,
  worker: string,
  signal: AbortSignal,
): Promise<number> {
  for (let attempts = 0; ; attempts += 1) {
    if (signal.aborted) return attempts
    const claimed = await claimNext(deps, worker)
    if (!claimed) return attempts
    const { email } = claimed
    const outcome =
      'outcome' in claimed
        ? claimed.outcome
        : await attemptTraced(deps, worker, email, claimed.prepared)
    deps.onAttempted?.(email.kind, outcome)
  }
}

type Claimed =
  | { readonly email: QueuedEmail; readonly prepared: PreparedEmail }
  /** The email ended without an attempt. */
  | { readonly email: QueuedEmail; readonly outcome: 'failed' | 'dropped' }

async function claimNext(
  { database, clock, publicUrl }: SenderDeps,
  worker: string,
): Promise<Claimed | undefined> {
  const now = clock.now()
  const others = await listEmailWorkers(database, now)
  const dead = others.filter((other) => isDeadWorker(other, worker))
  return database.write(async (tx) => {
    const email = await claimEmail(tx, { worker, dead, leaseMs: LEASE_MS, now })
    if (!email) return undefined
    if (email.expiresAt <= now) {
      const error = email.error ?? 'it was not sent in time'
      await endEmail(tx, email.emailId, { state: 'failed', error }, now)
      return { email, outcome: 'failed' }
    }
    const prepared = await prepareEmail(tx, email, { publicUrl, now })
    if (prepared) return { email, prepared }
    await endEmail(tx, email.emailId, { state: 'dropped', error: null }, now)
    return { email, outcome: 'dropped' }
  })
}

function attemptTraced(
  deps: SenderDeps,
  worker: string,
  email: QueuedEmail,
  prepared: PreparedEmail,
): Promise<AttemptOutcome> {
  if (!deps.trace) return attempt(deps, worker, email, prepared)
  const attributes = { 'weft.email.kind': email.kind, 'weft.email.attempt': email.attempts }
  return deps.trace(
    { name: 'send email', kind: 'client', attributes, isRoot: true },
    async (span) => {
      const outcome = await attempt(deps, worker, email, prepared)
      if (outcome !== 'sent') span.fail(outcome)
      return outcome
    },
  )
}

async function attempt(
  deps: SenderDeps,
  worker: string,
  email: QueuedEmail,
  prepared: PreparedEmail,
): Promise<AttemptOutcome> {
  const { database, clock, server, domain } = deps
  const { emailId, createdAt } = email
  const renewal = setInterval(() => {
    const lease = { worker, leaseMs: LEASE_MS, now: clock.now() }
    // If it fails, another process may send the email too.
    database.write((tx) => renewEmail(tx, emailId, lease)).catch(() => {})
  }, RENEW_INTERVAL_MS)
  try {
    const messageId = `${emailId}@${domain}`
    await server.send({ messageId, ...prepared, date: new Date(createdAt) })
    await recordAcceptance(deps, emailId)
    return 'sent'
  } catch (error) {
    if (!(error instanceof SendingError)) throw error
    return await recordFailure(deps, worker, email, error)
  } finally {
    clearInterval(renewal)
  }
}

/** Retries until the database has it, because otherwise the email would be sent twice. */
async function recordAcceptance(
  { database, clock, log }: SenderDeps,
  emailId: string,
): Promise<void> {
  const end = { state: 'sent', error: null } as const
  for (;;) {
    try {
      return await database.write((tx) => endEmail(tx, emailId, end, clock.now()))
    } catch (error) {
      log.error({ err: error, email_id: emailId }, 'could not record that an email was accepted')
      await sleep(RECORD_RETRY_MS)
    }
  }
}

async function recordFailure(
  { database, clock, log }: SenderDeps,
  worker: string,
  { emailId, kind, attempts, expiresAt }: QueuedEmail,
  { message, isPermanent, isCertain }: SendingError,
): Promise<AttemptOutcome> {
  const now = clock.now()
  const dueAt = now + retryDelayMs(attempts)
  const isFinal = isPermanent || dueAt >= expiresAt
  await database.write(async (tx) => {
    // A link that may have arrived stays valid.
    if (isCertain) await revokeLinksOfEmail(tx, emailId)
    if (isFinal) await endEmail(tx, emailId, { state: 'failed', error: message }, now)
    else await postponeEmail(tx, emailId, { worker, error: message, dueAt })
  })
  const outcome = isFinal ? 'failed' : 'postponed'
  log.warn(
    { email_id: emailId, kind, attempt: attempts, outcome, error: message },
    'email not accepted',
  )
  return outcome
}

/** After the first attempt a minute, then twice as long each time, up to an hour. */
export function retryDelayMs(attempts: number): number {
  return Math.min(MINUTE * 2 ** Math.max(0, attempts - 1), HOUR)
}
