import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads, { Worker } from 'node:worker_threads'
import { RequestError } from '../../base/request-error.ts'
import { linkedinCsv } from '../../../test/support/invented.ts'
import { bytesOf, collect, readWhole, streamOf } from '../../../test/fixtures/reading.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { createLog } from '../../base/log.ts'
import { startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { createWorld, type World } from '../../../test/fixtures/network.ts'
import { creditBalance } from '../../credits/account.ts'
import { memberStatement } from '../../db/statement.ts'
import { fileImport, fileImportJob } from '../file-import.job.ts'
import type { Job } from '../../jobs/job.ts'
import { openInThread } from './read-in-thread.ts'
import type { ReadingTask } from './reading-thread.ts'

const TASK = { reading: {}, mappings: new Map<string, string>(), bytes: 1_000_000, done: 0 }

/** Bytes that never arrive. Calls the listener when they are asked for. */
function waiting(onAsked: () => void): AsyncIterable<Uint8Array> {
  const next = () => {
    onAsked()
    return new Promise<never>(() => {})
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

/** Many text blocks, so that the reader waits for the import. */
const CSV = [...linkedinCsv(5000, 3)].join('')

/** Reads for one member. */
function open(
  bytes: AsyncIterable<Uint8Array>,
  task: ReadingTask,
  options: Partial<Parameters<typeof openInThread>[2]> = {},
) {
  return openInThread(bytes, task, { memberId: 1, ...options })
}

test('a file is read in a thread as on the main thread', async () => {
  const bytes = bytesOf(CSV)
  await using file = await open(streamOf(bytes.subarray(0, 1000), bytes.subarray(1000)), TASK)
  const whole = await readWhole(CSV)
  assert.equal(file.format, 'linkedin')
  assert.deepEqual((await collect(file.rowBatches)).flat(), whole.rows)
  assert.deepEqual(file.columns(), whole.columns)
})

test('rows that were imported before are not sent by the thread', async () => {
  await using file = await open(streamOf(bytesOf(CSV)), { ...TASK, done: 4998 })
  assert.deepEqual(
    (await collect(file.rowBatches)).flat().map(({ row }) => row),
    [4999, 5000],
  )
})

test('a file that is not a list of contacts has the same error in a thread', async () => {
  const opening = open(streamOf(bytesOf('%PDF-1.7\n')), TASK)
  const error = await opening.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof RequestError)
  assert.equal(error.code, 'unreadable_file')
  assert.equal(error.message, 'This is a PDF, not a list of contacts.')
  assert.equal(error.details.members?.['reason'], 'pdf_file')
})

test('an upload that is deleted while the thread reads it ends the import with that error', async () => {
  async function* bytes() {
    yield bytesOf(CSV.slice(0, 100_000))
    throw new RequestError('invalid_request', 'The upload is gone.')
  }
  const read = async () => {
    await using file = await open(bytes(), TASK)
    await collect(file.rowBatches)
  }
  await assert.rejects(read(), { code: 'invalid_request', message: /The upload is gone/ })
})

/** Names and emails, with long notes. */
function withNotes(rows: number, bytes: number): string {
  const note = 'Met in Vienna. '.repeat(bytes / rows / 15)
  const people = Array.from({ length: rows }, (_, at) => `Person ${at},p${at}@example.org,${note}`)
  return ['Name,Email,Notes', ...people].join('\n')
}

const MEBIBYTE = 1024 * 1024

/** A worker with this job, and a function that imports a text to its end. */
async function importing(world: World, definition: Job) {
  const { db } = await world.join()
  const { database, clock } = world
  const worker = new JobWorker({ database, jobs: [definition], clock, log: createLog('silent') })
  return {
    db,
    async run(content: string) {
      const { job } = await db.write((tx) =>
        startJob(tx, {
          definition,
          input: { content },
          credentialId: null,
          charge: true,
          quota: 100,
          now: clock.now(),
        }),
      )
      return worker.runToEnd(db.memberId, job.job_id)
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}

test('a file of several megabytes is imported once', async () => {
  await using world = await createWorld()
  await using imports = await importing(world, fileImportJob)
  const content = withNotes(430, 4.2 * MEBIBYTE)
  for (const expected of [{ created: 430 }, { unchanged: 430 }]) {
    const { state, result } = await imports.run(content)
    assert.equal(state, 'succeeded')
    assert.partialDeepStrictEqual(JSON.parse(result ?? ''), { rows: 430, ...expected })
  }
})

test('an import whose file takes too long fails at once, is refunded, and lets the next one run', async () => {
  await using world = await createWorld()
  await using endless = await importing(world, fileImport(1))
  const { state, error } = await endless.run(CSV)
  assert.equal(state, 'failed')
  assert.partialDeepStrictEqual(JSON.parse(error ?? ''), {
    code: 'unreadable_file',
    title: 'Unreadable contacts file',
    detail:
      'Reading this file took longer than 0.001 seconds, so it was stopped. ' +
      'Split the file into smaller ones, or export the contacts again as CSV or vCard.',
  })
  const { db } = endless
  assert.equal((await db.get(ATTEMPTS, {}))?.attempts, 1)
  assert.equal((await creditBalance(db, 100, world.clock.now())).remaining, 100)
  const next = await db.write((tx) =>
    startJob(tx, {
      definition: fileImportJob,
      input: { content: CSV },
      credentialId: null,
      charge: true,
      quota: 100,
      now: world.clock.now(),
    }),
  )
  assert.equal(next.started, true)
})

const ATTEMPTS = memberStatement<object, { attempts: number }>()(
  'select attempts from jobs where member_id = :member_id',
)

test('a thread that sends nothing is ended after the time limit, and the next file is read', async () => {
  const opening = open(
    waiting(() => {}),
    TASK,
    { timeLimitMs: 50 },
  )
  await assert.rejects(opening, { code: 'unavailable', reason: 'took longer than 0.05 seconds' })
  await using file = await open(streamOf(bytesOf(CSV)), TASK)
  assert.equal((await collect(file.rowBatches)).flat().length, 5000)
})

test('the time limit does not count the time that the import takes', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let rows = 0
  try {
    await using file = await open(streamOf(bytesOf(CSV)), TASK, { timeLimitMs: 10_000 })
    for await (const batch of file.rowBatches) {
      rows += batch.length
      mock.timers.tick(9_000)
    }
  } finally {
    mock.timers.reset()
  }
  assert.equal(rows, 5000)
})

test('a thread that is stopped before its first row ends with the reason', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped')
  const bytes = waiting(() => stop.abort(reason))
  await assert.rejects(open(bytes, TASK, { signal: stop.signal }), reason)
})

test('a thread tells how much of a zip has been read', async () => {
  const zip = zipOf([{ name: 'one.csv', content: CSV }])
  await using file = await open(streamOf(zip), TASK)
  const { read, total } = file.extent
  assert.ok(read < total)
  await collect(file.rowBatches)
  assert.equal(file.extent.read, total)
})

test('a thread that has read a file to its end reads the next one', async (t) => {
  let started = 0
  const Counted = class extends Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options)
      started += 1
    }
  }
  t.mock.property(workerThreads, 'Worker', Counted)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const small = CSV.slice(0, CSV.indexOf('\n', 2000))
  const rowsOf = async (csv: string, done = 0) => {
    await using file = await open(streamOf(bytesOf(csv)), { ...TASK, done })
    return (await collect(file.rowBatches)).flat()
  }
  await rowsOf(CSV)
  const before = started
  assert.deepEqual(await rowsOf(small), (await readWhole(small)).rows)
  assert.equal(started, before)
  // One that is closed early may still have rows of its file to send.
  const closed = await open(streamOf(bytesOf(CSV)), TASK)
  await closed[Symbol.asyncDispose]()
  assert.deepEqual(await rowsOf(small, 3), (await readWhole(small)).rows.slice(3))
  assert.equal(started, before + 1)
  const [one, two] = await Promise.all([rowsOf(CSV), rowsOf(small)])
  assert.deepEqual([one, two], [(await readWhole(CSV)).rows, (await readWhole(small)).rows])
})
