/** Starts, finds and cancels a member's jobs. */

import { t } from '../languages/message.ts'
import { newJobId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import { refundCredits, spendCredits } from '../credits/account.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { Job } from './job.ts'
import { JOB_COLUMNS, type JobState, type StoredJob } from './job-record.ts'
import { FINISHED_JOB_RETENTION_MS, MAX_JOBS_PER_KIND } from './job-retention.ts'

interface JobStart {
  readonly definition: Job
  /** As sent by the caller; validated by `startJob`. */
  readonly input: unknown
  readonly credentialId: string | null
  /** Whether to charge credits: true over HTTP, false from the CLI or from a tool that charges by itself. */
  readonly charge: boolean
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  readonly now: number
}

export interface StartedJob {
  readonly job: StoredJob
  /** False if `job` is a job of this kind that was already queued or running. */
  readonly started: boolean
}

/**
 * Creates a job, or returns the queued or running job of its kind. Runs in the caller's transaction, which must not
 * catch the errors, so that it rolls back. Wake the worker after the commit.
 *
 * @throws {RequestError} `invalid_request` when the input is not valid.
 * @throws {RequestError} `credits_exhausted` when the credits do not cover the job.
 * @throws {RequestError} any error of `prepare`.
 */
export async function startJob(tx: MemberTransaction, start: JobStart): Promise<StartedJob> {
  const { definition, now } = start
  const input = checkInput(definition, start.input)
  const active = await tx.get(ACTIVE_JOB, { kind: definition.kind })
  if (active) return { job: active, started: false }
  const job = await tx.get(INSERT_JOB, {
    job_id: newJobId(),
    kind: definition.kind,
    credential_id: start.credentialId,
    credits: start.charge ? definition.credits : 0,
    now,
  })
  // On PostgreSQL a concurrent transaction may have created one, and the unique index allows only one.
  if (!job) return { job: await requireActiveJob(tx, definition.kind), started: false }
  const prepared = definition.prepare ? await definition.prepare(tx, input, now) : input
  const { periodStart: charged_period } = await spendCredits(tx, {
    cost: job.credits,
    reason: definition.kind,
    credentialId: start.credentialId,
    quota: start.quota,
    now,
  })
  const filename = (await definition.filenameOf?.(tx, prepared, now)) ?? null
  const bytes = (await definition.bytesOf?.(tx, prepared, now)) ?? null
  const stored = { input: JSON.stringify(prepared), charged_period, filename, bytes }
  await tx.run(MAKE_READY, { job_id: job.job_id, ...stored })
  await tx.run(EXPIRE_OLDER, { kind: definition.kind, now })
  return { job: { ...job, charged_period, filename }, started: true }
}

/** The member's queued or running job of a kind, if any. */
export async function findActiveJob(
  reader: MemberReader,
  kind: string,
): Promise<ActiveJob | undefined> {
  return reader.get(ACTIVE_JOB, { kind })
}

export interface ActiveJob extends StoredJob {
  /** JSON text that is valid for the kind's schema. */
  readonly input: string
}

/** Undefined for a job of another member. */
export async function findJob(reader: MemberReader, jobId: number): Promise<StoredJob | undefined> {
  return reader.get(JOB_BY_ID, { job_id: jobId })
}

/** @throws {RequestError} `job_not_found` when the job does not exist or belongs to another member. */
export async function requireJob(reader: MemberReader, jobId: number): Promise<StoredJob> {
  const job = await findJob(reader, jobId)
  if (!job) throw jobNotFound()
  return job
}

/** The same error for unknown jobs and for those of other members. `list` is how the caller lists jobs. */
export function jobNotFound(list: 'get_jobs' | 'GET /api/jobs' = 'get_jobs'): RequestError {
  return new RequestError('job_not_found', t('You have no job with this ID.'), {
    hint: `List your jobs with ${list}.`,
  })
}

export interface JobFilter {
  readonly state?: JobState | undefined
  readonly kind?: string | undefined
  readonly limit: number
  /** Returns only jobs after this one in the list. */
  readonly before?: { readonly createdAt: number; readonly jobId: number } | undefined
}

/** Newest first. */
export async function listJobs(reader: MemberReader, filter: JobFilter): Promise<StoredJob[]> {
  return reader.all(LIST_JOBS, {
    state: filter.state ?? null,
    kind: filter.kind ?? null,
    created_at: filter.before?.createdAt ?? Number.MAX_SAFE_INTEGER,
    job_id: filter.before?.jobId ?? Number.MAX_SAFE_INTEGER,
    limit: filter.limit,
  })
}

/**
 * Cancels a queued job at once and asks the worker of a running one to stop. A job that has ended does not change. Refunds
 * the credits of a job that never ran.
 */
export async function requestCancel(
  tx: MemberTransaction,
  jobId: number,
  now: number,
): Promise<StoredJob> {
  const expires_at = now + FINISHED_JOB_RETENTION_MS
  const cancelled = await tx.get(CANCEL_QUEUED, { job_id: jobId, now, expires_at })
  if (cancelled?.started_at === null) {
    await refundCredits(tx, {
      cost: cancelled.credits,
      reason: cancelled.kind,
      credentialId: cancelled.credential_id,
      chargedPeriod: cancelled.charged_period,
      now,
    })
  }
  if (cancelled) return cancelled
  await tx.run(ASK_RUNNING, { job_id: jobId, now })
  return requireJob(tx, jobId)
}

function checkInput(definition: Job, input: unknown): unknown {
  const checked = checkSchema(definition.input, input)
  if (checked.ok) return checked.value
  const [first] = checked.problems
  const reason = first ? `${first.pointer.slice(1) || 'it'} ${first.detail}` : 'invalid input'
  throw new RequestError('invalid_request', `The ${definition.kind} job cannot start: ${reason}.`, {
    errors: checked.problems,
  })
}

async function requireActiveJob(tx: MemberTransaction, kind: string): Promise<StoredJob> {
  const active = await tx.get(ACTIVE_JOB, { kind })
  if (active) return active
  // It ended between the two statements, so a retry starts a new job.
  throw new RequestError('unavailable', `Your ${kind} job is just ending. Try again in a second.`, {
    retryAfter: 1,
  })
}

const ACTIVE_JOB = memberStatement<{ kind: string }, ActiveJob>()(`
  select input, ${JOB_COLUMNS} from jobs
  where member_id = :member_id and kind = :kind and state in ('queued', 'running')`) // jobs_one_active_per_kind

const INSERT_JOB = memberStatement<
  { job_id: number; kind: string; credential_id: string | null; credits: number; now: number },
  StoredJob
>()(`
  insert into jobs (job_id, member_id, kind, state, input, credential_id, credits, created_at)
  values (:job_id, :member_id, :kind, 'queued', '{}', :credential_id, :credits, :now)
  on conflict (member_id, kind) where state in ('queued', 'running') do nothing
  returning ${JOB_COLUMNS}`)

const MAKE_READY = memberStatement<{
  job_id: number
  input: string
  charged_period: number
  filename: string | null
  bytes: number | null
}>()(`
  update jobs set input = :input, charged_period = :charged_period, filename = :filename, bytes = :bytes
  where member_id = :member_id and job_id = :job_id`)

/** Uses jobs_by_member. The sweep deletes the jobs with their data. */
const EXPIRE_OLDER = memberStatement<{ kind: string; now: number }>()(`
  update jobs set expires_at = :now
  where member_id = :member_id and expires_at > :now and job_id in (
    select job_id from jobs where member_id = :member_id and kind = :kind
    order by created_at desc, job_id desc limit 1000 offset ${MAX_JOBS_PER_KIND})`)

const JOB_BY_ID = memberStatement<{ job_id: number }, StoredJob>()(
  `select ${JOB_COLUMNS} from jobs where member_id = :member_id and job_id = :job_id`,
)

const LIST_JOBS = memberStatement<
  {
    state: JobState | null
    kind: string | null
    created_at: number
    job_id: number
    limit: number
  },
  StoredJob
>()(`
  select ${JOB_COLUMNS} from jobs
  where member_id = :member_id and (created_at, job_id) < (:created_at, :job_id)
    and (cast(:state as text) is null or state = :state)
    and (cast(:kind as text) is null or kind = :kind)
  order by created_at desc, job_id desc limit :limit`) // jobs_by_member

const CANCEL_QUEUED = memberStatement<
  { job_id: number; now: number; expires_at: number },
  StoredJob
>()(`
  update jobs set state = 'cancelled', cancel_requested_at = :now, finished_at = :now, expires_at = :expires_at,
    checkpoint = null, progress_message = null
  where member_id = :member_id and job_id = :job_id and state = 'queued'
  returning ${JOB_COLUMNS}`)

const ASK_RUNNING = memberStatement<{ job_id: number; now: number }>()(`
  update jobs set cancel_requested_at = :now
  where member_id = :member_id and job_id = :job_id and state = 'running' and cancel_requested_at is null`)
