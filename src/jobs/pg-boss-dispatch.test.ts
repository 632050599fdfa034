/** Job dispatch on PostgreSQL: between nodes, with kills, restarts and lost messages. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  databaseUrl,
  findPostgres,
  startCluster,
  withClient,
  workingRole,
} from '../../test/support/postgres.ts'
import { createSeparateStore, TEST_ENGINE, type SeparateStore } from '../../test/support/store.ts'
import { systemClock } from '../base/clock.ts'
import { openDatabase, type DatabaseAddress } from '../db/engines/open.ts'
import { memberStatement } from '../db/statement.ts'
import {
  addMembers,
  ADA,
  ended,
  notes,
  numbered,
  rows,
  silent,
  start,
  until,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { openWorker, type Worker } from '../../test/fixtures/jobs/open-worker.ts'
import { spawnWorker } from '../../test/fixtures/jobs/spawn-worker.ts'
import { openJobDispatch } from './open-dispatch.ts'
import { requireJob } from './start-job.ts'
import type { Database } from '../db/database.ts'
import type { JobDispatch } from './job-dispatch.ts'
import type { Job } from './job.ts'

const ROUNDS = 5

const WORKER = memberStatement<{ job_id: number }, { worker: string | null; attempts: number }>()(
  'select worker, attempts from jobs where member_id = :member_id and job_id = :job_id',
)

/** A node that only creates jobs, and idle workers on other nodes. */
async function createNodes<Node extends Worker>(
  count: number,
  open: (address: string, host: string) => Promise<Node>,
) {
  const store = await createSeparateStore()
  const { database } = store
  await addMembers(database)
  const dispatch = await openJobDispatch(addressOf(store), silent)
  const workers = await Promise.all(
    Array.from({ length: count }, (_, index) => open(store.address, `node-${index}`)),
  )
  for (const worker of workers) worker.start()
  await isListening(database, dispatch)
  return {
    address: addressOf(store),
    database,
    dispatch,
    workers,
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await dispatch[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** In this process: another one takes 0.4 s of CPU time to start. */
const here = (url: string, host: string) => openWorker({ engine: 'postgres', url }, host)

function addressOf(store: SeparateStore): DatabaseAddress {
  return { engine: 'postgres', url: store.address }
}

function stopLater(worker: Worker): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await worker.stop()
    },
  }
}

/** Workers take a moment to start; a first job of a kind that no test counts shows that one has. */
async function isListening(database: Database, dispatch: JobDispatch): Promise<void> {
  const job = await make(database, dispatch, rows, { count: 0, pause: 0 })
  await ended(database, job)
  await sleep(100)
}

async function make(
  database: Database,
  dispatch: JobDispatch | undefined,
  definition: Job,
  input: unknown = {},
): Promise<number> {
  const { job } = await start(database, definition, {
    input,
    charge: false,
    now: systemClock.now(),
  })
  await dispatch?.offer(job.job_id)
  return job.job_id
}

/** The worker that runs the job, once it has saved progress. */
async function runnerOf<Node extends Worker>(
  database: Database,
  jobId: number,
  workers: readonly Node[],
): Promise<Node> {
  return until(async () => {
    const row = await database.member(ADA).get(WORKER, { job_id: jobId })
    if ((await notes(database)).length < 3) return undefined
    return workers.find((worker) => worker.holds(row?.worker))
  })
}

const resultOf = ({ result }: { result: string | null }) => JSON.parse(result ?? 'null') as unknown
const expectRows = (count: number) => Array.from({ length: count }, (_, row) => `row ${row}`)
const onPostgres = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only', concurrency: true }

describe('jobs on PostgreSQL', onPostgres, () => {
  test('two processes share thirty jobs and run each once', async () => {
    await using nodes = await createNodes(2, spawnWorker)
    const { database, dispatch } = nodes
    const jobs = await Promise.all(numbered(30).map((kind) => make(database, dispatch, kind)))
    const done = await Promise.all(jobs.map((jobId) => ended(database, jobId)))
    assert.ok(done.every(({ state }) => state === 'succeeded'))
    const pids = new Set(done.map((job) => (resultOf(job) as { pid: number }).pid))
    assert.deepEqual(pids, new Set(nodes.workers.map(({ pid }) => pid)))
    const expected = jobs.map((_, index) => `number ${index}`)
    assert.deepEqual((await notes(database)).toSorted(), expected.toSorted())
    for (const jobId of jobs)
      assert.equal((await database.member(ADA).get(WORKER, { job_id: jobId }))?.attempts, 1)
  })

  test('a worker hears of every job of a node without one', async () => {
    const heard = new Set<number | undefined>()
    await using nodes = await createNodes(1, (url, host) =>
      openWorker({ engine: 'postgres', url }, host, (jobId) => heard.add(jobId)),
    )
    const { database, dispatch } = nodes
    const [kind] = numbered(1)
    assert.ok(kind)
    for (let round = 0; round < ROUNDS; round += 1) {
      const jobId = await make(database, dispatch, kind)
      await ended(database, jobId)
      await until(async () => heard.has(jobId) || undefined)
    }
  })

  test('a job whose worker is killed continues on another without repeated or missing rows', async () => {
    await using nodes = await createNodes(1, spawnWorker)
    const { database, dispatch } = nodes
    const job = await make(database, dispatch, rows, { count: 60, pause: 10 })
    const runner = await runnerOf(database, job, nodes.workers)
    const other = await openWorker(nodes.address)
    await using _stopped = stopLater(other)
    other.start()
    await runner.kill()
    const left = await requireJob(database.member(ADA), job)
    assert.equal(left.state, 'running')
    const done = await ended(database, job)
    assert.equal(done.state, 'succeeded')
    assert.deepEqual(resultOf(done), { from: left.progress_done, count: 60 })
    assert.deepEqual(await notes(database), expectRows(60))
  })

  test('a stopping worker releases its job and notifies another', async () => {
    const heard: (number | undefined)[] = []
    await using nodes = await createNodes(2, (url, host) =>
      openWorker({ engine: 'postgres', url }, host, (jobId) => heard.push(jobId)),
    )
    const { database, dispatch, workers } = nodes
    const job = await make(database, dispatch, rows, { count: 60, pause: 10 })
    const runner = await runnerOf(database, job, workers)
    await runner.stop()
    // Of the start, and of the release.
    await until(async () => heard.filter((jobId) => jobId === job).length >= 2 || undefined)
    const done = await ended(database, job)
    assert.equal(done.state, 'succeeded')
    assert.equal((await database.member(ADA).get(WORKER, { job_id: job }))?.attempts, 2)
    assert.deepEqual(await notes(database), expectRows(60))
  })

  test('a job that was never dispatched is found', async () => {
    await using nodes = await createNodes(1, here)
    const job = await make(nodes.database, undefined, rows, { count: 2, pause: 0 })
    assert.equal((await ended(nodes.database, job)).state, 'succeeded')
  })

  test('messages about deleted jobs are harmless', async () => {
    await using nodes = await createNodes(1, here)
    const { database, dispatch } = nodes
    for (const stale of [undefined, 12_345, 12_345]) await dispatch.offer(stale)
    const job = await make(database, dispatch, rows, { count: 2, pause: 0 })
    assert.equal((await ended(database, job)).state, 'succeeded')
  })

  test('a missing privilege is reported in one sentence, and an existing schema needs none', async () => {
    await using store = await createSeparateStore()
    const revoke = () =>
      withClient(store.address, (client) =>
        client.query(`do $$ begin
          execute format('revoke create on database %I from %I', current_database(), current_user);
        end $$`),
      )
    await revoke()
    await assert.rejects(openJobDispatch(addressOf(store), silent), {
      name: 'RequestError',
      message: /is not allowed to create the schema pgboss/,
    })
    await withClient(store.address, (client) =>
      client.query(`do $$ begin
        execute format('grant create on database %I to %I', current_database(), current_user);
        create schema pgboss;
      end $$`),
    )
    await revoke()
    await using _dispatch = await openJobDispatch(addressOf(store), silent)
  })

  test('nodes that start together for the first time all succeed', async () => {
    await using store = await createSeparateStore()
    const address = addressOf(store)
    const opened = await Promise.all([1, 2, 3, 4].map(() => openJobDispatch(address, silent)))
    await Promise.all(opened.map((dispatch) => dispatch.offer()))
    await Promise.all(opened.map((dispatch) => dispatch[Symbol.asyncDispose]()))
  })

  test('an unreachable database is reported in one sentence', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/nothing'
    await assert.rejects(openJobDispatch({ engine: 'postgres', url }, silent), {
      name: 'RequestError',
      message: /cannot be opened/,
    })
  })

  test('a worker continues where it was after a database restart', async (t) => {
    const programs = await findPostgres()
    if (programs === undefined)
      return t.skip('PostgreSQL is not installed, so none can be restarted')
    await using cluster = await startCluster(programs)
    const server = await workingRole(cluster.url)
    await withClient(server, (client) =>
      client.query("create database restarted encoding 'UTF8' template template0"),
    )
    const url = databaseUrl(server, 'restarted')
    const address: DatabaseAddress = { engine: 'postgres', url }
    const { database } = await openDatabase(address, { clock: systemClock, searchThreads: 1 })
    await using _database = database
    await addMembers(database)
    await using dispatch = await openJobDispatch(address, silent)
    const worker = await openWorker(address)
    await using _stopped = stopLater(worker)
    worker.start()
    await isListening(database, dispatch)
    const job = await make(database, dispatch, rows, { count: 60, pause: 10 })
    await runnerOf(database, job, [worker])
    await cluster.stop()
    await dispatch.offer(job) // can be lost without harm
    await sleep(300)
    await cluster.start()
    const done = await ended(database, job)
    assert.equal(done.state, 'succeeded')
    assert.deepEqual(await notes(database), expectRows(60))
    const next = await make(database, dispatch, rows, { count: 0, pause: 0 })
    assert.equal((await ended(database, next)).state, 'succeeded')
  })
})
