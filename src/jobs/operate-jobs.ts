/** Jobs of all members, for the operator: kinds, states, times and owners, never inputs or results. */

import { serviceStatement, memberStatement } from '../db/statement.ts'
import { RequestError } from '../base/request-error.ts'
import type { Database, MemberTransaction } from '../db/database.ts'
import { requireJob } from './start-job.ts'
import { isTerminal, JOB_COLUMNS, type JobState, type StoredJob } from './job-record.ts'

interface OperatedJob extends Pick<
  StoredJob,
  | 'job_id'
  | 'kind'
  | 'state'
  | 'progress_message'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'error'
> {
  readonly member_id: number
  readonly attempts: number
}

interface OperatedJobFilter {
  readonly state: JobState | null
  readonly memberId: number | null
  readonly limit: number
}

/** Newest first. */
export async function listAllJobs(
  { heavy }: Pick<Database, 'heavy'>,
  { state, memberId, limit }: OperatedJobFilter,
): Promise<OperatedJob[]> {
  return heavy.all(ALL_JOBS, { state, owner: memberId, limit })
}

/** @throws {RequestError} `job_not_found` when the job is unknown. */
export async function requireOwner(database: Database, jobId: number): Promise<number> {
  const job = await database.get(OWNER, { job_id: jobId })
  if (job) return job.member_id
  throw new RequestError('job_not_found', `Job ${jobId} not found.`, {
    hint: 'List jobs with `weft jobs list`.',
  })
}

/**
 * Queues a failed or canceled job again, with the same input and from the start. It costs nothing: the credits of the
 * first run were refunded.
 *
 * @throws {RequestError} `conflict` when it has not failed, or when the member has another active job of its kind.
 */
export async function retryJob(tx: MemberTransaction, jobId: number): Promise<StoredJob> {
  const job = await requireJob(tx, jobId)
  if (!isTerminal(job.state) || job.state === 'succeeded')
    throw new RequestError(
      'conflict',
      `The job is ${job.state}. Only failed or canceled jobs can be retried.`,
    )
  const retried = await tx.get(RETRY, { job_id: jobId, kind: job.kind })
  if (retried) return retried
  throw new RequestError('conflict', `The member has another active job of the kind ${job.kind}.`, {
    hint: 'Wait until it has ended, then run the command again.',
  })
}

const ALL_JOBS = serviceStatement<
  { state: JobState | null; owner: number | null; limit: number },
  OperatedJob
>(`
  select job_id, member_id, kind, state, progress_message, attempts, error, created_at, started_at, finished_at
  from jobs
  where (cast(:state as text) is null or state = :state)
    and (cast(:owner as bigint) is null or member_id = :owner)
  order by created_at desc, job_id desc limit :limit`)

const OWNER = serviceStatement<{ job_id: number }, { member_id: number }>(
  'select member_id from jobs where job_id = :job_id',
)

const RETRY = memberStatement<{ job_id: number; kind: string }, StoredJob>()(`
  update jobs
  set state = 'queued', error = null, result = null, finished_at = null, started_at = null, expires_at = null,
    cancel_requested_at = null, stalled_tenths = 0, credits = 0, checkpoint = null, worker = null, lease_until = null
  where member_id = :member_id and job_id = :job_id and state in ('failed', 'cancelled')
    and not exists (
      select 1 from jobs other
      where other.member_id = :member_id and other.kind = :kind and other.state in ('queued', 'running'))
  returning ${JOB_COLUMNS}`)
