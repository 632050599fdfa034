/**
 * Leases on jobs. One worker at a time holds the lease, renews it, and checks it in every transaction that it writes for
 * the job. The lease includes the attempt number, so a lost lease is never valid again (a fencing token).
 */

import { SECOND } from '../base/clock.ts'
import { REQUEST_ERRORS } from '../base/request-error.ts'
import { refundCredits } from '../credits/account.ts'
import { memberStatement, serviceStatement } from '../db/statement.ts'
import { chargedPeriodOf, FINISHED_JOB_RETENTION_MS } from './job-record.ts'
import { isDeadWorker } from './worker-id.ts'
import type { Database, MemberTransaction } from '../db/database.ts'
import type { JobProgress } from './job.ts'
import type { JobError, JobState, StoredJob } from './job-record.ts'

/** How long an unresponsive worker keeps a job: three missed renewals. */
export const LEASE = 15 * SECOND
export const RENEW_INTERVAL_MS = 5 * SECOND
/** Consecutive attempts without progress. A job that advances in every attempt is never given up. */
const MAX_STALLED_ATTEMPTS = 3
/** Pause between the first failure and the second attempt: longer than a database restart. Milliseconds. */
export const RETRY_PAUSE_MS = 5 * SECOND
/** The factor by which each further pause is longer. */
const RETRY_FACTOR = 6

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
  /** The number of the attempt, starting at 1. */
  readonly attempt: number
}

/** `cancelled`: the member requested it. `lost`: another worker has the job, or it has ended. */
export type LeaseState = 'held' | 'cancelled' | 'lost'

export type Outcome =
  | { readonly state: 'succeeded'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: JobError }
  | { readonly state: 'cancelled' }

interface ClaimRequest {
  /** The ID of the requesting worker. */
  readonly worker: string
  /** The kinds of jobs that it can run. */
  readonly kinds: readonly string[]
  /** Jobs that it already runs, so that it does not claim its own job after the lease expired. */
  readonly busy: readonly number[]
  readonly now: number
  /** Claims only this job. */
  readonly jobId?: number | undefined
}

/** Claims the oldest job that is queued or whose worker is dead. Exactly one of any number of concurrent callers gets it. */
export async function claimNextJob(
  database: Database,
  request: ClaimRequest,
): Promise<JobLease | undefined> {
  const dead = await deadWorkers(database, request)
  const { kinds, busy, now, jobId = null } = request
  for (;;) {
    // Queried outside a transaction, so that idle workers do not block the writer.
    const next = await database.get(NEXT_JOB, { kinds, busy, dead, now, job_id: jobId })
    if (!next) return undefined
    const lease = await takeJob(database, request.worker, next.job_id, dead, now)
    if (lease) return lease
  }
}

/** Claims this job if it is queued or its worker is dead. */
export async function claimJob(
  database: Database,
  request: Pick<ClaimRequest, 'worker' | 'now'> & { readonly jobId: number },
): Promise<JobLease | undefined> {
  const dead = await deadWorkers(database, request)
  return takeJob(database, request.worker, request.jobId, dead, request.now)
}

/** Extends the lease and returns whether the worker still holds it. */
export async function renewLease(
  tx: MemberTransaction,
  lease: JobLease,
  now: number,
): Promise<LeaseState> {
  const row = await tx.get(RENEW, { ...keyOf(lease), lease_until: now + LEASE })
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
  if (!ended || outcome.state !== 'failed') return
  await refundCredits(tx, {
    cost: ended.credits,
    reason: lease.kind,
    credentialId: lease.credentialId,
    chargedPeriod: chargedPeriodOf(ended),
    now,
  })
}

/**
 * Returns the job to the queue with its checkpoint, or ends it if a cancel was requested. A graceful stop does not
 * count as an attempt. A failed attempt counts unless it made progress, and the job fails after the last one. Before a
 * retry it waits for `retryPauseMs`, and longer after each further failure, so that the cause can pass.
 */
export async function releaseJob(
  tx: MemberTransaction,
  lease: JobLease,
  cause: 'stopped' | 'failed',
  { now, retryPauseMs }: { readonly now: number; readonly retryPauseMs: number },
): Promise<'released' | 'cancelled' | 'failed'> {
  const held = await tx.get(STALLED, keyOf(lease))
  if (!held) return 'released'
  const { stalled_attempts: stalled, cancel_requested_at } = held
  if (cancel_requested_at !== null) {
    await endJob(tx, lease, { state: 'cancelled' }, now)
    return 'cancelled'
  }
  if (cause === 'failed' && stalled >= MAX_STALLED_ATTEMPTS) {
    await endJob(tx, lease, { state: 'failed', error: internalError(GIVEN_UP) }, now)
    return 'failed'
  }
  const counted = cause === 'stopped' ? Math.max(0, stalled - 1) : stalled
  const pause = retryPauseMs * RETRY_FACTOR ** Math.max(0, stalled - 1)
  const not_before = cause === 'failed' && pause > 0 ? now + pause : null
  await tx.run(RELEASE, { ...keyOf(lease), stalled_attempts: counted, not_before })
  return 'released'
}

const GIVEN_UP = `The job failed ${MAX_STALLED_ATTEMPTS} times in a row without progress. Its credits were refunded.`

function internalError(detail: string): JobError {
  return { code: 'internal', title: REQUEST_ERRORS.internal[1], detail }
}

async function deadWorkers(
  database: Database,
  { worker, now }: Pick<ClaimRequest, 'worker' | 'now'>,
): Promise<string[]> {
  const workers = await database.all(LEASEHOLDERS, { now })
  return workers.map((row) => row.worker).filter((other) => isDeadWorker(other, worker))
}

async function takeJob(
  database: Database,
  worker: string,
  jobId: number,
  dead: readonly string[],
  now: number,
): Promise<JobLease | undefined> {
  return database.write(async (tx) => {
    const taken = await tx.get(TAKE, { job_id: jobId, worker, dead, now, lease_until: now + LEASE })
    if (!taken) return undefined
    const lease = leaseOf(taken, worker)
    const outcome = endedBefore(taken)
    if (!outcome) return lease
    await endJob(tx.member(lease.memberId), lease, outcome, now)
    return undefined
  })
}

/** Handles the jobs of a dead worker: a requested cancel, or a job without attempts left. */
function endedBefore(taken: TakenJob): Outcome | undefined {
  if (taken.cancel_requested_at !== null) return { state: 'cancelled' }
  if (taken.stalled_attempts <= MAX_STALLED_ATTEMPTS) return undefined
  return { state: 'failed', error: internalError(INTERRUPTED) }
}

const INTERRUPTED = `The job was interrupted ${MAX_STALLED_ATTEMPTS} times in a row without progress. Its credits were refunded.`

function leaseOf(taken: TakenJob, worker: string): JobLease {
  return {
    memberId: taken.member_id,
    jobId: taken.job_id,
    kind: taken.kind,
    input: taken.input,
    checkpoint: taken.checkpoint,
    credentialId: taken.credential_id,
    worker,
    attempt: taken.attempts,
  }
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

interface TakenJob {
  readonly job_id: number
  readonly member_id: number
  readonly kind: string
  readonly input: string
  readonly checkpoint: string | null
  readonly credential_id: string | null
  readonly attempts: number
  /** Consecutive attempts without progress, including this one. */
  readonly stalled_attempts: number
  readonly cancel_requested_at: number | null
}

const LEASEHOLDERS = serviceStatement<{ now: number }, { worker: string }>(
  `select distinct worker from jobs
   where state in ('queued', 'running') and state = 'running' and lease_until >= :now`, // jobs_active
)

/** A queued job with `lease_until` failed before, and waits until then. */
const CLAIMABLE =
  "((state = 'queued' and coalesce(lease_until, 0) <= :now) or (state = 'running' and (lease_until < :now or worker in (:dead...text))))"

const NEXT_JOB = serviceStatement<
  {
    kinds: readonly string[]
    busy: readonly number[]
    dead: readonly string[]
    now: number
    job_id: number | null
  },
  { job_id: number }
>(`
  select job_id from jobs
  where state in ('queued', 'running') and ${CLAIMABLE}
    and kind in (:kinds...text) and job_id not in (:busy...bigint)
    and (cast(:job_id as bigint) is null or job_id = :job_id)
  order by created_at, job_id limit 1`) // jobs_active

/** Repeats the condition, because a transaction that waited for a concurrent claim must not claim the job again. */
const TAKE = serviceStatement<
  { job_id: number; worker: string; dead: readonly string[]; now: number; lease_until: number },
  TakenJob
>(`
  update jobs
  set state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
      stalled_attempts = stalled_attempts + 1, started_at = coalesce(started_at, :now)
  where job_id = :job_id and ${CLAIMABLE}
  returning job_id, member_id, kind, input, checkpoint, credential_id, attempts, stalled_attempts,
    cancel_requested_at`)

const HELD =
  "member_id = :member_id and job_id = :job_id and state = 'running' and worker = :worker and attempts = :attempt"

const RENEW = memberStatement<
  LeaseKey & { lease_until: number },
  { cancel_requested_at: number | null }
>()(`update jobs set lease_until = :lease_until where ${HELD} returning cancel_requested_at`)

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
      stalled_attempts = case
        when :checkpoint = 'null' or :checkpoint = coalesce(checkpoint, 'null') then stalled_attempts else 0 end
  where ${HELD} returning cancel_requested_at`)

const END = memberStatement<
  LeaseKey & {
    state: JobState
    result: string | null
    error: string | null
    now: number
    expires_at: number
  },
  Pick<StoredJob, 'credits' | 'charged_period' | 'created_at'>
>()(`
  update jobs
  set state = :state, result = :result, error = :error, finished_at = :now, expires_at = :expires_at,
      worker = null, lease_until = null, checkpoint = null
  where ${HELD} returning credits, charged_period, created_at`)

const STALLED = memberStatement<
  LeaseKey,
  { stalled_attempts: number; cancel_requested_at: number | null }
>()(`select stalled_attempts, cancel_requested_at from jobs where ${HELD}`)

const RELEASE = memberStatement<
  LeaseKey & { stalled_attempts: number; not_before: number | null }
>()(`
  update jobs
  set state = 'queued', stalled_attempts = :stalled_attempts, worker = null, lease_until = :not_before
  where ${HELD} and cancel_requested_at is null`)
