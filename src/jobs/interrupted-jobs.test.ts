/** Jobs that a lock, a stop or a new container interrupts: the member's next job does not wait for a lease. */

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { MINUTE, SECOND } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import { databaseUnavailable } from '../db/unavailable.ts'
import {
  addMembers,
  ADA,
  echo,
  ended,
  endless,
  failing,
  refused,
  silent,
  start,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { until } from '../../test/support/until.ts'
import { claimJob, claimNextJob } from './claim-job.ts'
import { saveCheckpoint } from './job-lease.ts'
import { defineJob, type Job } from './job.ts'
import { requestCancel, requireJob } from './start-job.ts'
import { JobWorker, type WorkerDeps } from './worker.ts'
import type { Database, MemberDatabase } from '../db/database.ts'

async function createWorld(): Promise<TestStore> {
  const store = await createStore()
  await addMembers(store.database)
  return store
}

function workerOf(
  { database, clock }: Pick<TestStore, 'database' | 'clock'>,
  jobs: readonly Job[],
  deps: Partial<WorkerDeps> = {},
): JobWorker {
  return new JobWorker({ database, jobs, clock, log: silent, retryPauseMs: 0, ...deps })
}

const LEASE = memberStatement<
  object,
  { state: string; attempts: number; worker: string | null; lease_until: number | null }
>()('select state, attempts, worker, lease_until from jobs where member_id = :member_id')

async function leaseOf({ database }: Pick<TestStore, 'database'>) {
  return { ...(await database.member(ADA).get(LEASE, {})) }
}

/** The same object with other methods. */
function withMethods<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (name in methods) return Reflect.get(methods, name) as unknown
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** A database that rejects members' writes while it is locked, half a minute each. */
function lockable(t: TestContext, database: Database) {
  let failures = 0
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + (failures * MINUTE) / 2)
  const lock = { writes: 0 }
  const member = (memberId: number): MemberDatabase => {
    const db = database.member(memberId)
    const write: MemberDatabase['write'] = async (...args) => {
      if (lock.writes === 0) return db.write(...args)
      lock.writes -= 1
      failures += 1
      throw databaseUnavailable(new Error('database is locked'))
    }
    return withMethods(db, { write })
  }
  return { database: withMethods(database, { member }), lock }
}

test('the end of a job is recorded when a lock of more than a minute has passed', async (t) => {
  await using store = await createWorld()
  const { database, lock } = lockable(t, store.database)
  const locking = defineJob({
    ...echo,
    run: async () => {
      lock.writes = 3
      return {}
    },
  })
  await using worker = workerOf({ ...store, database }, [locking])
  const input = { text: 'a' }
  const { job } = await start(store.database, locking, { input, now: store.clock.now() })
  worker.start()
  assert.equal((await ended(store.database, job.job_id)).state, 'succeeded')
  assert.equal((await leaseOf(store)).attempts, 1)
})

test('a worker that stops while the database is locked releases its job when the lock has passed', async (t) => {
  await using store = await createWorld()
  const { database, lock } = lockable(t, store.database)
  const worker = workerOf({ ...store, database }, [endless])
  worker.start()
  const { job } = await start(store.database, endless, { now: store.clock.now() })
  worker.wake()
  const db = store.database.member(ADA)
  await until(async () => (await requireJob(db, job.job_id)).state === 'running')
  lock.writes = 1
  await worker[Symbol.asyncDispose]()
  const { state, worker: holder, lease_until } = await leaseOf(store)
  assert.deepEqual([state, holder, lease_until], ['queued', null, null])
})

test('a job that a lock interrupts is retried after the same short pause each time', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const shaky = failing(2, databaseUnavailable(new Error('database is locked')))
  await using worker = workerOf(store, [shaky], { retryPauseMs: SECOND })
  const { job } = await start(database, shaky, { now: clock.now() })
  const done = worker.runToEnd(ADA, job.job_id)
  for (const runs of [1, 2]) {
    await until(async () => {
      const { state, lease_until } = await leaseOf(store)
      const isPaused = state === 'queued' && lease_until === clock.now() + SECOND
      return (shaky.runs() === runs && isPaused) || undefined
    })
    clock.advance(SECOND)
  }
  assert.equal((await done).state, 'succeeded')
})

for (const [what, cause, reason] of [
  [
    'a full disk under SQLite',
    databaseUnavailable(Object.assign(new Error('database or disk is full'), { errcode: 13 })),
    /^The disk of the server is full\. .* can be undone in the activity log\. Ask an administrator to free some space/,
  ],
  [
    'a full disk under PostgreSQL',
    databaseUnavailable(Object.assign(new Error('could not extend file'), { code: '53100' })),
    /^The disk of the server is full\. /,
  ],
  [
    'a full disk under a file',
    Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    /^The disk of the server is full\. /,
  ],
  [
    'a database that stays locked',
    databaseUnavailable(new Error('database is locked')),
    /^The database could not be reached 3 times in a row\. .* can be undone in the activity log\./,
  ],
] as const)
  test(`a job that fails because of ${what} says so, and is refunded`, async () => {
    await using store = await createWorld()
    const { database, clock } = store
    const shaky = failing(3, cause)
    await using worker = workerOf(store, [shaky])
    const { job } = await start(database, shaky, { now: clock.now() })
    const { state, error } = await worker.runToEnd(ADA, job.job_id)
    const { code, title, detail } = JSON.parse(error ?? '{}') as Record<string, string>
    assert.deepEqual(
      [state, code, title],
      ['failed', 'unavailable', 'Service temporarily unavailable'],
    )
    assert.match(detail ?? '', reason)
    assert.match(detail ?? '', /credits of the job were refunded/)
  })

test('jobs of a replaced container are continued at once if no other host uses the database', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const input = { text: 'a' }
  const { job } = await start(database, echo, { input, now: clock.now() })
  const asked = { jobId: job.job_id, now: clock.now() }
  const before = await claimJob(database, { ...asked, worker: 'replaced-container:1:aa' })
  assert.ok(before)
  const elsewhere = { worker: 'elsewhere:1:bb', kinds: [echo.kind], busy: [], now: clock.now() }
  assert.equal(await claimNextJob(database, elsewhere), undefined, 'its lease is valid')
  await using worker = workerOf(store, [echo], { isOnOneHost: true })
  worker.start()
  assert.equal((await ended(database, job.job_id)).state, 'succeeded')
  const progress = { done: 1, total: 1, message: null }
  const db = database.member(ADA)
  const late = await db.write((tx) => saveCheckpoint(tx, before, 1, progress, clock.now()))
  assert.equal(late, 'lost')
})

test('a job that has ended has no message of its last step', async () => {
  await using store = await createWorld()
  const { database, clock } = store
  const writing = (definition: Job) =>
    defineJob({
      ...definition,
      run: async (job) => {
        const progress = { done: 1, total: 2, message: 'Writing jobs.json' }
        await job.db.write((tx) => job.save(tx, 1, progress))
        return definition.run(job)
      },
    })
  const jobs = [echo, refused, endless].map(writing)
  await using worker = workerOf(store, jobs, { concurrency: 3 })
  worker.start()
  const db = database.member(ADA)
  for (const [definition, state, input] of [
    [echo, 'succeeded', { text: 'a' }],
    [refused, 'failed', {}],
    [endless, 'cancelled', {}],
  ] as const) {
    const { job } = await start(database, definition, { input, now: clock.now() })
    worker.wake()
    if (state === 'cancelled') {
      const message = async () => (await requireJob(db, job.job_id)).progress_message
      await until(async () => (await message()) === 'Writing jobs.json')
      await db.write((tx) => requestCancel(tx, job.job_id, clock.now()))
      worker.wake()
    }
    const done = await ended(database, job.job_id)
    assert.deepEqual([done.state, done.progress_message], [state, null])
  }
})
