import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { test } from 'node:test'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { SECOND, systemClock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement } from '../db/statement.ts'
import {
  addMembers,
  ADA,
  credits,
  echo,
  ended,
  endless,
  failing,
  GRACE,
  notes,
  numbered,
  refused,
  rows,
  silent,
  start,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { until } from '../../test/support/until.ts'
import { publishJob, type JobError } from './job-record.ts'
import { spawnWorker } from '../../test/fixtures/jobs/spawn-worker.ts'
import { onOneEngine } from '../../test/support/engine-options.ts'
import { endJob, renewLease, saveCheckpoint } from './job-lease.ts'
import { claimJob, claimNextJob } from './claim-job.ts'
import { defineJob, JobInterrupted, type Job } from './job.ts'
import { listJobs, requestCancel, requireJob } from './start-job.ts'
import { isDeadWorker, newWorkerId } from '../base/concurrency/worker-id.ts'
import { JobWorker } from './worker.ts'

const ATTEMPTS = memberStatement<
  object,
  { attempts: number; stalled_tenths: number; worker: string | null; checkpoint: string | null }
>()('select attempts, stalled_tenths, worker, checkpoint from jobs where member_id = :member_id')

/** As the job `rows` writes one. */
const INSERT_ROW = memberStatement<{ text: string; now: number }>()(`
  insert into notes (member_id, note_id, connection_id, text, origin, created_at, updated_at)
  values (:member_id, (select coalesce(max(note_id), 0) + 1 from notes where member_id = :member_id),
          1, :text, 'import', :now, :now)`)

/** No process has this ID: the maximum on Linux and macOS is far lower. */
const NO_PID = 2_000_000_000

function workerOf(store: TestStore, jobs: readonly Job[], workerId?: string): JobWorker {
  const { database, clock } = store
  return new JobWorker({
    database,
    jobs,
    clock,
    log: silent,
    // These tests do not move the clock.
    retryPauseMs: 0,
    ...(workerId === undefined ? {} : { workerId }),
  })
}

async function createWorld(): Promise<TestStore> {
  const store = await createStore()
  await addMembers(store.database)
  return store
}

const expectRows = (count: number) => Array.from({ length: count }, (_, row) => `row ${row}`)

test('a job that succeeds ends with its result, its credits spent', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  await using worker = workerOf(store, [echo])
  worker.start()
  const { job } = await start(database, echo, { input: { text: 'héllo' }, now: clock.now() })
  worker.wake()
  const done = await ended(database, job.job_id)
  assert.equal(done.state, 'succeeded')
  assert.deepEqual(JSON.parse(done.result ?? ''), { text: 'héllo' })
  assert.equal(done.started_at, clock.now())
  assert.equal(done.finished_at, clock.now())
  assert.equal(await credits(database, clock.now()), 95)
  const next = await start(database, echo, { input: { text: 'again' }, now: clock.now() })
  assert.equal(next.started, true)
})

test('a request error fails the job at once with its reason and refunds the credits', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  await using worker = workerOf(store, [refused])
  const { job } = await start(database, refused, { now: clock.now() })
  assert.equal(await credits(database, clock.now()), 93)
  const done = await worker.runToEnd(ADA, job.job_id)
  assert.equal(done.state, 'failed')
  const { texts, ...error } = JSON.parse(done.error ?? '') as JobError
  assert.deepEqual(error, {
    code: 'unreadable_file',
    title: 'Unreadable contacts file',
    detail: 'Line 1 is not a header. Name the columns.',
  })
  assert.deepEqual(texts, [{ source: 'Line 1 is not a header.' }, { source: 'Name the columns.' }])
  assert.deepEqual(publishJob(done, 'https://weft.example').error, error)
  assert.equal((await database.member(ADA).get(ATTEMPTS, {}))?.attempts, 1)
  assert.equal(await credits(database, clock.now()), 100)
})

test('a job that throws is tried three times, then fails without revealing the cause', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const broken = failing(3)
  await using worker = workerOf(store, [broken])
  const { job } = await start(database, broken, { now: clock.now() })
  const done = await worker.runToEnd(ADA, job.job_id)
  assert.equal(broken.runs(), 3)
  assert.equal(done.state, 'failed')
  assert.match(done.error ?? '', /"code":"internal"/)
  assert.doesNotMatch(done.error ?? '', /hums/)
  assert.equal(await credits(database, clock.now()), 100)
})

test('a failed attempt is retried after a pause, then after a longer one', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const broken = failing(2)
  const log = silent
  await using worker = new JobWorker({ database, jobs: [broken], clock, log, retryPauseMs: SECOND })
  const { job } = await start(database, broken, { now: clock.now() })
  const done = worker.runToEnd(ADA, job.job_id)
  const claim = () =>
    claimNextJob(database, { worker: 'w', kinds: [broken.kind], busy: [], now: clock.now() })
  for (const [runs, pause] of [
    [1, SECOND],
    [2, 6 * SECOND],
  ] as const) {
    await until(async () => {
      const { state, lease_until } = (await database.member(ADA).get(DUE, {})) ?? {}
      const isPaused = state === 'queued' && lease_until === clock.now() + pause
      return (broken.runs() === runs && isPaused) || undefined
    })
    // No other worker takes it meanwhile.
    assert.equal(await claim(), undefined)
    clock.advance(pause)
  }
  assert.equal((await done).state, 'succeeded')
})

const DUE = memberStatement<object, { state: string; lease_until: number | null }>()(
  'select state, lease_until from jobs where member_id = :member_id',
)

test('a job that fails twice and then works succeeds and is charged once', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const shaky = failing(2)
  await using worker = workerOf(store, [shaky])
  worker.start()
  const { job } = await start(database, shaky, { now: clock.now() })
  worker.wake()
  assert.equal((await ended(database, job.job_id)).state, 'succeeded')
  assert.equal(shaky.runs(), 3)
  assert.equal(await credits(database, clock.now()), 96)
})

test('a server error is not the job’s fault, so the job is retried', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const shaky = failing(1, new RequestError('unavailable', 'The database is locked.'))
  await using worker = workerOf(store, [shaky])
  const { job } = await start(database, shaky, { now: clock.now() })
  assert.equal((await worker.runToEnd(ADA, job.job_id)).state, 'succeeded')
})

test('a worker that lost its job is notified and writes nothing', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  await using worker = workerOf(store, [endless], 'here:1:aa')
  const told = Promise.withResolvers<unknown>()
  const watched = defineJob({
    ...endless,
    run: async ({ signal }) => {
      signal.addEventListener('abort', () => told.resolve(signal.reason))
      await told.promise
    },
  })
  await using other = workerOf(store, [watched], 'here:1:bb')
  const { job } = await start(database, watched, { now: clock.now() })
  other.start()
  const db = database.member(ADA)
  await until(async () =>
    (await requireJob(db, job.job_id)).state === 'running' ? true : undefined,
  )
  const taken = await claimJob(database, { worker: worker.id, jobId: job.job_id, now: clock.now() })
  assert.equal(taken?.attempt, 2)
  other.wake()
  assert.ok((await told.promise) instanceof JobInterrupted)
  await other[Symbol.asyncDispose]()
  assert.equal((await requireJob(db, job.job_id)).state, 'running')
  assert.equal((await db.get(ATTEMPTS, {}))?.worker, worker.id)
})

test('jobs run oldest first, at most as many at a time as allowed', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const order: string[] = []
  let running = 0
  let most = 0
  const watched = numbered(6).map((job) =>
    defineJob({
      ...job,
      run: async (given) => {
        order.push(job.kind)
        running += 1
        most = Math.max(most, running)
        await job.run(given)
        running -= 1
      },
    }),
  )
  for (const job of watched) {
    await start(database, job, { now: clock.now() })
    clock.advance(1)
  }
  await using worker = workerOf(store, watched)
  worker.start()
  await until(async () => ((await notes(database)).length === 6 ? true : undefined))
  assert.deepEqual(
    order,
    watched.map(({ kind }) => kind),
  )
  assert.equal(most, 2)
})

test('canceling a running job aborts its signal and cancels it', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  await using worker = workerOf(store, [endless])
  worker.start()
  const { job } = await start(database, endless, { now: clock.now() })
  worker.wake()
  const db = database.member(ADA)
  await until(async () =>
    (await requireJob(db, job.job_id)).state === 'running' ? true : undefined,
  )
  const asked = await db.write((tx) => requestCancel(tx, job.job_id, clock.now()))
  assert.equal(asked.state, 'running')
  worker.wake()
  const done = await ended(database, job.job_id)
  assert.equal(done.state, 'cancelled')
  assert.equal(done.error, null)
})

test('a canceled job stops at its next save, which is rolled back', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  await using worker = workerOf(store, [rows])
  const input = { count: 1_000_000, pause: 0 }
  const { job } = await start(database, rows, { input, now: clock.now() })
  const db = database.member(ADA)
  let cancel: Promise<unknown> | undefined
  const done = await worker.runToEnd(ADA, job.job_id, ({ done: count }) => {
    if (count === 20) cancel = db.write((tx) => requestCancel(tx, job.job_id, clock.now()))
  })
  await cancel
  assert.equal(done.state, 'cancelled')
  assert.ok(done.progress_done < 1_000_000)
  assert.deepEqual(await notes(database), expectRows(done.progress_done))
})

test('a graceful stop requeues the job with its checkpoint and does not count as an attempt', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const input = { count: 40, pause: 0 }
  const { job } = await start(database, rows, { input, now: clock.now() })
  for (const [index, stopAfter] of [5, 10, 15, 20, 25].entries()) {
    const worker = workerOf(store, [rows])
    let stopping: Promise<void> | undefined
    const left = await worker.runToEnd(ADA, job.job_id, ({ done }) => {
      if (done === stopAfter) stopping = worker[Symbol.asyncDispose]()
    })
    await stopping
    assert.equal(left.state, 'queued')
    const stored = await database.member(ADA).get(ATTEMPTS, {})
    assert.deepEqual(
      { ...stored },
      {
        attempts: index + 1,
        stalled_tenths: 0,
        worker: null,
        checkpoint: String(left.progress_done),
      },
    )
  }
  await using worker = workerOf(store, [rows])
  assert.equal((await worker.runToEnd(ADA, job.job_id)).state, 'succeeded')
  assert.deepEqual(await notes(database), expectRows(40))
})

test('a stopping worker releases its jobs and claims no others', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const worker = workerOf(store, [endless, echo])
  worker.start()
  const { job } = await start(database, endless, { now: clock.now() })
  worker.wake()
  const db = database.member(ADA)
  await until(async () =>
    (await requireJob(db, job.job_id)).state === 'running' ? true : undefined,
  )
  await worker[Symbol.asyncDispose]()
  await start(database, echo, { input: { text: 'a' }, now: clock.now() })
  worker.wake()
  const states = (await listJobs(db, { limit: 10 })).map(({ state }) => state)
  assert.deepEqual(states, ['queued', 'queued'])
})

test('a live worker keeps its job until the lease expires; then another continues from the checkpoint', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const input = { count: 10, pause: 0 }
  const { job } = await start(database, rows, { input, now: clock.now() })
  const asked = { jobId: job.job_id, kinds: ['rows'], busy: [] }
  const first = await claimJob(database, { ...asked, worker: 'elsewhere:7:aa', now: clock.now() })
  assert.ok(first)
  clock.advance(15 * SECOND)
  const early = { ...asked, worker: 'here:8:bb', now: clock.now() }
  assert.equal(await claimNextJob(database, early), undefined)
  clock.advance(1)
  await using worker = workerOf(store, [rows])
  assert.equal((await worker.runToEnd(ADA, job.job_id)).state, 'succeeded')
  assert.deepEqual(await notes(database), expectRows(10))

  // The first worker wakes up and still considers the job its own.
  const db = database.member(ADA)
  const progress = { done: 99, total: 99, message: null }
  const late = await db.write((tx) => saveCheckpoint(tx, first, 99, progress, clock.now()))
  assert.equal(late, 'lost')
  await db.write((tx) => endJob(tx, first, { state: 'cancelled' }, clock.now()))
  assert.equal((await requireJob(db, job.job_id)).state, 'succeeded')
})

test('the job of a dead process on this host is taken over at once', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  for (const dead of [`${hostname()}:${NO_PID}:aa`, `${hostname()}:${pid}:an-earlier-process`]) {
    const { job } = await start(database, echo, { input: { text: 'a' }, now: clock.now() })
    assert.ok(
      await claimJob(database, { worker: dead, jobId: job.job_id, now: clock.now() }),
      'the dead worker held it',
    )
    await using worker = workerOf(store, [echo])
    worker.start()
    assert.equal((await ended(database, job.job_id)).state, 'succeeded')
  }
})

test('a worker is considered dead only if it is on the same host and its process does not exist', () => {
  const self = newWorkerId()
  assert.equal(isDeadWorker(self, self), false)
  assert.equal(isDeadWorker(`${hostname()}:1:aa`, self), false)
  assert.equal(isDeadWorker(`another-host:${NO_PID}:aa`, self), false)
  assert.equal(isDeadWorker('no worker at all', self), false)
  assert.equal(isDeadWorker(`${hostname()}:${NO_PID}:aa`, self), true)
  assert.equal(isDeadWorker(`${hostname()}:${pid}:aa`, self), true)
})

test('a job whose worker died three times after some seconds fails and is refunded', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const { job } = await start(database, endless, { now: clock.now() })
  for (let attempt = 1; attempt <= 3; attempt += 1) await dieAfter(store, job.job_id, attempt, true)
  await using worker = workerOf(store, [endless])
  worker.start()
  const done = await ended(database, job.job_id)
  assert.equal(done.state, 'failed')
  assert.match(done.error ?? '', /interrupted again and again without progress/)
  assert.equal(await credits(database, clock.now()), 100)
})

/** An attempt of a worker that dies before its first renewal, or after it. */
async function dieAfter(
  { database, clock }: TestStore,
  jobId: number,
  attempt: number,
  isRenewed: boolean,
): Promise<void> {
  const worker = `${hostname()}:${NO_PID}:try${attempt}`
  const hold = await claimJob(database, { worker, jobId, now: clock.now() })
  assert.equal(hold?.attempt, attempt)
  if (!isRenewed) return
  const renewal = { now: clock.now(), isWhole: true }
  assert.equal(await database.member(ADA).write((tx) => renewLease(tx, hold, renewal)), 'held')
}

test('quick restarts of the service do not end a job, but a job that ends its process at once is given up', async () => {
  for (const [restarts, state] of [
    [10, 'succeeded'],
    [30, 'failed'],
  ] as const) {
    await using store = await createWorld()
    const { database, clock } = store
    const { job } = await start(database, echo, { input: { text: 'a' }, now: clock.now() })
    for (let attempt = 1; attempt <= restarts; attempt += 1)
      await dieAfter(store, job.job_id, attempt, false)
    await using worker = workerOf(store, [echo])
    worker.start()
    assert.equal((await ended(database, job.job_id)).state, state)
  }
})

test('an attempt counts as one after some seconds, and once', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  // The run takes its beginning from the clock after the job is stored as running.
  const begun = Promise.withResolvers<void>()
  const watched = defineJob({
    ...endless,
    run: (running) => {
      begun.resolve()
      return endless.run(running)
    },
  })
  await using worker = workerOf(store, [watched])
  await start(database, watched, { now: clock.now() })
  worker.start()
  const db = database.member(ADA)
  await begun.promise
  const tenths = async () => (await db.get(ATTEMPTS, {}))?.stalled_tenths
  assert.equal(await tenths(), 1)
  for (let renewals = 0; renewals < 3; renewals += 1) {
    clock.advance(3 * SECOND)
    worker.wake()
    await until(async () => (await tenths()) === 10)
  }
})

test('a small job does not wait for large ones', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const small = defineJob({ ...echo, bytesOf: async () => 200 })
  const large = defineJob({ ...echo, kind: 'large', bytesOf: async () => 2_000_000 })
  const unknown = defineJob({ ...echo, kind: 'unknown' })
  const jobs = [endless, small, large, unknown]
  await using worker = new JobWorker({ database, jobs, clock, log: silent, concurrency: 1 })
  worker.start()
  const now = clock.now()
  const { job: running } = await start(database, endless, { now })
  worker.wake()
  const db = database.member(ADA)
  await until(async () => (await requireJob(db, running.job_id)).state === 'running')
  const input = { text: 'a' }
  const waiting = []
  for (const definition of [large, unknown])
    waiting.push((await start(database, definition, { input, now })).job.job_id)
  const { job } = await start(database, small, { input, now })
  worker.wake()
  assert.equal((await ended(database, job.job_id)).state, 'succeeded')
  for (const id of waiting) assert.equal((await requireJob(db, id)).state, 'queued')
})

test('members take turns: the next job is one of a member without a running job', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const now = clock.now()
  const { job: first } = await start(database, endless, { now, memberId: ADA })
  const { job: second } = await start(database, refused, { now: now + 1, memberId: ADA })
  const { job: third } = await start(database, refused, { now: now + 2, memberId: GRACE })
  const worker = newWorkerId()
  const kinds = [endless.kind, refused.kind]
  const claimed: (number | undefined)[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    const busy = claimed.flatMap((id) => id ?? [])
    claimed.push((await claimNextJob(database, { worker, kinds, busy, now: now + 3 }))?.jobId)
  }
  assert.deepEqual(claimed, [first.job_id, third.job_id, second.job_id])
})

test('a job that advances in every attempt survives any number of dead workers', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const input = { count: 12, pause: 0 }
  const { job } = await start(database, rows, { input, now: clock.now() })
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const worker = `${hostname()}:${NO_PID}:try${attempt}`
    const hold = await claimJob(database, { worker, jobId: job.job_id, now: clock.now() })
    assert.equal(hold?.attempt, attempt)
    // The rows that one batch saves before its process is killed.
    await database.member(ADA).write(async (tx) => {
      const progress = { done: attempt, total: 12, message: null }
      await tx.run(INSERT_ROW, { text: `row ${attempt - 1}`, now: clock.now() })
      assert.equal(await saveCheckpoint(tx, hold, attempt, progress, clock.now()), 'held')
    })
  }
  await using worker = workerOf(store, [rows])
  assert.equal((await worker.runToEnd(ADA, job.job_id)).state, 'succeeded')
  assert.deepEqual(await notes(database), expectRows(12))
})

test('an unchanged checkpoint and a missing one do not count as progress', async () => {
  for (const checkpoint of [7, null]) {
    await using store = await createWorld()
    const { database, clock } = store
    const { job } = await start(database, endless, { now: clock.now() })
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const worker = `${hostname()}:${NO_PID}:try${attempt}`
      const hold = await claimJob(database, { worker, jobId: job.job_id, now: clock.now() })
      assert.ok(hold, `attempt ${attempt}`)
      const renewal = { now: clock.now(), isWhole: true }
      await database.member(ADA).write((tx) => renewLease(tx, hold, renewal))
      const progress = { done: attempt, total: null, message: null }
      await database
        .member(ADA)
        .write((tx) => saveCheckpoint(tx, hold, checkpoint, progress, clock.now()))
      // The first time it is new, and counts as progress.
      if (checkpoint === null && attempt === 3) break
    }
    await using worker = workerOf(store, [endless])
    worker.start()
    assert.equal((await ended(database, job.job_id)).state, 'failed')
  }
})

test('a job that fails after progress has three more attempts', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  let runs = 0
  const breaking = defineJob({
    ...endless,
    async run(job) {
      runs += 1
      const step = Math.min(runs, 4)
      const progress = { done: step, total: 9, message: null }
      await job.db.write((tx) => job.save(tx, step, progress))
      throw new Error('it hums')
    },
  })
  await using worker = workerOf(store, [breaking])
  const { job } = await start(database, breaking, { now: clock.now() })
  const done = await worker.runToEnd(ADA, job.job_id)
  assert.deepEqual([done.state, runs], ['failed', 7])
  assert.match(done.error ?? '', /failed 3 times in a row without progress/)
})

test('a cancel request survives the death of the worker', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const { job } = await start(database, endless, { now: clock.now() })
  const dead = `${hostname()}:${NO_PID}:aa`
  await claimJob(database, { worker: dead, jobId: job.job_id, now: clock.now() })
  await database.member(ADA).write((tx) => requestCancel(tx, job.job_id, clock.now()))
  await using worker = workerOf(store, [endless])
  worker.start()
  assert.equal((await ended(database, job.job_id)).state, 'cancelled')
})

test('following a job that another worker runs returns its result', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  await using other = workerOf(store, [rows], 'another-host:1:aa')
  await using worker = workerOf(store, [rows], 'this-host:1:aa')
  const input = { count: 30, pause: 2 }
  const { job } = await start(database, rows, { input, now: clock.now() })
  const [first, second] = await Promise.all([
    other.runToEnd(ADA, job.job_id),
    worker.runToEnd(ADA, job.job_id),
  ])
  assert.equal(first.state, 'succeeded')
  assert.deepEqual(first, second)
  assert.deepEqual(await notes(database), expectRows(30))
})

test(
  'a job whose process is killed continues here without repeated or missing rows',
  onOneEngine,
  async () => {
    await using store = await createWorld()
    const { database } = store
    const clock = systemClock
    const input = { count: 60, pause: 10 }
    const { job } = await start(database, rows, { input, now: clock.now() })
    const child = await spawnWorker(store.address)
    child.start()
    await until(async () => ((await notes(database)).length >= 8 ? true : undefined))
    await child.kill()
    const left = await requireJob(database.member(ADA), job.job_id)
    assert.equal(left.state, 'running')
    assert.ok(left.progress_done >= 8 && left.progress_done < 60)

    await using worker = new JobWorker({ database, jobs: [rows], clock, log: silent })
    worker.start()
    const done = await ended(database, job.job_id)
    assert.equal(done.state, 'succeeded')
    assert.deepEqual(JSON.parse(done.result ?? ''), { from: left.progress_done, count: 60 })
    assert.deepEqual(await notes(database), expectRows(60))
  },
)

test('two processes that compete for thirty jobs run each exactly once', onOneEngine, async () => {
  await using store = await createWorld()
  const { database } = store
  const kinds = numbered(30)
  await Promise.all(kinds.map((job) => start(database, job, { now: systemClock.now() })))
  const children = await Promise.all([spawnWorker(store.address), spawnWorker(store.address)])
  for (const child of children) child.start()
  const db = database.member(ADA)
  await until(async () =>
    (await listJobs(db, { limit: 100, state: 'succeeded' })).length === 30 ? true : undefined,
  )
  assert.deepEqual(await Promise.all(children.map((child) => child.stop())), [
    [0, null],
    [0, null],
  ])
  const expected = kinds.map((_, index) => `number ${index}`).toSorted()
  assert.deepEqual((await notes(database)).toSorted(), expected)
  const attempts = await db.all(ATTEMPTS, {})
  assert.ok(attempts.every((row) => row.attempts === 1))
})
