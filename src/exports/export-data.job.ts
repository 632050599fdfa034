/** export_data: all data of a member as one zip file, which can be downloaded for a week. */

import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { defineJob, type Job, type RunningJob } from '../jobs/job.ts'
import { inChunks } from '../jobs/uploads.ts'
import { requireMember } from '../members/member.ts'
import { type Member } from '../members/member-row.ts'
import { archiveFiles, archiveName, countArchiveRows } from './archive-files.ts'
import { exportUrl } from './export-url.ts'
import {
  addExportChunks,
  beginExport,
  completeExport,
  removeExport,
  type StoredExport,
} from './export-store.ts'
import { zipStream } from './zip-stream.ts'

export const EXPORT_KIND = 'export_data'

export const ExportReport = Type.Object({
  export_id: Type.String(),
  filename: Type.String(),
  bytes: Type.Integer(),
  expires_at: Type.String({ format: 'date-time' }),
  download_url: Type.String({ format: 'uri', description: 'Requires a token of this member' }),
})
type ExportReport = Type.Static<typeof ExportReport>

export function exportDataJob({ publicUrl }: { readonly publicUrl: string }): Job {
  return defineJob({
    kind: EXPORT_KIND,
    tool: 'export_connections',
    readsEverything: true,
    title: 'Export everything',
    description:
      'Writes all data of the member into one zip file: connections as CSV, vCard and JSON, everything else as JSON. ' +
      'The file can be downloaded for 7 days. The next export replaces it.',
    input: Type.Closed({}),
    credits: 0,
    run: (job) => exportData(job, publicUrl),
  })
}

/** 1 MiB per transaction, so that other transactions can run in between and memory use stays low. */
const CHUNKS_PER_WRITE = 4

async function exportData(job: RunningJob, publicUrl: string): Promise<ExportReport> {
  const { db, jobId } = job
  const now = job.now()
  const { member, exportId } = await db.write(async (tx) => {
    const owner = await requireMember(tx.shared, db.memberId)
    const filename = archiveName(owner, now)
    return { member: owner, exportId: await beginExport(tx, { jobId, filename, now }) }
  })
  try {
    const bytes = await writeArchive(job, { exportId, member, publicUrl, now })
    const stored = await db.write((tx) => completeExport(tx, exportId, bytes, job.now()))
    return reportOf(stored, publicUrl)
  } catch (error) {
    // If this fails too, the next export or the sweep removes the archive. The first error is the one to report.
    await db.write((tx) => removeExport(tx, exportId)).catch(() => {})
    throw error
  }
}

interface Writing {
  readonly exportId: string
  readonly member: Member
  readonly publicUrl: string
  readonly now: number
}

/** Returns the size in bytes. */
async function writeArchive(job: RunningJob, { exportId, ...archive }: Writing): Promise<number> {
  const reader = job.db.heavy
  const total = await countArchiveRows(reader)
  let done = 0
  let message = 'Starting'
  const files = archiveFiles({
    ...archive,
    reader,
    photos: job.db,
    onRows(count, file) {
      done = Math.min(total, done + count)
      message = `Writing ${file}`
    },
  })
  let bytes = 0
  let first = 0
  for await (const chunks of inGroups(inChunks(zipStream(files, archive.now)))) {
    await job.db.write(
      async (tx) => {
        // No checkpoint: a zip file is always written from the start, so an interrupted run is not continued.
        await job.save(tx, null, { done, total, message })
        await addExportChunks(tx, exportId, first, chunks)
      },
      { bulk: true },
    )
    bytes += chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    first += chunks.length
  }
  return bytes
}

async function* inGroups(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Uint8Array[], void> {
  let group: Uint8Array[] = []
  for await (const chunk of chunks) {
    group.push(chunk)
    if (group.length < CHUNKS_PER_WRITE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

function reportOf(stored: StoredExport, publicUrl: string): ExportReport {
  return {
    export_id: stored.exportId,
    filename: stored.filename,
    bytes: stored.bytes,
    expires_at: rfc3339(stored.expiresAt),
    download_url: exportUrl(stored.exportId, publicUrl),
  }
}
