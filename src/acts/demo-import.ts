/** An address book of a phone, as the member of the demo account imported it. */

import { createReadStream } from 'node:fs'
import { newJobId } from '../base/ids.ts'
import { insertRow } from '../db/insert-row.ts'
import { openContactFile } from '../contact-files/read-contacts.ts'
import { fileImportJob, recordImport } from '../imports/file-import.job.ts'
import { importRows } from '../imports/import-batch.ts'
import { emptyReport, reportedColumns } from '../imports/import-report.ts'
import { batchesOf } from '../imports/reading/uploaded-contacts.ts'
import { FINISHED_JOB_RETENTION_MS } from '../jobs/job-retention.ts'
import type { MemberTransaction } from '../db/database.ts'

const FILENAME = 'phone.vcf'

/** More rows than the file has. */
const BATCH = 100

/** Within the transaction that creates the account, so there is no upload and nothing waits for a worker. */
export async function importDemoFile(tx: MemberTransaction, at: number): Promise<void> {
  const path = new URL(`../connections/demo/data/${FILENAME}`, import.meta.url)
  const file = await openContactFile(createReadStream(path))
  const report = emptyReport(file.format, FILENAME)
  const job = { jobId: newJobId(), credentialId: null, now: () => at }
  const context = { source: file.format, jobId: job.jobId, now: at, confirmed: new Set<number>() }
  for await (const rows of batchesOf(file, BATCH)) await importRows(tx, rows, report, context)
  await recordImport(tx, job, { report })
  await insertRow(tx, 'jobs', {
    job_id: job.jobId,
    kind: fileImportJob.kind,
    state: 'succeeded',
    input: '{}',
    result: JSON.stringify({ ...report, ...reportedColumns(file.columns()) }),
    progress_done: report.rows,
    progress_total: report.rows,
    filename: FILENAME,
    created_at: at,
    started_at: at,
    finished_at: at,
    expires_at: at + FINISHED_JOB_RETENTION_MS,
  })
}
