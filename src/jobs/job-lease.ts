/**
 * Leases on jobs. One worker at a time holds the lease, renews it, and checks it in every transaction that it writes for
 * the job. The lease includes the attempt number, so a lost lease is never valid again (a fencing token).
 */

import { inEnglish, type Message } from '../languages/message.ts'
import { SECOND } from '../base/clock.ts'
import { REQUEST_ERRORS, type RequestErrorCode } from '../base/request-error.ts'
import { wakeReminders } from '../tools/wake-reminders.ts'
import { refundCredits } from '../credits/account.ts'
import { memberStatement } from '../db/statement.ts'
import {
  GIVEN_UP,
  nextAttempt,
  WHOLE_ATTEMPT,
  WHOLE_ATTEMPT_MS,
  type ReleasedAttempt,
  type ReleaseCause,
} from './job-attempts.ts'
import type { JobError, JobState, StoredJob } from './job-record.ts'
import { FINISHED_JOB_RETENTION_MS } from './job-retention.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { JobProgress } from './job.ts'

/** How long an unresponsive worker keeps a job: five missed renewals. */
export const LEASE = 15 * SECOND
/** A renewal also finds out that the member canceled the job on another node, and counts the attempt as a whole one. */
export const RENEW_INTERVAL_MS = WHOLE_ATTEMPT_MS

/** A job that a worker holds. */
export interface JobLease {
  readonly memberId: number
  readonly jobId: number
  readonly kind: string
  /** JSON text, like `checkpoint`. */
  readonly input: string
  readonly checkpoint: string | null
  readonly credentialId: string | null
  readonly worker: string
  readonly attempt: number
}

/** `cancelled`: the member requested it. `lost`: another worker has the job, or it has ended. */
export type LeaseState = 'held' | 'cancelled' | 'lost'

export type Outcome =
  | { readonly state: 'succeeded'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: JobError }
  | { readonly state: 'cancelled' }

/** Extends the lease and returns whether the worker still holds it. `isWhole`: from now on, the attempt counts as one. */
export async function renewLease(
  tx: MemberTransaction,
  lease: JobLease,
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): Promise<LeaseState> {
  const more = isWhole ? WHOLE_ATTEMPT - 1 : 0
  const row = await tx.get(RENEW, { ...keyOf(lease), lease_until: now + LEASE, more })
  return stateOf(row)
}

/** Saves the checkpoint and progress, if this worker still holds the lease. */
export async function saveCheckpoint(
  tx: MemberTransaction,
  lease: JobLease,
  checkpoint: unknown,
  progress: JobProgress,
  now: number,
): Promise<LeaseState> {
  const row = await tx.get(SAVE, {
    ...keyOf(lease),
    checkpoint: JSON.stringify(checkpoint ?? null),
    done: progress.done,
    total: progress.total,
    message: progress.message,
    lease_until: now + LEASE,
  })
  return stateOf(row)
}

/** Ends the job and refunds the credits of a failed one. Does nothing if the lease was lost. */
export async function endJob(
  tx: MemberTransaction,
  lease: JobLease,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const ended = await tx.get(END, {
    ...keyOf(lease),
    state: outcome.state,
    result: outcome.state === 'succeeded' ? JSON.stringify(outcome.result ?? null) : null,
    error: outcome.state === 'failed' ? JSON.stringify(outcome.error) : null,
    now,
    expires_at: now + FINISHED_JOB_RETENTION_MS,
  })
  if (ended) await wakeReminders(tx)
  if (!ended || outcome.state !== 'failed') return
  await refundCredits(tx, {
    cost: ended.credits,
    reason: lease.kind,
    credentialId: lease.credentialId,
    chargedPeriod: ended.charged_period,
    now,
  })
}

/**
 * Returns the job to the queue with its checkpoint, or ends it if a cancel was requested or no attempt is left
 * (`nextAttempt`).
 */
export async function releaseJob(
  tx: MemberTransaction,
  lease: JobLease,
  cause: ReleaseCause,
  { now, retryPauseMs, isWhole }: Release,
): Promise<'released' | 'cancelled' | 'failed'> {
  const held = await tx.get(STALLED, keyOf(lease))
  if (!held) return 'released'
  if (held.cancel_requested_at !== null) {
    await endJob(tx, lease, { state: 'cancelled' }, now)
    return 'cancelled'
  }
  const next = nextAttempt(held.stalled_tenths, cause, { isWhole, retryPauseMs })
  if (!next) {
    const code = cause === 'failed' ? 'internal' : 'unavailable'
    await endJob(tx, lease, { state: 'failed', error: jobError(code, GIVEN_UP[cause]) }, now)
    return 'failed'
  }
  const { stalled_tenths, pauseMs } = next
  const not_before = pauseMs > 0 ? now + pauseMs : null
  await tx.run(RELEASE, { ...keyOf(lease), stalled_tenths, not_before })
  return 'released'
}

interface Release extends ReleasedAttempt {
  readonly now: number
}

export function jobError(code: RequestErrorCode, text: Message): JobError {
  return { code, title: REQUEST_ERRORS[code][1], detail: inEnglish(text), texts: [text] }
}

function stateOf(row: { readonly cancel_requested_at: number | null } | undefined): LeaseState {
  if (!row) return 'lost'
  return row.cancel_requested_at === null ? 'held' : 'cancelled'
}

function keyOf(lease: JobLease): LeaseKey {
  return { job_id: lease.jobId, worker: lease.worker, attempt: lease.attempt }
}

interface LeaseKey {
  readonly job_id: number
  readonly worker: string
  readonly attempt: number
}

const HELD =
  "member_id = :member_id and job_id = :job_id and state = 'running' and worker = :worker and attempts = :attempt"

const RENEW = memberStatement<
  LeaseKey & { lease_until: number; more: number },
  { cancel_requested_at: number | null }
>()(`
  update jobs set lease_until = :lease_until, stalled_tenths = stalled_tenths + :more
  where ${HELD} returning cancel_requested_at`)

/**
 * Only a new checkpoint counts as progress. A job that saves none must start over.
 */
const SAVE = memberStatement<
  LeaseKey & {
    checkpoint: string
    done: number
    total: number | null
    message: string | null
    lease_until: number
  },
  { cancel_requested_at: number | null }
>()(`
  update jobs
  set checkpoint = :checkpoint, progress_done = :done, progress_total = :total, progress_message = :message,
      lease_until = :lease_until,
      stalled_tenths = case
        when :checkpoint = 'null' or :checkpoint = coalesce(checkpoint, 'null') then stalled_tenths else 0 end
  where ${HELD} returning cancel_requested_at`)

const END = memberStatement<
  LeaseKey & {
    state: JobState
    result: string | null
    error: string | null
    now: number
    expires_at: number
  },
  Pick<StoredJob, 'credits' | 'charged_period'>
>()(`
  update jobs
  set state = :state, result = :result, error = :error, finished_at = :now, expires_at = :expires_at,
      worker = null, lease_until = null, checkpoint = null, progress_message = null
  where ${HELD} returning credits, charged_period`)

const STALLED = memberStatement<
  LeaseKey,
  { stalled_tenths: number; cancel_requested_at: number | null }
>()(`select stalled_tenths, cancel_requested_at from jobs where ${HELD}`)

const RELEASE = memberStatement<
  LeaseKey & { stalled_tenths: number; not_before: number | null }
>()(`
  update jobs
  set state = 'queued', stalled_tenths = :stalled_tenths, worker = null, lease_until = :not_before
  where ${HELD} and cancel_requested_at is null`)
