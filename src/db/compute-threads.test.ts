import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestError } from '../base/request-error.ts'
import { createMember } from '../members/member.ts'
import { createSeparateStore } from '../../test/support/store.ts'
import {
  COUNT_ROWS,
  Counters,
  EXHAUST,
  FAIL,
  HOLD,
  LIST_USERNAMES,
  NEVER_END,
} from '../../test/fixtures/compute.ts'
import { ComputeThreads } from './compute-threads.ts'
import { parseDatabaseAddress } from './database-address.ts'
import { databaseTimeouts } from './timeouts.ts'
import type { ComputeOptions } from './database.ts'

/** Threads with a separate database. */
async function createThreads(
  size: number,
  limits?: ConstructorParameters<typeof ComputeThreads>[2],
) {
  const store = await createSeparateStore()
  const address = parseDatabaseAddress(store.address)
  assert.ok(address)
  const threads = new ComputeThreads({ address, timeouts: databaseTimeouts() }, size, limits)
  const counters = new Counters()
  return {
    threads,
    counters,
    hold: (memberId: number, options?: ComputeOptions) =>
      threads.run(memberId, HOLD, counters.shared, options),
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

test('at most one network per thread is in memory, regardless of the number of calls', async () => {
  await using world = await createThreads(2)
  const members = [1, 2, 3, 4, 5]
  const calls = members.flatMap((id) => [world.hold(id), world.hold(id), world.hold(id)])
  await world.counters.untilStarted(2)
  assert.equal(world.counters.started, 2)
  world.counters.open()
  assert.deepEqual(
    await Promise.all(calls),
    members.flatMap((id) => [id, id, id]),
  )
  assert.equal(world.counters.most, 2)
  assert.equal(world.counters.started, 15)
})

test('each member runs one computation at a time, and another member gets a thread at once', async () => {
  await using world = await createThreads(2)
  const mine = Array.from({ length: 17 }, () => world.hold(1))
  await world.counters.untilStarted(1)
  const other = world.hold(2)
  await world.counters.untilStarted(2)
  world.counters.open()
  assert.equal(await other, 2)
  await Promise.all(mine)
  assert.equal(world.counters.started, 18)
})

test("a full queue rejects only its own member's calls, with a retry time", async () => {
  await using world = await createThreads(2)
  const calls = Array.from({ length: 30 }, () => world.hold(1))
  const outcomes = Promise.allSettled(calls)
  await world.counters.untilStarted(1)
  const other = world.hold(2)
  world.counters.open()
  const refused = (await outcomes).flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  )
  assert.equal(refused.length, 13)
  for (const error of refused) {
    assert.ok(error instanceof RequestError)
    assert.equal(error.code, 'rate_limited')
    assert.ok((error.details.retryAfter ?? 0) > 0)
  }
  assert.equal(await other, 2)
})

test('an aborted call stops its computation and frees its slot', async () => {
  await using world = await createThreads(2)
  const leaving = new AbortController()
  const running = world.hold(1, { signal: leaving.signal })
  await world.counters.untilStarted(1)
  const waiting = world.hold(1, { signal: leaving.signal })
  const staying = world.hold(1)
  const gone = Promise.allSettled([running, waiting])
  leaving.abort()
  for (const one of await gone)
    assert.equal(one.status === 'rejected' && (one.reason as Error).name, 'AbortError')
  // The gate is still closed, so the computation that starts now has the slot of the stopped one.
  await world.counters.untilStarted(2)
  world.counters.open()
  assert.equal(await staying, 1)
  assert.equal(world.counters.started, 2)
})

test('a computation that runs out of memory fails alone', async () => {
  await using world = await createThreads(2, { maxHeapMebibytes: 16 })
  await assert.rejects(world.threads.run(1, EXHAUST, {}), {
    code: 'unavailable',
    message: 'The computation needed more memory than it may use, so it was stopped.',
  })
  world.counters.open()
  assert.equal(await world.hold(1), 1)
})

test('a computation that never ends is stopped, and its member and others go on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await using world = await createThreads(2, { timeLimitMs: 2000 })
  const endless = world.threads.run(1, NEVER_END, world.counters.shared)
  await world.counters.untilStarted(1)
  const waiting = world.hold(1)
  const other = world.hold(2)
  world.counters.open()
  assert.equal(await other, 2)
  t.mock.timers.tick(2000)
  await assert.rejects(endless, (error) => {
    assert.ok(error instanceof RequestError)
    assert.equal(error.code, 'unavailable')
    assert.equal(error.message, 'The computation took longer than 2 seconds, so it was stopped.')
    assert.match(error.details.hint ?? '', /^Ask for less/)
    assert.ok(error.isFailure, 'is logged')
    return true
  })
  assert.equal(await waiting, 1)
  assert.deepEqual(world.threads.usage, { size: 2, used: 0, waiting: 0 })
})

test('reports and errors arrive unchanged', async () => {
  await using world = await createThreads(1)
  world.counters.open()
  const reports: unknown[] = []
  await world.hold(1, { report: (...steps) => reports.push(steps) })
  assert.deepEqual(reports, [[1, 2, 'begun']])
  await assert.rejects(world.threads.run(1, FAIL, 'refused'), (error) => {
    assert.ok(error instanceof RequestError)
    const { code, message, details } = error
    assert.deepEqual([code, message, details], ['conflict', 'Not now.', { hint: 'Later.' }])
    return true
  })
  await assert.rejects(world.threads.run(1, FAIL, 'broken'), { message: 'broken' })
})

test('a computation reads the committed rows of its own member', async () => {
  await using store = await createSeparateStore()
  const { database, clock } = store
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada' }, clock.now()),
  )
  assert.equal(await database.member(memberId).compute(COUNT_ROWS, {}), 1)
  assert.equal(await database.member(memberId + 1).compute(COUNT_ROWS, {}), 0)
})

test('closing stops running computations and rejects waiting ones', async () => {
  await using world = await createThreads(1)
  const calls = Promise.allSettled([world.hold(1), world.hold(1)])
  await world.counters.untilStarted(1)
  await world.threads[Symbol.asyncDispose]()
  for (const one of await calls)
    assert.equal(one.status === 'rejected' && (one.reason as RequestError).code, 'unavailable')
  await assert.rejects(world.hold(1), { code: 'unavailable' })
})

test('a computation over shared tables reads them in a thread', async () => {
  await using store = await createSeparateStore()
  const { database } = store
  await database.write(async (tx) => {
    for (const username of ['ada', 'byron', 'grace'])
      await createMember(tx, { username, name: username }, store.clock.now())
  })
  const list = () => database.compute(LIST_USERNAMES, { after: 'b' })
  assert.deepEqual(await Promise.all([list(), list()]), [
    ['byron', 'byron', 'grace'],
    ['byron', 'byron', 'grace'],
  ])
})
