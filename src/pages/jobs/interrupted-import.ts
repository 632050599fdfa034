/** What an import that failed or was stopped did, and where to continue it. */

import * as Type from '../../base/type.ts'
import { checkSchema } from '../../base/schema.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { findImportedUpload } from '../../imports/imported-upload.ts'
import { ImportReport } from '../../imports/import-report.ts'
import { IMPORT_PATH, importPreviewPath } from '../../html/site-map.ts'
import { findUpload } from '../../jobs/uploads.ts'
import type { MemberReader } from '../../db/database.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { RecordedChange } from '../../tools/undo.ts'

export interface InterruptedImport {
  /** Undefined if the import changed nothing. */
  readonly counts: ImportCounts | undefined
  /** The preview of the same file while it is kept, otherwise the page for choosing a file. */
  readonly againPath: string
}

/** As recorded in the activity log. */
const { rejected: _rejected, ...counted } = ImportReport.properties
const ImportCounts = Type.Object(counted)
type ImportCounts = Readonly<Type.Static<typeof ImportCounts>>

/** The counts in the record of an import, or of its undo. */
export function importCountsOf({
  before,
  after,
}: Pick<RecordedChange, 'before' | 'after'>): ImportCounts | undefined {
  const counts = checkSchema(ImportCounts, after ?? before)
  return counts.ok ? counts.value : undefined
}

/** Undefined for other jobs. `imported` is the change of the import. */
export async function readInterrupted(
  reader: MemberReader,
  { job_id, kind, state }: StoredJob,
  { imported, now }: { readonly imported: RecordedChange | undefined; readonly now: number },
): Promise<InterruptedImport | undefined> {
  if (kind !== fileImportJob.kind || (state !== 'failed' && state !== 'cancelled')) return undefined
  return {
    counts: imported && importCountsOf(imported),
    againPath: await pathToFile(reader, job_id, now),
  }
}

async function pathToFile(reader: MemberReader, jobId: number, now: number): Promise<string> {
  const file = await findImportedUpload(reader, jobId)
  const upload = file && (await findUpload(reader, file.uploadId))
  return file && upload && upload.expires_at > now
    ? importPreviewPath(file.uploadId, file.encoding)
    : IMPORT_PATH
}
