/** Deletes finished jobs whose time is over, with what undoing them needs. */

import { memberStatement, serviceStatement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import type { Database, MemberDatabase } from '../db/database.ts'

/** An import of 100,000 rows takes 100 transactions, others in between. Returns how many jobs were deleted. */
export async function sweepJobs(database: Database, now: number): Promise<number> {
  let swept = 0
  for (;;) {
    const expired = await database.all(EXPIRED, { now, limit: MAX_FOUND })
    for (const { member_id, job_id } of expired) await deleteJob(database.member(member_id), job_id)
    swept += expired.length
    if (expired.length < MAX_FOUND) return swept
  }
}

/** Expired jobs found at a time. */
const MAX_FOUND = 100

/** The job last: as long as it is there, undoing it is refused. */
async function deleteJob(db: MemberDatabase, job_id: number): Promise<void> {
  for (;;) {
    const deleted = await db.write((tx) => tx.run(DELETE_CHANGES, { job_id }), { bulk: true })
    if (deleted < SWEEP_BATCH) break
  }
  await db.write((tx) => tx.run(DELETE_JOB, { job_id }), { bulk: true })
}

/** By jobs_by_expiry. */
const EXPIRED = serviceStatement<
  { now: number; limit: number },
  { member_id: number; job_id: number }
>('select member_id, job_id from jobs where expires_at <= :now order by expires_at limit :limit')

/** By primary key. */
const DELETE_CHANGES = memberStatement<{ job_id: number }>()(`
  delete from import_changes where member_id = :member_id and job_id = :job_id and connection_id in (
    select connection_id from import_changes where member_id = :member_id and job_id = :job_id
    order by connection_id limit ${SWEEP_BATCH})`)

const DELETE_JOB = memberStatement<{ job_id: number }>()(
  'delete from jobs where member_id = :member_id and job_id = :job_id and expires_at is not null',
)
