/** `/user/jobs/:job_id/rejected.csv`: the rows that an import rejected, with reasons. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { checkSchema } from '../../base/schema.ts'
import { FileImportInput } from '../../imports/file-import.job.ts'
import { fileReading } from '../../imports/reading/read-options.ts'
import { ImportReport, type Rejection } from '../../imports/import-report.ts'
import { rejectedRows } from '../../imports/rejected-rows.ts'
import { memberStatement } from '../../db/statement.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { readJobId } from '../../jobs/jobs.route.ts'
import { jobNotFound } from '../../jobs/start-job.ts'
import { requireUpload } from '../../jobs/uploads.ts'
import { rejectedRowsPath } from '../../html/site-map.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { MemberReader } from '../../db/database.ts'

const CSV_TYPE = 'text/csv; charset=utf-8'

export function rejectedRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: rejectedRowsPath(':job_id'),
    limit: LIMITS.jobs,
    params: Type.Object({ job_id: Type.String() }),
    async handle({ params, db, now, signal }) {
      const job = await db.get(BY_ID, { job_id: readJobId(params.job_id) })
      const report = checkSchema(ImportReport, JSON.parse(job?.result ?? 'null'))
      const input = checkSchema(FileImportInput, JSON.parse(job?.input ?? 'null'))
      if (!report.ok || !input.ok) throw jobNotFound()
      const { rejected, rejected_count } = report.value
      const isAll = rejected.length === rejected_count
      const uploadId = input.value.upload_id ?? ''
      const isKept = !isAll && (await isThere(db, uploadId, now))
      const file = { uploadId, reading: fileReading(input.value) }
      return {
        status: 200,
        headers: {
          'content-type': CSV_TYPE,
          'content-disposition': 'attachment; filename="rejected.csv"',
          'cache-control': 'no-store',
        },
        body: undefined,
        stream: csvOf(isKept ? rejectedRows(db, file, signal) : [rejected]),
        page: true,
      }
    },
  })
}

/** The report holds only the first rejected rows; the uploaded file, while it is kept, has all. */
async function isThere(reader: MemberReader, uploadId: string, now: number): Promise<boolean> {
  try {
    await requireUpload(reader, uploadId, now)
    return true
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}

async function* csvOf(
  batches: Iterable<readonly Rejection[]> | AsyncIterable<readonly Rejection[]>,
): AsyncGenerator<string> {
  yield 'Row,Line,Reason\r\n'
  for await (const rejected of batches)
    if (rejected.length > 0)
      yield rejected
        .map(({ row, line, reason }) => `${row},${line},"${reason.replaceAll('"', '""')}"\r\n`)
        .join('')
}

/** By primary key. */
const BY_ID = memberStatement<{ job_id: number }, { input: string; result: string | null }>()(
  'select input, result from jobs where member_id = :member_id and job_id = :job_id',
)
