/** Deletes expired jobs with the data to undo them. */

import { memberStatement, serviceStatement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import type { Database, MemberDatabase } from '../db/database.ts'

/** Deletes in batches: an import of 100,000 rows takes 100 transactions. Returns the number of deleted jobs. */
export async function sweepJobs(database: Database, now: number): Promise<number> {
  let swept = 0
  for (;;) {
    const expired = await database.all(EXPIRED, { now, limit: MAX_FOUND })
    for (const { member_id, job_id } of expired) await deleteJob(database.member(member_id), job_id)
    swept += expired.length
    if (expired.length < MAX_FOUND) return swept
  }
}

/** Expired jobs per query. */
const MAX_FOUND = 100

/** Deletes the job last, because an expired job that still exists cannot be undone. */
async function deleteJob(db: MemberDatabase, job_id: number): Promise<void> {
  for (;;) {
    const deleted = await db.write((tx) => tx.run(DELETE_CHANGES, { job_id }), { bulk: true })
    if (deleted < SWEEP_BATCH) break
  }
  await db.write((tx) => tx.run(DELETE_JOB, { job_id }), { bulk: true })
}

/** Uses jobs_by_expiry. */
const EXPIRED = serviceStatement<
  { now: number; limit: number },
  { member_id: number; job_id: number }
>('select member_id, job_id from jobs where expires_at <= :now order by expires_at limit :limit')

/** Uses the primary key. */
const DELETE_CHANGES = memberStatement<{ job_id: number }>()(`
  delete from import_changes where member_id = :member_id and job_id = :job_id and connection_id in (
    select connection_id from import_changes where member_id = :member_id and job_id = :job_id
    order by connection_id limit ${SWEEP_BATCH})`)

const DELETE_JOB = memberStatement<{ job_id: number }>()(
  'delete from jobs where member_id = :member_id and job_id = :job_id and expires_at is not null',
)
