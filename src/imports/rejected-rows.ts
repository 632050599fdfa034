/** All rows of an upload that an import rejects; the report of the import has only the first. */

import { readUpload } from '../jobs/uploads.ts'
import { defineComputation, type MemberDatabase, type MemberReader } from '../db/database.ts'
import { batchesOf, openContacts } from './reading/uploaded-contacts.ts'
import { readable } from './reading/unreadable-error.ts'
import type { Rejection } from './import-report.ts'
import type { FileReading } from './reading/read-options.ts'

/** Per reading of the file, about 5 MB. A file with more is read again, so that a slow download occupies no thread. */
const MAX_REJECTIONS = 50_000
/** Rows read at a time. */
const BATCH = 500

interface RejectedFile {
  readonly uploadId: string
  readonly reading: FileReading
  /** Only rows after this one. */
  readonly after?: number
  readonly most?: number
}

/**
 * Yields them in file order.
 *
 * @throws {RequestError} `unreadable_file` when the file takes too much time or memory.
 */
export async function* rejectedRows(
  db: Pick<MemberDatabase, 'compute'>,
  file: RejectedFile,
  signal: AbortSignal,
): AsyncGenerator<readonly Rejection[], void> {
  const { most = MAX_REJECTIONS } = file
  for (let { after = 0 } = file; ;) {
    const part = { ...file, after, most }
    const found = await readable(() => db.compute(COMPUTATION, part, { signal }))
    yield found
    if (found.length < most) return
    after = found.at(-1)?.row ?? after
  }
}

/** Runs in a worker thread. */
export async function rejectedInThread(
  reader: MemberReader,
  { uploadId, reading, after = 0, most = MAX_REJECTIONS }: RejectedFile,
): Promise<Rejection[]> {
  const file = await openContacts(reader, readUpload(reader, uploadId), reading)
  const found: Rejection[] = []
  for await (const rows of batchesOf(file, BATCH, after)) {
    for (const row of rows)
      if ('rejected' in row) found.push({ row: row.row, line: row.line, reason: row.rejected })
    if (found.length >= most) return found.slice(0, most)
  }
  return found
}

const COMPUTATION = defineComputation(import.meta.url, { rejectedInThread })
