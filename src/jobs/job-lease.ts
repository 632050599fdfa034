/**
 * A worker's hold on a job: taken by one worker at a time, kept by renewing a lease, and checked in every transaction
 * that writes on the job's behalf. The attempt's number is part of it, so that a hold once lost is never had again.
 */

import { SECOND } from '../base/clock.ts'
import { REQUEST_ERRORS } from '../base/request-error.ts'
import { refundCredits } from '../credits/account.ts'
import { memberStatement, serviceStatement } from '../db/statement.ts'
import { chargedPeriodOf, FINISHED_JOB_KEPT } from './job-record.ts'
import { isDeadWorker } from './worker-id.ts'
import type { Database, MemberTransaction } from '../db/database.ts'
import type { JobProgress } from './job.ts'
import type { JobError, JobState, StoredJob } from './job-record.ts'

/** How long a silent worker keeps a job; three missed renewals. */
export const LEASE = 15 * SECOND
export const RENEW_INTERVAL_MS = 5 * SECOND
/** In a row, without progress between them: a job that advances at each attempt reaches its end. */
export const MAX_STALLED_ATTEMPTS = 3

/** A job in one worker's hands. */
export interface JobLease {
  readonly memberId: number
  readonly jobId: number
  readonly kind: string
  /** JSON text, as is `checkpoint`. */
  readonly input: string
  readonly checkpoint: string | null
  readonly credentialId: string | null
  readonly worker: string
  /** Which attempt this is, from 1. */
  readonly attempt: number
}

/** `cancelled`: the member asked for it. `lost`: another worker has it, or it has ended. */
export type LeaseState = 'held' | 'cancelled' | 'lost'

export type Outcome =
  | { readonly state: 'succeeded'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: JobError }
  | { readonly state: 'cancelled' }

export interface ClaimRequest {
  /** The id of the worker that asks. */
  readonly worker: string
  /** Kinds it knows how to run. */
  readonly kinds: readonly string[]
  /** Jobs it runs already: a lease of its own that ran out while it was busy is not taken twice. */
  readonly busy: readonly number[]
  readonly now: number
  /** This one and no other. */
  readonly jobId?: number | undefined
}

/** Takes the oldest job that waits or whose worker is gone. Of any number of askers, one gets it. */
export async function claimNextJob(
  database: Database,
  request: ClaimRequest,
): Promise<JobLease | undefined> {
  const dead = await deadWorkers(database, request)
  const { kinds, busy, now, jobId = null } = request
  for (;;) {
    // Looked for outside a transaction: an idle worker does not disturb the writer.
    const next = await database.get(NEXT_JOB, { kinds, busy, dead, now, job_id: jobId })
    if (!next) return undefined
    const hold = await takeJob(database, request.worker, next.job_id, dead, now)
    if (hold) return hold
  }
}

/** Takes this one job, if it waits or its worker is gone. */
export async function claimJob(
  database: Database,
  request: Pick<ClaimRequest, 'worker' | 'now'> & { readonly jobId: number },
): Promise<JobLease | undefined> {
  const dead = await deadWorkers(database, request)
  return takeJob(database, request.worker, request.jobId, dead, request.now)
}

/** Says the worker is alive, and tells whether it should go on. */
export async function renewLease(
  tx: MemberTransaction,
  hold: JobLease,
  now: number,
): Promise<LeaseState> {
  const row = await tx.get(RENEW, { ...keyOf(hold), lease_until: now + LEASE })
  return standingOf(row)
}

/** Writes how far the job is, unless this worker should let go of it. */
export async function saveCheckpoint(
  tx: MemberTransaction,
  hold: JobLease,
  checkpoint: unknown,
  progress: JobProgress,
  now: number,
): Promise<LeaseState> {
  const row = await tx.get(SAVE, {
    ...keyOf(hold),
    checkpoint: JSON.stringify(checkpoint ?? null),
    done: progress.done,
    total: progress.total,
    message: progress.message,
    lease_until: now + LEASE,
  })
  return standingOf(row)
}

/** Ends the job and gives back what a failed one has cost; does nothing where the hold was lost. */
export async function endJob(
  tx: MemberTransaction,
  hold: JobLease,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const ended = await tx.get(END, {
    ...keyOf(hold),
    state: outcome.state,
    result: outcome.state === 'succeeded' ? JSON.stringify(outcome.result ?? null) : null,
    error: outcome.state === 'failed' ? JSON.stringify(outcome.error) : null,
    now,
    expires_at: now + FINISHED_JOB_KEPT,
  })
  if (!ended || outcome.state !== 'failed') return
  await refundCredits(tx, {
    cost: ended.credits,
    reason: hold.kind,
    credentialId: hold.credentialId,
    chargedPeriod: chargedPeriodOf(ended),
    now,
  })
}

/**
 * Returns the job to the queue with its checkpoint, or ends it where it was to be cancelled. A graceful stop does not
 * count as an attempt. A failed attempt counts unless it saved progress; after the last one the job has failed.
 */
export async function releaseJob(
  tx: MemberTransaction,
  hold: JobLease,
  cause: 'stopped' | 'failed',
  now: number,
): Promise<'released' | 'cancelled' | 'failed'> {
  const held = await tx.get(STALLED, keyOf(hold))
  if (!held) return 'released'
  const { stalled_attempts: stalled, cancel_requested_at } = held
  if (cancel_requested_at !== null) {
    await endJob(tx, hold, { state: 'cancelled' }, now)
    return 'cancelled'
  }
  if (cause === 'failed' && stalled >= MAX_STALLED_ATTEMPTS) {
    await endJob(tx, hold, { state: 'failed', error: internalError(GIVEN_UP) }, now)
    return 'failed'
  }
  const counted = cause === 'stopped' ? Math.max(0, stalled - 1) : stalled
  await tx.run(RELEASE, { ...keyOf(hold), stalled_attempts: counted })
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
    const hold = holdOf(taken, worker)
    const outcome = endedBefore(taken)
    if (!outcome) return hold
    await endJob(tx.member(hold.memberId), hold, outcome, now)
    return undefined
  })
}

/** What its last worker left undone: a cancel, or the last attempt that the job had. */
function endedBefore(taken: TakenJob): Outcome | undefined {
  if (taken.cancel_requested_at !== null) return { state: 'cancelled' }
  if (taken.stalled_attempts <= MAX_STALLED_ATTEMPTS) return undefined
  return { state: 'failed', error: internalError(INTERRUPTED) }
}

const INTERRUPTED = `The job was interrupted ${MAX_STALLED_ATTEMPTS} times in a row without progress. Its credits were refunded.`

function holdOf(taken: TakenJob, worker: string): JobLease {
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

function standingOf(row: { readonly cancel_requested_at: number | null } | undefined): LeaseState {
  if (!row) return 'lost'
  return row.cancel_requested_at === null ? 'held' : 'cancelled'
}

function keyOf(hold: JobLease): HoldKey {
  return { job_id: hold.jobId, worker: hold.worker, attempt: hold.attempt }
}

interface HoldKey {
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
  /** Attempts in a row without progress, this one among them. */
  readonly stalled_attempts: number
  readonly cancel_requested_at: number | null
}

const LEASEHOLDERS = serviceStatement<{ now: number }, { worker: string }>(
  `select distinct worker from jobs
   where state in ('queued', 'running') and state = 'running' and lease_until >= :now`, // jobs_active
)

const CLAIMABLE =
  "(state = 'queued' or (state = 'running' and (lease_until < :now or worker in (:dead...text))))"

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

/** The condition stands here again: whoever waited for another's update must see that it came too late. */
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
  HoldKey & { lease_until: number },
  { cancel_requested_at: number | null }
>()(`update jobs set lease_until = :lease_until where ${HELD} returning cancel_requested_at`)

/**
 * Progress is a checkpoint that the next attempt goes on from: a job that must begin again, and so saves none, has made
 * none.
 */
const SAVE = memberStatement<
  HoldKey & {
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
  HoldKey & {
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
  HoldKey,
  { stalled_attempts: number; cancel_requested_at: number | null }
>()(`select stalled_attempts, cancel_requested_at from jobs where ${HELD}`)

const RELEASE = memberStatement<HoldKey & { stalled_attempts: number }>()(`
  update jobs set state = 'queued', stalled_attempts = :stalled_attempts, worker = null, lease_until = null
  where ${HELD} and cancel_requested_at is null`)
