import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { searchConnectionsTool } from '../../test/fixtures/search.ts'
import { createLog } from '../base/log.ts'
import { requestCancel, startJob } from '../jobs/start-job.ts'
import { creditBalance } from '../credits/account.ts'
import { databaseUnavailable } from '../db/unavailable.ts'
import { JobWorker } from '../jobs/worker.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { streamOf } from '../../test/fixtures/reading.ts'
import { zipOf } from '../../test/support/zip.ts'
import { NO_UPLOAD_QUOTA, storeUpload } from '../jobs/store-upload.ts'
import { linkedinCsv } from '../../test/support/invented.ts'
import { fileImportJob } from './file-import.job.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { importUndoer } from './undo-import.ts'
import type { Job } from '../jobs/job.ts'
import type { ToolOutcome } from '../tools/tool-outcome.ts'
import type { PageOfConnections } from '../connections/search/connection-page.ts'

const undo = undoTool({ undoers: [importUndoer] })

/** Many batches, so that the import is still running after the first progress report. */
const ROWS = 12_000

async function isEmpty(member: Acting): Promise<boolean> {
  const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool)
  return connections.length === 0
}

test('a stopped import is in the activity log and can be undone once it no longer runs', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const { database, clock } = world
  const { db } = member
  const now = clock.now()
  const { job } = await db.write((tx) =>
    startJob(tx, {
      definition: fileImportJob,
      input: { content: [...linkedinCsv(ROWS, 1)].join('') },
      credentialId: null,
      charge: false,
      quota: 0,
      now,
    }),
  )
  const jobs = [fileImportJob]
  await using worker = new JobWorker({ database, jobs, clock, log: createLog('silent') })
  let stopping: Promise<ToolOutcome> | undefined
  const stop = async () => {
    while (await isEmpty(member)) await nextTurn() // the first progress is reported before its commit
    const early = await member.call(undo, { activity_id: 'a_1' })
    await db.write((tx) => requestCancel(tx, job.job_id, now))
    return early
  }
  const ended = await worker.runToEnd(db.memberId, job.job_id, () => {
    stopping ??= stop()
  })
  const early = await stopping
  assert.equal(early?.ok, false)
  assert.equal(early.error.code, 'conflict')
  assert.match(early.error.message, /still running/)
  assert.equal(ended.state, 'cancelled')
  assert.equal(await isEmpty(member), false)
  await member.ask(undo, { activity_id: 'a_1' })
  assert.equal(await isEmpty(member), true)
})

test('an import that fails on a full disk is refunded, and what it imported can be undone as one change', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const { database, clock } = world
  const { db } = member
  const full = databaseUnavailable(Object.assign(new Error('disk is full'), { errcode: 13 }))
  let batches = 0
  const filling: Job = {
    ...fileImportJob,
    run: (job) =>
      fileImportJob.run({
        ...job,
        save: async (...args) => {
          batches += 1
          if (batches > 3) throw full
          return job.save(...args)
        },
      }),
  }
  const { job } = await db.write((tx) =>
    startJob(tx, {
      definition: filling,
      input: { content: [...linkedinCsv(ROWS, 1)].join('') },
      credentialId: null,
      charge: true,
      quota: 100,
      now: clock.now(),
    }),
  )
  await using worker = new JobWorker({
    database,
    jobs: [filling],
    clock,
    log: createLog('silent'),
    retryPauseMs: 0,
  })
  const { state, error } = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(state, 'failed')
  assert.match(error ?? '', /The disk of the server is full\./)
  assert.equal((await creditBalance(db, 100, clock.now())).remaining, 100)
  assert.equal(await isEmpty(member), false)
  await member.ask(undo, { activity_id: 'a_1' })
  assert.equal(await isEmpty(member), true)
})

test('the progress of a zip grows with its rows', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const { database, clock } = world
  const now = clock.now()
  const zip = zipOf([{ name: 'people.csv', content: [...linkedinCsv(ROWS, 1)].join('') }])
  const { upload_id } = await storeUpload(db, {
    filename: 'people.zip',
    contentType: null,
    now,
    quota: NO_UPLOAD_QUOTA,
    bytes: streamOf(zip),
  })
  const { job } = await db.write((tx) =>
    startJob(tx, {
      definition: fileImportJob,
      input: { upload_id },
      credentialId: null,
      charge: false,
      quota: 0,
      now,
    }),
  )
  const jobs = [fileImportJob]
  await using worker = new JobWorker({ database, jobs, clock, log: createLog('silent') })
  const shares: number[] = []
  await worker.runToEnd(db.memberId, job.job_id, ({ done, total }) => {
    shares.push(done / (total ?? 0))
  })
  // The first transaction has at most 4,096 rows.
  assert.ok((shares[0] ?? 1) < 0.7, shares.join(' '))
  assert.equal(shares.at(-1), 1)
})
