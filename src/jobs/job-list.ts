/** A page of a member's jobs, newest first. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { listJobs, type JobFilter } from './start-job.ts'
import type { MemberReader } from '../db/database.ts'
import type { StoredJob } from './job-record.ts'

export interface JobPage {
  readonly jobs: readonly StoredJob[]
  /** Of the page after this one, if there is one. */
  readonly nextCursor: string | null
}

/** @throws Refusal `invalid_request` for a cursor of another question. */
export async function readJobPage(
  reader: MemberReader,
  { state, kind, limit }: Omit<JobFilter, 'before'>,
  cursor?: string,
): Promise<JobPage> {
  const question = ['jobs', state ?? null, kind ?? null]
  const place =
    cursor === undefined ? undefined : readCursor(question, cursor, ['number', 'number'])
  const before = place && { createdAt: place[0], jobId: place[1] }
  const found = await listJobs(reader, { state, kind, before, limit: limit + 1 })
  const jobs = found.slice(0, limit)
  const last = found.length > limit ? jobs.at(-1) : undefined
  const nextCursor = last ? writeCursor(question, [last.created_at, last.job_id]) : null
  return { jobs, nextCursor }
}
