/** Claims jobs: a queued one, or one whose worker died. Exactly one of any number of concurrent callers gets it. */

import { phrase, type Message } from '../languages/message.ts'
import { asProperties, serviceStatement } from '../db/statement.ts'
import { isDeadWorker, isOnOtherHost } from '../base/concurrency/worker-id.ts'
import type { Database } from '../db/database.ts'
import { MAX_STALLED_TENTHS } from './job-attempts.ts'
import { LEASE, type JobLease, type Outcome, endJob, jobError } from './job-lease.ts'

interface ClaimRequest {
  /** The ID of the requesting worker. */
  readonly worker: string
  readonly kinds: readonly string[]
  /** Jobs that it already runs, so that it does not claim its own job after the lease expired. */
  readonly busy: readonly number[]
  /** Only jobs that read at most so much. */
  readonly maxBytes?: number
  readonly now: number
}

/**
 * Claims the oldest job that is queued or whose worker is dead. Members take turns: those without a running job come first.
 * Exactly one of any number of concurrent callers gets it.
 */
export async function claimNextJob(
  database: Database,
  request: ClaimRequest,
): Promise<JobLease | undefined> {
  const dead = await deadWorkers(database, request)
  const { kinds, busy, maxBytes: max_bytes = null, now } = request
  for (;;) {
    // Queried outside a transaction, so that idle workers do not block the writer.
    const next = await database.get(NEXT_JOB, { kinds, busy, dead, max_bytes, now })
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

/**
 * Returns the jobs of workers on other hosts to the queue, before their leases expire. For a database that only one host
 * uses: a replaced container has another host name. If such a worker is alive after all, it notices that it lost the job.
 */
export async function requeueOfOtherHosts(
  database: Database,
  { worker, now }: Pick<ClaimRequest, 'worker' | 'now'>,
): Promise<void> {
  const leaseholders = await database.all(LEASEHOLDERS, { now })
  const others = leaseholders.map((row) => row.worker).filter((one) => isOnOtherHost(one, worker))
  if (others.length > 0) await database.write((tx) => tx.run(REQUEUE, { workers: others }))
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
    const { stalledTenths: _stalled, cancelRequestedAt: _requested, ...job } = taken
    const lease: JobLease = { ...job, worker }
    const outcome = endedBefore(taken)
    if (!outcome) return lease
    await endJob(tx.member(lease.memberId), lease, outcome, now)
    return undefined
  })
}

/** Handles the jobs of a dead worker: a requested cancel, or a job without attempts left. */
function endedBefore(taken: TakenJob): Outcome | undefined {
  if (taken.cancelRequestedAt !== null) return { state: 'cancelled' }
  if (taken.stalledTenths <= MAX_STALLED_TENTHS) return undefined
  return { state: 'failed', error: jobError('internal', INTERRUPTED) }
}

const INTERRUPTED: Message = {
  source: phrase(
    'The job was interrupted again and again without progress. Its credits were refunded.',
  ),
}

interface TakenJob extends Omit<JobLease, 'worker'> {
  /** Consecutive attempts without progress, including this one, which counts as a tenth so far. */
  readonly stalledTenths: number
  readonly cancelRequestedAt: number | null
}

const LEASEHOLDERS = serviceStatement<{ now: number }, { worker: string }>(
  `select distinct worker from jobs
   where state in ('queued', 'running') and state = 'running' and lease_until >= :now`, // jobs_active
)

const REQUEUE = serviceStatement<{ workers: readonly string[] }>(
  `update jobs set state = 'queued', worker = null, lease_until = null
   where state in ('queued', 'running') and state = 'running' and worker in (:workers...text)`, // jobs_active
)

/** A queued job with `lease_until` failed before, and waits until then. */
const CLAIMABLE =
  "((state = 'queued' and coalesce(lease_until, 0) <= :now) or (state = 'running' and (lease_until < :now or worker in (:dead...text))))"

const NEXT_JOB = serviceStatement<
  {
    kinds: readonly string[]
    busy: readonly number[]
    dead: readonly string[]
    max_bytes: number | null
    now: number
  },
  { job_id: number }
>(`
  select job_id from jobs
  where state in ('queued', 'running') and ${CLAIMABLE}
    and kind in (:kinds...text) and job_id not in (:busy...bigint)
    and (cast(:max_bytes as bigint) is null or bytes <= :max_bytes)
  order by exists (
      select 1 from jobs own
      where own.member_id = jobs.member_id and own.state in ('queued', 'running') and own.state = 'running'
        and own.job_id <> jobs.job_id and own.lease_until >= :now),
    created_at, job_id
  limit 1`) // jobs_active, and for each job jobs_one_active_per_kind

const TAKEN = asProperties(
  'job_id, member_id, kind, input, checkpoint, credential_id, stalled_tenths, cancel_requested_at',
)

/** Repeats the condition, because a transaction that waited for a concurrent claim must not claim the job again. */
const TAKE = serviceStatement<
  { job_id: number; worker: string; dead: readonly string[]; now: number; lease_until: number },
  TakenJob
>(`
  update jobs
  set state = 'running', worker = :worker, lease_until = :lease_until, attempts = attempts + 1,
      stalled_tenths = stalled_tenths + 1, started_at = coalesce(started_at, :now)
  where job_id = :job_id and ${CLAIMABLE}
  returning ${TAKEN}, attempts as attempt`)
