import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import * as Type from '../base/type.ts'
import { createStore } from '../../test/support/store.ts'
import { RequestError } from '../base/request-error.ts'
import { SECOND } from '../base/clock.ts'
import { checkSchema } from '../base/schema.ts'
import { memberStatement } from '../db/statement.ts'
import {
  addMembers,
  ADA,
  credits,
  echo,
  endless,
  GRACE,
  start,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { defineJob } from './job.ts'
import { JOB, publishJob, retryAfter } from './job-record.ts'
import { findJob, listJobs, requestCancel, requireJob } from './start-job.ts'
import { storeText } from './store-upload.ts'

const LEDGER = memberStatement<object, { kind: string; delta: number }>()(
  'select kind, delta from credit_ledger where member_id = :member_id order by entry_id',
)
const UPLOADS = memberStatement<object, { upload_id: string }>()(
  'select upload_id from uploads where member_id = :member_id',
)

test('a new job is queued, charged once, and published as the contract requires', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const { job, started } = await start(database, echo, { input: { text: 'a' }, now: clock.now() })
  assert.equal(started, true)
  assert.equal(await credits(database, clock.now()), 95)
  const published = publishJob(job, 'https://weft.example')
  assert.deepEqual(published, {
    object: 'job',
    job_id: job.job_id,
    kind: 'echo',
    state: 'queued',
    terminal: false,
    progress: { done: 0, total: null, message: null },
    result: null,
    error: null,
    created_at: '2026-11-21T12:00:00.000Z',
    started_at: null,
    finished_at: null,
    poll: `https://weft.example/api/jobs/${job.job_id}`,
  })
  assert.equal(checkSchema(JOB, published).ok, true)
})

test('of fifty concurrent starts, one creates the job and is charged', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const input = { text: 'a' }
  const all = await Promise.all(
    Array.from({ length: 50 }, () => start(database, echo, { input, now: clock.now() })),
  )
  assert.equal(all.filter(({ started }) => started).length, 1)
  assert.equal(new Set(all.map(({ job }) => job.job_id)).size, 1)
  assert.equal((await listJobs(database.member(ADA), { limit: 100 })).length, 1)
  const ledger = await database.member(ADA).all(LEDGER, {})
  assert.deepEqual(
    ledger.map(({ kind, delta }) => [kind, delta]),
    [
      ['grant', 100],
      ['charge', -5],
    ],
  )
})

test('the index rejects a second active job of a kind', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const now = clock.now()
  await start(database, endless, { now })
  const insert = memberStatement<{ now: number }>()(
    "insert into jobs (job_id, member_id, kind, state, input, created_at) values (9, :member_id, 'endless', 'queued', '{}', :now)",
  )
  await assert.rejects(database.member(ADA).write((tx) => tx.run(insert, { now })))
  await database.member(GRACE).write((tx) => tx.run(insert, { now }))
})

test('invalid input is rejected with all errors and is free', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  await assert.rejects(
    start(database, echo, { input: { text: 1, more: true }, now: clock.now() }),
    (error) => {
      assert.ok(error instanceof RequestError)
      assert.equal(error.code, 'invalid_request')
      const pointers = error.details.errors?.map(({ pointer }) => pointer).toSorted()
      assert.deepEqual(pointers, ['/more', '/text'])
      return true
    },
  )
  assert.deepEqual(await listJobs(database.member(ADA), { limit: 10 }), [])
  assert.equal(await credits(database, clock.now()), 100)
})

test('a job that the credits do not cover is rejected and leaves no prepared data', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const costly = defineJob({
    kind: 'costly',
    tool: 'whoami',
    title: 'Costly',
    description: 'Costs more than there is',
    input: Type.Object({ content: Type.String() }),
    credits: 101,
    prepare: async (tx, { content }, now) => {
      await storeText(tx, { text: content, filename: null, contentType: null, now })
      return { content: '' }
    },
    run: async () => null,
  })
  const input = { content: 'a,b' }
  const now = clock.now()
  await assert.rejects(
    start(database, costly, { input, now }),
    (error) => error instanceof RequestError && error.code === 'credits_exhausted',
  )
  assert.deepEqual(await listJobs(database.member(ADA), { limit: 10 }), [])
  assert.deepEqual(await database.member(ADA).all(UPLOADS, {}), [])
  const { started } = await start(database, costly, { input, now, charge: false })
  assert.equal(started, true)
})

test('a queued job is canceled at once and refunded; canceling it again changes nothing', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const { job } = await start(database, echo, { input: { text: 'a' }, now: clock.now() })
  const db = database.member(ADA)
  const cancelled = await db.write((tx) => requestCancel(tx, job.job_id, clock.now()))
  assert.equal(cancelled.state, 'cancelled')
  assert.equal(await credits(database, clock.now()), 100)
  clock.advance(SECOND)
  assert.deepEqual(await db.write((tx) => requestCancel(tx, job.job_id, clock.now())), cancelled)
  assert.equal(await credits(database, clock.now()), 100)
})

test('another member can neither see nor cancel a job', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const { job } = await start(database, endless, { now: clock.now() })
  const grace = database.member(GRACE)
  const notFound = (error: unknown) =>
    error instanceof RequestError && error.code === 'job_not_found'
  assert.equal(await findJob(grace, job.job_id), undefined)
  assert.deepEqual(await listJobs(grace, { limit: 10 }), [])
  await assert.rejects(requireJob(grace, job.job_id), notFound)
  await assert.rejects(
    grace.write((tx) => requestCancel(tx, job.job_id, clock.now())),
    notFound,
  )
  assert.equal((await requireJob(database.member(ADA), job.job_id)).cancel_requested_at, null)
})

test('jobs are listed newest first, page by page, by state and kind', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const db = database.member(ADA)
  const ids: number[] = []
  for (let index = 0; index < 7; index += 1) {
    const { job } = await start(database, echo, { input: { text: 'a' }, now: clock.now() })
    await db.write((tx) => requestCancel(tx, job.job_id, clock.now()))
    ids.unshift(job.job_id)
    clock.advance(SECOND)
  }
  const { job: last } = await start(database, endless, { now: clock.now() })
  const first = await listJobs(db, { limit: 3 })
  assert.deepEqual(
    first.map((job) => job.job_id),
    [last.job_id, ...ids.slice(0, 2)],
  )
  const end = first.at(-1)
  const before = { createdAt: end?.created_at ?? 0, jobId: end?.job_id ?? 0 }
  const rest = await listJobs(db, { limit: 100, before })
  assert.deepEqual(
    rest.map((job) => job.job_id),
    ids.slice(2),
  )
  assert.equal((await listJobs(db, { limit: 10, state: 'cancelled' })).length, 7)
  assert.equal((await listJobs(db, { limit: 10, kind: 'endless' })).length, 1)
  assert.equal((await listJobs(db, { limit: 10, kind: 'endless', state: 'failed' })).length, 0)
})

test('the poll interval follows the pace, between 1 and 10 seconds', async () => {
  await using store = await createStore()
  const { database, clock } = store
  await addMembers(database)
  const { job: queued } = await start(database, endless, { now: clock.now() })
  const at = clock.now()
  const running = { ...queued, state: 'running' as const, started_at: at, progress_total: 100 }
  assert.equal(retryAfter(queued, at + 60 * SECOND), 1)
  assert.equal(retryAfter(running, at + 60 * SECOND), 1)
  assert.equal(retryAfter({ ...running, progress_done: 50 }, at + 4 * SECOND), 4)
  assert.equal(retryAfter({ ...running, progress_done: 1 }, at + 60 * SECOND), 10)
  assert.equal(retryAfter({ ...running, progress_done: 99 }, at + 60 * SECOND), 1)
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.nat()), fc.nat(), (done, total, elapsed) => {
      const job = { ...running, progress_done: done, progress_total: total }
      const seconds = retryAfter(job, at + elapsed)
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 10)
    }),
  )
})
