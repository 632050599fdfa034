/** Previews the import of a file without writing anything. */

import { countRows, emptyReport, type ImportReport } from './import-report.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../db/database.ts'
import { mergeRows } from './merging/merge-contacts.ts'
import { readUpload } from '../jobs/uploads.ts'
import { batchesOf, openContacts } from './reading/uploaded-contacts.ts'
import { readable } from './reading/unreadable-error.ts'
import { emptyNetwork } from './merging/matched-people.ts'
import type { FileReading } from './reading/read-options.ts'
import type { FileColumn } from '../contact-files/columns/file-columns.ts'
import type { ImportedContact } from '../contact-files/contact/contact.ts'

export interface ImportPreview {
  /** The columns of the header, or the properties of the cards, which cannot be mapped. */
  readonly columns: readonly FileColumn[]
  /** The names of the columns, in full. */
  readonly header: readonly string[]
  /** The first contacts, as parsed. */
  readonly samples: readonly ImportedContact[]
  readonly report: Readonly<ImportReport>
  /** False when the file has more than the `MAX_PREVIEW_ROWS` rows that the report covers. */
  readonly isWhole: boolean
}

/** Limits the time and memory of a preview, which both grow with the number of rows. */
export const MAX_PREVIEW_ROWS = 20_000

const BATCH = 500
const SAMPLES = 5

/** Not the ID of any job. */
const NO_JOB = 0

type PlannedFile =
  | { readonly uploadId: string; readonly content?: never }
  | { readonly content: string; readonly uploadId?: never }

type PlanOptions = PlannedFile & {
  readonly now: number
  readonly most?: number
  /** How to read the file; columns that are not known are allowed. */
  readonly reading?: FileReading
}

type UploadedFile = Pick<PlanOptions, 'reading'> & { readonly uploadId: string }

/**
 * @throws {RequestError} `unreadable_file` when the file is not a list of contacts, is damaged, or takes too much time or
 *   memory.
 * @throws {RequestError} `rate_limited` when too many computations of this member are queued.
 */
export function previewImport(
  db: Pick<MemberDatabase, 'compute'>,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<ImportPreview> {
  return readable(() => db.compute(PLAN, options, { signal }))
}

/**
 * The columns of an upload, as its header names them; none if it has no header. Throws as `previewImport` does.
 */
export function readFileHeader(
  db: Pick<MemberDatabase, 'compute'>,
  file: UploadedFile,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return readable(() => db.compute(HEADER, file, { signal }))
}

/** Runs in a worker thread, because a workbook or a zip is parsed as a whole before its first row. */
export async function headerOf(
  reader: MemberReader,
  { uploadId, reading = {} }: UploadedFile,
): Promise<readonly string[]> {
  const { header } = await openContacts(reader, readUpload(reader, uploadId), reading)
  return header
}

/** Runs in a worker thread, because parsing and matching take long for large files. */
export async function planUpload(
  reader: MemberReader,
  { uploadId, content, now, most = MAX_PREVIEW_ROWS, reading = {} }: PlanOptions,
): Promise<ImportPreview> {
  const bytes = content === undefined ? readUpload(reader, uploadId) : bytesOf(content)
  const file = await openContacts(reader, bytes, reading)
  const { format } = file
  const network = emptyNetwork({ source: format, jobId: NO_JOB, now })
  const report = emptyReport(format, null)
  const samples: ImportedContact[] = []
  let isWhole = true
  for await (const batch of batchesOf(file, BATCH)) {
    const rows = batch.slice(0, most - report.rows)
    const contacts = rows.flatMap((row) => ('contact' in row ? [row.contact] : []))
    samples.push(...contacts.slice(0, SAMPLES - samples.length))
    countRows(report, rows, await mergeRows(network, reader, rows), network)
    network.linked.length = 0
    isWhole = rows.length === batch.length
    if (!isWhole) break
  }
  return { columns: file.columns(), header: file.header, samples, report, isWhole }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const PLAN = defineComputation(import.meta.url, { planUpload })
const HEADER = defineComputation(import.meta.url, { headerOf })
