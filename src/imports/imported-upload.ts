/** The upload that an import reads. */

import { checkSchema } from '../base/schema.ts'
import { memberStatement } from '../db/statement.ts'
import { FileImportInput } from './file-import.job.ts'
import type { MemberReader } from '../db/database.ts'

interface ImportedUpload {
  readonly uploadId: string
  /** The text encoding that the import was given. */
  readonly encoding: string | undefined
}

/** Undefined if the member has no such import. The upload may have expired. */
export async function findImportedUpload(
  reader: MemberReader,
  jobId: number,
): Promise<ImportedUpload | undefined> {
  const job = await reader.get(INPUT, { job_id: jobId })
  const input = checkSchema(FileImportInput, JSON.parse(job?.input ?? 'null'))
  if (!input.ok || input.value.upload_id === undefined) return undefined
  return { uploadId: input.value.upload_id, encoding: input.value.encoding }
}

/** By primary key. */
const INPUT = memberStatement<{ job_id: number }, { input: string }>()(
  'select input from jobs where member_id = :member_id and job_id = :job_id',
)
