/** For tests: an export as its job writes it, and the archive as a program opens it. */

import assert from 'node:assert/strict'
import { BlobReader, TextWriter, ZipReader } from '@zip.js/zip.js'
import { createLog } from '../base/log.ts'
import { startJob } from '../jobs/start-job.ts'
import { JobWorker } from '../jobs/worker.ts'
import { exportDataJob } from './export-data.job.ts'
import { findLatestExport, readExport } from './stored-export.ts'
import type { MemberDatabase } from '../db/database.ts'
import type { StoredJob } from '../jobs/job-record.ts'
import type { TestStore } from '../../test/support/store.ts'

/** The text of each file in an archive, by its name. */
export type Archive = Readonly<Record<string, string>>

export const JOB = exportDataJob({ publicUrl: 'https://weft.example' })

export async function openArchive(zip: Uint8Array<ArrayBuffer>): Promise<Archive> {
  const reader = new ZipReader(new BlobReader(new Blob([zip])), {
    useWebWorkers: false,
    checkSignature: true,
  })
  const files: Record<string, string> = {}
  for (const entry of await reader.getEntries())
    if (!entry.directory) files[entry.filename] = await entry.getData(new TextWriter())
  await reader.close()
  return files
}

/** Runs the job to its end, as the worker does. */
export async function runExport(store: TestStore, db: MemberDatabase): Promise<StoredJob> {
  const { database, clock } = store
  const start = { definition: JOB, input: {}, credentialId: null, charge: true, quota: 0 }
  const { job } = await db.write((tx) => startJob(tx, { ...start, now: clock.now() }))
  await using worker = new JobWorker({ database, jobs: [JOB], clock, log: createLog('silent') })
  const ended = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(ended.state, 'succeeded', ended.error ?? '')
  return ended
}

/** The archive that the member can have now. */
export async function latestArchive(store: TestStore, db: MemberDatabase): Promise<Archive> {
  const latest = await findLatestExport(db, store.clock.now())
  assert.ok(latest)
  const chunks: Uint8Array[] = []
  for await (const chunk of readExport(db, latest)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  assert.equal(bytes.byteLength, latest.bytes)
  return openArchive(new Uint8Array(bytes))
}
