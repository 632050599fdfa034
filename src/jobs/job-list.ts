/** A page of a member's jobs, newest first. */

import { readCursor, writeCursor } from '../base/cursor.ts'
import { listJobs, type JobFilter } from './start-job.ts'
import type { MemberReader } from '../db/database.ts'
import type { StoredJob } from './job-record.ts'

export interface JobPage {
  readonly jobs: readonly StoredJob[]
  /** The cursor of the next page, or null on the last page. */
  readonly nextCursor: string | null
}

/** @throws {RequestError} `invalid_request` when the cursor is of a different query. */
export async function readJobPage(
  reader: MemberReader,
  { state, kind, limit }: Omit<JobFilter, 'before'>,
  cursor?: string,
): Promise<JobPage> {
  const query = ['jobs', state ?? null, kind ?? null]
  const position =
    cursor === undefined ? undefined : readCursor(query, cursor, ['number', 'number'])
  const before = position && { createdAt: position[0], jobId: position[1] }
  const found = await listJobs(reader, { state, kind, before, limit: limit + 1 })
  const jobs = found.slice(0, limit)
  const last = found.length > limit ? jobs.at(-1) : undefined
  const nextCursor = last ? writeCursor(query, [last.created_at, last.job_id]) : null
  return { jobs, nextCursor }
}
