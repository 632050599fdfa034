/** Rate limits that several nodes share in a real Redis, which also fails. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { SECOND } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { diagnose } from '../operate/doctor.ts'
import { REDIS_MISSING, startRedis, type TestRedis } from '../../test/support/redis.ts'
import { startTwoServices } from '../../test/support/service.ts'
import { fixedClock } from '../../test/support/store.ts'
import { until } from '../../test/support/until.ts'
import { LIMITS } from './rate-limit-policies.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { openSharedWindows, type SharedWindows } from './shared-windows.ts'

const NEEDS_REDIS = { skip: REDIS_MISSING }
const ASK = { quota: 10, window: 60 }

interface Node extends AsyncDisposable {
  readonly limits: RateLimits
  readonly shared: SharedWindows
  /** Its requests to Redis. */
  readonly asked: string[]
  readonly logged: string[]
  /** Whether a request of the key is allowed. */
  take(key: string, requests?: number): Promise<boolean>
}

function createNode({ url }: Pick<TestRedis, 'url'>): Node {
  const logged: string[] = []
  const asked: string[] = []
  const log = createLog('info', { write: (line: string) => void logged.push(line) })
  const shared = openSharedWindows({ url, log })
  const count: SharedWindows['count'] = (key, requests, length) => {
    asked.push(key)
    return shared.count(key, requests, length)
  }
  const limits = createRateLimits({
    overrides: { ask: ASK },
    clock: fixedClock(),
    shared: { count },
  })
  return {
    limits,
    shared,
    asked,
    logged,
    take: async (key, requests) => (await limits.take(LIMITS.ask, key, requests)).allowed,
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  }
}

async function untilAvailable(...nodes: readonly Node[]): Promise<void> {
  for (const { shared } of nodes) await until(() => shared.isAvailable)
}

async function untilUnavailable({ shared }: Node): Promise<void> {
  await until(() => !shared.isAvailable)
}

/** Blocks this process for a number of milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

async function allowed(takes: readonly Promise<boolean>[]): Promise<number> {
  return (await Promise.all(takes)).filter(Boolean).length
}

test('nodes together allow exactly the quota of a key', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await using one = createNode(redis)
  await using other = createNode(redis)
  await untilAvailable(one, other)
  let keys = 0
  const requests = fc.array(
    fc.record({ first: fc.boolean(), size: fc.integer({ min: 1, max: 4 }) }),
    {
      maxLength: 25,
    },
  )
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      const key = `key ${(keys += 1)}`
      const verdicts = await Promise.all(
        all.map(async ({ first, size }) =>
          (first ? one : other).limits.take(LIMITS.ask, key, size),
        ),
      )
      const admitted = verdicts.reduce((sum, verdict) => sum + verdict.admitted, 0)
      const sent = all.reduce((sum, { size }) => sum + size, 0)
      assert.equal(admitted, Math.min(sent, ASK.quota))
    }),
    { numRuns: 40 },
  )
})

test(
  'each node reports the requests that remain after those to all nodes',
  NEEDS_REDIS,
  async () => {
    await using redis = await startRedis()
    await using one = createNode(redis)
    await using other = createNode(redis)
    await untilAvailable(one, other)
    await one.take('a', 3)
    const { headers } = await other.limits.take(LIMITS.ask, 'a')
    assert.equal(headers['ratelimit'], '"ask";r=6;t=60')
    const elsewhere = await other.limits.take(LIMITS.ask, 'b')
    assert.equal(elsewhere.headers['ratelimit-remaining'], '9')
    const otherPolicy = await other.limits.take(LIMITS.docs, 'a')
    assert.equal(otherPolicy.headers['ratelimit-remaining'], String(LIMITS.docs.quota - 1))
  },
)

test('a rejected key does not reach Redis again until its window ends', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await using node = createNode(redis)
  await untilAvailable(node)
  assert.equal(await allowed(Array.from({ length: 12 }, () => node.take('a'))), 10)
  const asked = node.asked.length
  for (let nth = 0; nth < 50; nth++) assert.equal(await node.take('a'), false)
  assert.equal(node.asked.length, asked)
  assert.deepEqual(
    node.limits.rejected().map(({ policy, count }) => [policy, count]),
    [['ask', 52]],
  )
})

test(
  'without Redis each node continues from the count of all, and shares again later',
  NEEDS_REDIS,
  async () => {
    await using redis = await startRedis()
    await using one = createNode(redis)
    await using other = createNode(redis)
    await untilAvailable(one, other)
    await one.take('a', 4)
    await other.take('a', 2)
    await redis.stop()
    // The last count that each node knows: 4 after its own request, 6 after both.
    assert.equal(await allowed(Array.from({ length: 12 }, () => one.take('a'))), 6)
    assert.equal(await allowed(Array.from({ length: 12 }, () => other.take('a'))), 4)
    assert.equal(one.limits.countedLocally, 12)
    await untilUnavailable(one)
    await untilUnavailable(other)
    await redis.start()
    await untilAvailable(one, other)
    await one.take('b', 7)
    assert.equal(await allowed([other.take('b', 3), other.take('b')]), 1)
    assert.equal(one.logged.filter((line) => line.includes('by itself')).length, 1)
    assert.equal(one.logged.filter((line) => line.includes('responds again')).length, 1)
  },
)

test('a node starts without Redis and uses it once it is there', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await redis.stop()
  await using node = createNode(redis)
  assert.equal(await allowed(Array.from({ length: 12 }, () => node.take('a'))), 10)
  await redis.start()
  await untilAvailable(node)
  assert.equal(node.shared.isAvailable, true)
})

test(
  'nodes count together from their first request, before they are connected',
  NEEDS_REDIS,
  async () => {
    await using redis = await startRedis()
    await using one = createNode(redis)
    await using other = createNode(redis)
    const takes = Array.from({ length: 12 }, () => [one.take('a'), other.take('a')]).flat()
    assert.equal(await allowed(takes), ASK.quota)
  },
)

test('nodes with long turns allow exactly the quota together', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await using one = createNode(redis)
  await using other = createNode(redis)
  await untilAvailable(one, other)
  const takes: Promise<boolean>[] = []
  for (let turn = 0; turn < 15; turn++) {
    takes.push(one.take('a'), other.take('a'))
    block(130)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  assert.equal(await allowed(takes), ASK.quota)
  assert.equal(one.limits.countedLocally + other.limits.countedLocally, 0)
  assert.deepEqual([...one.logged, ...other.logged], [])
})

test('a pause of Redis that is shorter than ten checks changes nothing', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await using node = createNode(redis)
  await untilAvailable(node)
  redis.pause()
  const taken = node.take('a', 3)
  await sleep(300)
  redis.resume()
  assert.equal(await taken, true)
  assert.equal(node.limits.countedLocally, 0)
  assert.deepEqual(node.logged, [])
})

test('a lost connection is replaced without a change of state', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await using node = createNode(redis)
  await untilAvailable(node)
  await node.take('a', 3)
  await redis.dropConnections()
  const { headers } = await node.limits.take(LIMITS.ask, 'a')
  assert.equal(headers['ratelimit-remaining'], '6')
  assert.deepEqual(node.logged, [])
})

test(
  'requests wait once for a Redis that stops responding, and it counts again after ten responses',
  NEEDS_REDIS,
  async () => {
    await using redis = await startRedis()
    await using node = createNode(redis)
    await untilAvailable(node)
    await node.take('a', 4)
    redis.pause()
    // Resolve while Redis is paused.
    assert.equal(await allowed(Array.from({ length: 12 }, () => node.take('a'))), 6)
    assert.equal(node.shared.isAvailable, false)
    for (let nth = 0; nth < 200; nth++) {
      const turn = new Promise<'waits'>((resolve) => setImmediate(resolve, 'waits'))
      assert.notEqual(await Promise.race([node.take(`b${nth}`), turn]), 'waits')
    }
    // Longer than a connection may be silent: it is replaced, and the new one is silent too.
    await sleep(6 * SECOND)
    redis.resume()
    await untilAvailable(node)
    assert.notEqual(await node.shared.count('c', 1, SECOND), undefined)
    assert.equal(node.logged.length, 2)
    assert.match(node.logged[0] ?? '', /by itself/)
    assert.match(node.logged[1] ?? '', /responds again/)
  },
)

test('a Redis that answers with errors is unavailable until it counts', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  await using node = createNode(redis)
  await untilAvailable(node)
  await redis.command('CONFIG', 'SET', 'maxmemory', '1')
  assert.equal(await node.take('a'), true)
  await untilUnavailable(node)
  await redis.command('CONFIG', 'SET', 'maxmemory', '0')
  await untilAvailable(node)
  assert.equal(node.logged.length, 2)
  assert.match(node.logged[0] ?? '', /OOM/)
})

test(
  'one server process returns 429 for requests that another has counted; readiness ignores Redis',
  NEEDS_REDIS,
  async () => {
    await using redis = await startRedis()
    const metrics = { port: 0, host: '127.0.0.1', token: null }
    await using nodes = await startTwoServices({
      redisUrl: redis.url,
      rateLimits: { directory: { quota: 2, window: 60 } },
      trustedProxies: ['127.0.0.1'],
      metrics,
    })
    const { one, other } = nodes
    let addresses = 0
    const ask = ({ url }: { readonly url: string }, from: string) =>
      fetch(`${url}/api/network/members`, { headers: { 'x-forwarded-for': from } })
    for (const node of [one, one]) assert.equal((await ask(node, '192.0.2.0')).status, 200)
    assert.equal((await ask(other, '192.0.2.0')).status, 429)
    const metric = async ({ metricsPort }: typeof one, name: string) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1])
    }
    await until(async () => {
      await ask(one, `192.0.2.${(addresses += 1)}`)
      return (await metric(one, 'weft_redis_up')) === 1
    })
    assert.ok((await metric(one, 'weft_redis_request_duration_seconds_count')) > 0)
    await redis.stop()
    const fallbacks = await metric(other, 'weft_rate_limit_fallbacks_total')
    assert.equal((await ask(other, '198.51.100.1')).status, 200)
    assert.equal(await metric(other, 'weft_rate_limit_fallbacks_total'), fallbacks + 1)
    assert.equal(await metric(other, 'weft_redis_up'), 0)
    assert.equal((await fetch(`${other.url}/readyz`)).status, 200)
  },
)

test('weft doctor reports whether Redis works', NEEDS_REDIS, async () => {
  await using redis = await startRedis()
  const finding = async (url: string) => {
    const environment = { WEFT_REDIS_URL: url, WEFT_PORT: '0', WEFT_DATABASE: 'sqlite:/none/x.db' }
    const findings = await diagnose(environment, fixedClock())
    return findings.find(({ check }) => check === 'redis')
  }
  assert.equal((await finding(redis.url))?.severity, 'ok')
  assert.match((await finding(redis.url))?.message ?? '', /^Redis \d+\./)
  await redis.stop()
  const gone = await finding(redis.url)
  assert.equal(gone?.severity, 'error')
  assert.match(gone?.fix ?? '', /WEFT_REDIS_URL/)
})
