/** The unfinished import of a member: whether a command continues it, and what to do with it otherwise. */

import { RequestError } from '../base/request-error.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { fileReading, isSameReading, type FileReading } from '../imports/reading/read-options.ts'
import { progressOf } from '../jobs/job-record.ts'
import { findActiveJob, type ActiveJob } from '../jobs/start-job.ts'
import { findUpload, isSameFile } from '../jobs/uploads.ts'
import type { MemberDatabase } from '../db/database.ts'

/**
 * Returns the ID of the job.
 *
 * @throws {RequestError} `not_found` when the member has no unfinished import.
 */
export async function requireUnfinished(db: MemberDatabase, member: string): Promise<number> {
  const active = await findActiveJob(db, fileImportJob.kind)
  if (active) return active.job_id
  throw new RequestError('not_found', `${member} has no unfinished import.`)
}

/** Whether the import reads exactly these bytes. */
export function isOfFile(
  db: MemberDatabase,
  { input }: ActiveJob,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  return isSameFile(db, inputOf(input).upload_id, bytes)
}

/**
 * Whether the import has the same format, encoding and columns.
 *
 * @throws {RequestError} `invalid_request` when the encoding or a field is unknown.
 */
export function isReadAs({ input }: ActiveJob, reading: FileReading): boolean {
  return isSameReading(fileReading(inputOf(input)), reading)
}

/** The options of the import, for people. */
export function describeReading({ input }: ActiveJob): string {
  const { format, encoding, columns = [] } = inputOf(input)
  return [
    `--format ${format}`,
    ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ...columns.map((column) => `--column "${column}"`),
  ].join(' ')
}

/** The error of a command that would start another import. */
export async function unfinishedImport(
  db: MemberDatabase,
  job: ActiveJob,
  member: string,
): Promise<RequestError> {
  const upload = await findUpload(db, inputOf(job.input).upload_id)
  const { message } = progressOf(job)
  const what = `An import of ${upload?.filename ?? 'another file'} into the network of ${member}`
  return new RequestError(
    'conflict',
    `${what} is not finished${message === null ? '' : ` (${message})`}.`,
    {
      hint:
        `To continue it, or to follow it while it runs: weft import --resume --member ${member}\n` +
        `To cancel it: weft import --cancel --member ${member}`,
    },
  )
}

interface ImportInput extends Omit<FileReading, 'columns'> {
  readonly upload_id: string
  readonly columns?: readonly string[]
}

/** `fileImportJob` validated the input when the job was created. */
function inputOf(json: string): ImportInput & Required<Pick<ImportInput, 'format'>> {
  return { upload_id: '', format: 'auto', ...(JSON.parse(json) as Partial<ImportInput>) }
}
