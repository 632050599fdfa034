/** The history of a connection: its newest changes and its last import. */

import { checkSchema } from '../../base/schema.ts'
import { ImportReport } from '../../imports/import-report.ts'
import { findJob } from '../../jobs/start-job.ts'
import { readActivityPage } from '../../tools/activity-page.ts'
import { describeChanges, type DescribedChange } from '../activity/described-change.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface History {
  /** Newest first. */
  readonly changes: readonly DescribedChange[]
  /** Whether there are earlier ones. */
  readonly hasMore: boolean
  readonly lastImport: LastImport | undefined
}

export interface LastImport {
  readonly jobId: number
  /** Undefined for an unnamed file or an unfinished import. */
  readonly filename: string | undefined
  readonly at: number
}

/** The activity page lists all changes. */
const MAX_SHOWN = 10

export async function readHistory(
  reader: MemberReader,
  { connectionId, importJobId }: Connection,
  undoers: readonly Undoer[],
): Promise<History> {
  const { changes, hasMore } = await readActivityPage(reader, MAX_SHOWN, { connectionId })
  return {
    changes: await describeChanges(reader, changes, undoers, publicConnectionId(connectionId)),
    hasMore,
    lastImport: importJobId === null ? undefined : await readImport(reader, importJobId),
  }
}

async function readImport(reader: MemberReader, jobId: number): Promise<LastImport | undefined> {
  const job = await findJob(reader, jobId)
  if (!job) return undefined
  const report = checkSchema(ImportReport, JSON.parse(job.result ?? 'null'))
  return { jobId, filename: report.ok ? report.value.filename : undefined, at: job.created_at }
}
