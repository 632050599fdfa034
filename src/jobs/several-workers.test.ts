/** Jobs on PostgreSQL that several nodes share, with kills and restarts. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  databaseUrl,
  findPostgres,
  startCluster,
  withClient,
  workingRole,
} from '../../test/support/postgres.ts'
import { createSeparateStore, TEST_ENGINE } from '../../test/support/store.ts'
import { systemClock } from '../base/clock.ts'
import { openDatabase } from '../db/engines/open.ts'
import { parseDatabaseAddress, type DatabaseAddress } from '../db/database-address.ts'
import { memberStatement } from '../db/statement.ts'
import {
  addMembers,
  ADA,
  ended,
  notes,
  numbered,
  rows,
  start,
} from '../../test/fixtures/jobs/invented-jobs.ts'
import { until } from '../../test/support/until.ts'
import { openWorker, type Worker } from '../../test/fixtures/jobs/open-worker.ts'
import { spawnWorker } from '../../test/fixtures/jobs/spawn-worker.ts'
import { requestCancel, requireJob } from './start-job.ts'
import type { Database } from '../db/database.ts'
import type { Job } from './job.ts'

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
  const workers = await Promise.all(
    Array.from({ length: count }, (_, index) => open(store.address, `node-${index}`)),
  )
  for (const worker of workers) worker.start()
  return {
    address: parsed(store.address),
    database,
    workers,
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await store[Symbol.asyncDispose]()
    },
  }
}

/** In this process: another one takes 0.4 s of CPU time to start. */
const here = (address: string, host: string) => openWorker(parsed(address), host)

function parsed(text: string): DatabaseAddress {
  const address = parseDatabaseAddress(text)
  assert.ok(address)
  return address
}

function stopLater(worker: Worker): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await worker.stop()
    },
  }
}

/** Creates a job on a node without a worker, so that workers find it by polling. */
async function make(database: Database, definition: Job, input: unknown = {}): Promise<number> {
  const { job } = await start(database, definition, {
    input,
    charge: false,
    now: systemClock.now(),
  })
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
    const { database } = nodes
    const jobs = await Promise.all(numbered(30).map((kind) => make(database, kind)))
    const done = await Promise.all(jobs.map((jobId) => ended(database, jobId)))
    assert.ok(done.every(({ state }) => state === 'succeeded'))
    const pids = new Set(done.map((job) => (resultOf(job) as { pid: number }).pid))
    assert.deepEqual(pids, new Set(nodes.workers.map(({ pid }) => pid)))
    const expected = jobs.map((_, index) => `number ${index}`)
    assert.deepEqual((await notes(database)).toSorted(), expected.toSorted())
    for (const jobId of jobs)
      assert.equal((await database.member(ADA).get(WORKER, { job_id: jobId }))?.attempts, 1)
  })

  test('a job whose worker is killed continues on another without repeated or missing rows', async () => {
    await using nodes = await createNodes(1, spawnWorker)
    const { database } = nodes
    const job = await make(database, rows, { count: 60, pause: 10 })
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

  test('a job that a stopping worker releases continues on another', async () => {
    await using nodes = await createNodes(2, here)
    const { database, workers } = nodes
    const job = await make(database, rows, { count: 60, pause: 10 })
    const runner = await runnerOf(database, job, workers)
    await runner.stop()
    const done = await ended(database, job)
    assert.equal(done.state, 'succeeded')
    assert.equal((await database.member(ADA).get(WORKER, { job_id: job }))?.attempts, 2)
    assert.deepEqual(await notes(database), expectRows(60))
  })

  test('a job that the member cancels on another node ends', async () => {
    await using nodes = await createNodes(1, here)
    const { database, workers } = nodes
    const job = await make(database, rows, { count: 100_000, pause: 10 })
    await runnerOf(database, job, workers)
    await database.member(ADA).write((tx) => requestCancel(tx, job, systemClock.now()))
    assert.equal((await ended(database, job)).state, 'cancelled')
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
    const worker = await openWorker(address)
    await using _stopped = stopLater(worker)
    worker.start()
    const job = await make(database, rows, { count: 60, pause: 10 })
    await runnerOf(database, job, [worker])
    await cluster.stop()
    await cluster.start()
    const done = await ended(database, job)
    assert.equal(done.state, 'succeeded')
    assert.deepEqual(await notes(database), expectRows(60))
    const next = await make(database, rows, { count: 0, pause: 0 })
    assert.equal((await ended(database, next)).state, 'succeeded')
  })
})
