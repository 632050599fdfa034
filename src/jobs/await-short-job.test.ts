import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADA, addMembers, echo, silent, start } from '../../test/fixtures/jobs/invented-jobs.ts'
import { createStore } from '../../test/support/store.ts'
import { awaitShortJob } from './await-short-job.ts'
import { JobWorker } from './worker.ts'

async function startReading(bytes: number) {
  const store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const job = { ...echo, bytesOf: async () => bytes }
  const started = await start(database, job, { input: { text: 'hello' }, now: clock.now() })
  const jobId = started.job.job_id
  return {
    wait: (signal = new AbortController().signal) =>
      awaitShortJob(database.member(ADA), jobId, signal),
    async end() {
      await using worker = new JobWorker({ database, jobs: [job], clock, log: silent })
      await worker.runToEnd(ADA, jobId)
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

test('a call waits for the end of a short job, and no longer than its client', async () => {
  await using short = await startReading(1000)
  const leaving = new AbortController()
  const [left, waiting] = [short.wait(leaving.signal), short.wait()]
  leaving.abort()
  assert.equal(await left, undefined)
  await short.end()
  assert.equal((await waiting)?.state, 'succeeded')
})

test('a call does not wait for a long job', async () => {
  await using long = await startReading(1_000_000)
  assert.equal(await long.wait(), undefined)
  await long.end()
  assert.equal(await long.wait(), undefined)
})
