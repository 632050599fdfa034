import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { MAX_OUTGOING_REQUESTS, OutgoingPool, type OutgoingPermit } from './outgoing-pool.ts'

/** Lets every promise that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A pool whose requests end on command, and the hosts of the running ones. */
function openPool(limits?: ConstructorParameters<typeof OutgoingPool>[0]) {
  const pool = new OutgoingPool(limits)
  const running: string[] = []
  const start = (memberId: number, host: string, signal?: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = pool.run({ memberId, host, ...(signal && { signal }) }, async (permit) => {
      running.push(host)
      await Promise.race([promise, aborted(permit.signal)])
      running.splice(running.indexOf(host), 1)
      permit.signal.throwIfAborted()
    })
    done.catch(() => {})
    return { done, end: resolve }
  }
  return { pool, running, start }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

test('a member and an unknown host have one request at a time, and all together sixteen', async () => {
  const { pool, running, start } = openPool()
  const works = [start(1, 'a'), start(1, 'b'), start(2, 'a'), start(2, 'c')]
  await settled()
  assert.deepEqual(running.toSorted(), ['a', 'c'])
  for (let member = 3; member < 40; member += 1) works.push(start(member, `host ${member}`))
  await settled()
  assert.equal(running.length, MAX_OUTGOING_REQUESTS)
  assert.equal(pool.usage.used, MAX_OUTGOING_REQUESTS)
  for (const { end } of works) end()
  await Promise.all(works.map(({ done }) => done))
  assert.deepEqual([running, pool.usage.used, pool.usage.waiting], [[], 0, 0])
})

test('a host that answers promptly gets more requests at a time, one that is slow gets fewer again', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { running, start } = openPool()
  const burst = async (milliseconds: number) => {
    const works = Array.from({ length: 20 }, (_, member) => start(member, 'a'))
    await settled()
    const most = running.length
    for (const { end } of works) {
      now += milliseconds
      end()
      await settled()
    }
    await Promise.all(works.map(({ done }) => done))
    return most
  }
  assert.deepEqual([await burst(100), await burst(3000), await burst(100)], [1, 8, 1])
})

test('requests end at the time limit, and at a shorter one while others wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { running, start } = openPool({ timeLimitMs: 20_000, busyTimeLimitMs: 10_000 })
  const first = Array.from({ length: MAX_OUTGOING_REQUESTS }, (_, at) => start(at, `first ${at}`))
  await settled()
  t.mock.timers.tick(10_000)
  await settled()
  assert.equal(running.length, MAX_OUTGOING_REQUESTS)
  const late = start(100, 'late')
  await settled()
  assert.deepEqual(running, ['late'])
  for (const { done } of first) await assert.rejects(done, /too long while others waited/)
  t.mock.timers.tick(20_000)
  await assert.rejects(late.done, /took too long$/)
})

test('fifty hosts that never answer delay another member by half a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { running, start } = openPool()
  for (let member = 1; member <= 50; member += 1) start(member, `slow ${member}`)
  start(100, 'other')
  await settled()
  let seconds = 0
  for (; seconds < 300 && !running.includes('other'); seconds += 1) {
    t.mock.timers.tick(1000)
    await settled()
  }
  assert.equal(seconds, 30)
})

/** Virtual time in steps of 100 ms, for timers and `performance.now`. */
function virtualTime(t: TestContext) {
  let now = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  return {
    now: () => now,
    async advance() {
      now += 100
      t.mock.timers.tick(100)
      await settled()
    },
  }
}

const CALENDARS = 20_000
const HALF_HOUR_MS = 1_800_000

for (const [hosts, count, most] of [
  ['on hosts of their own', CALENDARS, HALF_HOUR_MS / 4],
  // At the same rate, 20,000 take 13 minutes.
  ['on one host', CALENDARS / 4, HALF_HOUR_MS / 8],
] as const)
  test(`${count} requests of 300 ms ${hosts} end in time for 20,000 in half an hour`, async (t) => {
    const time = virtualTime(t)
    const pool = new OutgoingPool()
    const done = new Set<number>()
    for (let memberId = 1; memberId <= count; memberId += 1) {
      const host = hosts === 'on one host' ? 'shared' : `host ${memberId}`
      const work = () => new Promise<void>((resolve) => setTimeout(resolve, 300))
      void pool.run({ memberId, host }, work).then(() => done.add(memberId))
    }
    while (done.size < count && time.now() < HALF_HOUR_MS) await time.advance()
    assert.equal(done.size, count)
    t.diagnostic(`${time.now() / 1000} s`)
    assert.ok(time.now() < most)
  })

test('while 50 members always have requests that hang, none of 20,000 others waits for a minute', async (t) => {
  const time = virtualTime(t)
  const pool = new OutgoingPool()
  const hang = (memberId: number, host: string): void => {
    if (time.now() >= HALF_HOUR_MS) return
    const work = (permit: OutgoingPermit) => aborted(permit.signal)
    void pool.run({ memberId, host }, work).then(() => hang(memberId, host))
  }
  for (let member = 1; member <= 50; member += 1)
    for (let feed = 1; feed <= 5; feed += 1) hang(member, `host ${member} ${feed}`)
  const delays: number[] = []
  const due = (memberId: number) => {
    const dueAt = time.now()
    const work = () => new Promise<void>((resolve) => setTimeout(resolve, 300))
    const host = memberId % 2 === 0 ? 'shared' : `host ${memberId}`
    void pool.run({ memberId, host }, work).then(() => delays.push(time.now() - dueAt))
  }
  let started = 0
  while (time.now() < HALF_HOUR_MS + 60_000) {
    for (; started < Math.min(CALENDARS, (time.now() / HALF_HOUR_MS) * CALENDARS); started += 1)
      due(1000 + started)
    await time.advance()
  }
  assert.equal(delays.length, CALENDARS)
  t.diagnostic(`at most ${Math.max(...delays) / 1000} s`)
  assert.ok(Math.max(...delays) < 60_000)
})

test('a caller that leaves while waiting never starts, and its place goes to the next', async () => {
  const { running, start } = openPool()
  const first = start(1, 'a')
  const leaving = new AbortController()
  const gone = start(2, 'a', leaving.signal)
  const next = start(3, 'a')
  leaving.abort(new Error('gone'))
  await assert.rejects(gone.done, /gone/)
  first.end()
  await first.done
  await settled()
  assert.deepEqual(running, ['a'])
  next.end()
  await next.done
})

test('for any requests that end in any order, the limits hold and all are served', async () => {
  const request = fc.record({ member: fc.nat({ max: 30 }), host: fc.nat({ max: 5 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 60 }), fc.nat(), async (requests, seed) => {
      const { pool, running, start } = openPool()
      const works = requests.map(({ member, host }) => start(member, `host ${host}`))
      for (let next = seed; works.length > 0; next += 7) {
        await settled()
        assert.ok(running.length <= MAX_OUTGOING_REQUESTS)
        for (const host of running) assert.ok(running.filter((one) => one === host).length <= 8)
        works.splice(next % works.length, 1)[0]?.end()
      }
      await settled()
      await settled()
      assert.deepEqual([running, pool.usage.used, pool.usage.waiting], [[], 0, 0])
    }),
    { numRuns: 40 },
  )
})
