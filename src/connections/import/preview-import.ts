/** What importing an uploaded file would come to, told before anything is written. */

import { countRows, emptyReport, type ImportReport } from './import-report.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { planMerge } from './merge-contacts.ts'
import { batchesOf, openUploadedContacts } from './uploaded-contacts.ts'
import type { FileColumn } from './formats/file-columns.ts'
import type { ImportedContact } from '../model/contact.ts'

export interface ImportPreview {
  /** The columns of the header; none for vCard. */
  readonly columns: readonly FileColumn[]
  /** The first contacts, as they were understood. */
  readonly samples: readonly ImportedContact[]
  readonly report: Readonly<ImportReport>
  /** False where the report is about the first `MAX_PREVIEW_ROWS` rows of more. */
  readonly isWhole: boolean
}

/** A plan of more rows would keep its reader waiting, and take memory by the row. */
export const MAX_PREVIEW_ROWS = 20_000

const BATCH = 500
const SAMPLES = 5

/** No job has this number. */
const NO_JOB = 0

export interface PlanOptions {
  readonly uploadId: string
  readonly now: number
  readonly most?: number
}

/** @throws Refusal `unreadable_file`; `rate_limited` when too many computations of this member wait already. */
export function previewImport(
  db: Pick<MemberDatabase, 'compute'>,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<ImportPreview> {
  return db.compute(COMPUTATION, options, { signal })
}

/** Runs in a thread: parsing and matching take the longer the larger the file is. */
export async function planUpload(
  reader: MemberReader,
  { uploadId, now, most = MAX_PREVIEW_ROWS }: PlanOptions,
): Promise<ImportPreview> {
  const file = await openUploadedContacts(reader, uploadId)
  const { format, columns } = file
  const merge = planMerge(reader, { source: format, jobId: NO_JOB, now })
  const report = emptyReport(format, null)
  const samples: ImportedContact[] = []
  for await (const batch of batchesOf(file, BATCH)) {
    const room = most - report.rows
    if (room === 0) return { columns, samples, report, isWhole: false }
    const rows = batch.slice(0, room)
    const contacts = rows.flatMap((row) => ('contact' in row ? [row.contact] : []))
    samples.push(...contacts.slice(0, SAMPLES - samples.length))
    countRows(report, rows, await merge(contacts))
    if (rows.length < batch.length) return { columns, samples, report, isWhole: false }
  }
  return { columns, samples, report, isWhole: true }
}

const COMPUTATION = defineComputation(import.meta.url, { planUpload })
