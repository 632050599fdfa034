import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRateLimit } from 'ratelimit-header-parser'
import { parseItem } from 'structured-headers'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { fixedClock } from '../../test/support/store.ts'
import { SECOND } from '../base/clock.ts'
import { LIMITS } from './rate-limit-policies.ts'
import { createRateLimits } from './rate-limits.ts'
import type { Route } from '../http/route.ts'

/** All requests pass through this proxy, so that a test can use any client address. */
const PROXY = { trustedProxies: ['127.0.0.1'] }
const CLIENT = '203.0.113.7'

const FEW = {
  profile: { quota: 2, window: 60 },
  directory: { quota: 2, window: 60 },
  jobs: { quota: 2, window: 60 },
}

interface Asking {
  readonly method?: string
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
}

function ask(
  service: TestService,
  path: string,
  { method = 'GET', from = CLIENT, headers = {} }: Asking = {},
): Promise<Response> {
  return fetch(service.url + path, { method, headers: { 'x-forwarded-for': from, ...headers } })
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

function limitHeaders({ headers }: Response): Record<string, string | null> {
  const names = ['', '-policy', '-limit', '-remaining', '-reset'].map((end) => `ratelimit${end}`)
  return Object.fromEntries([...names, 'retry-after'].map((name) => [name, headers.get(name)]))
}

/** Reads the header of draft 11; ratelimit-header-parser reads that of draft 7 there. */
function readRateLimit(header: string | null): object {
  const [name, parameters] = parseItem(header ?? '')
  return { name, ...Object.fromEntries(parameters) }
}

/** Paths of the limited routes of one policy, or of several. */
function limitedRoutes({ routes }: TestService, ...names: readonly string[]): Route[] {
  // Signed-out people are redirected before the request is counted.
  return routes.filter(
    ({ access, limit }) =>
      access !== 'session' && limit !== undefined && names.includes(limit.name),
  )
}

test('responses of limited paths report the remaining requests in both header families', async () => {
  await using service = await startTestService(PROXY)
  await service.addMember()
  assert.deepEqual(limitHeaders(await ask(service, '/api/human/ada')), {
    ratelimit: '"profile";r=599;t=60',
    'ratelimit-policy': '"profile";q=600;w=60',
    'ratelimit-limit': '600',
    'ratelimit-remaining': '599',
    'ratelimit-reset': '60',
    'retry-after': null,
  })
})

test('independent parsers understand both families', async () => {
  await using service = await startTestService(PROXY)
  const before = Date.now()
  const { headers } = await ask(service, '/api/network/members')
  assert.deepEqual(readRateLimit(headers.get('ratelimit')), { name: 'directory', r: 119, t: 60 })
  assert.deepEqual(readRateLimit(headers.get('ratelimit-policy')), {
    name: 'directory',
    q: 120,
    w: 60,
  })
  const { ratelimit: _, ...older } = Object.fromEntries(headers)
  const { reset, ...read } = parseRateLimit(older, { reset: 'seconds' }) ?? {}
  assert.deepEqual(read, { limit: 120, used: 1, remaining: 119 })
  assert.ok(reset && reset.getTime() >= before + 60 * SECOND)
})

test('HEAD, 304, 400 and 404 are counted and report the remaining requests like any other', async () => {
  await using service = await startTestService(PROXY)
  await service.addMember()
  const etag = (await ask(service, '/api/human/ada')).headers.get('etag') ?? ''
  const answers = [
    await ask(service, '/api/human/ada', { method: 'HEAD' }),
    await ask(service, '/api/human/ada', { headers: { 'if-none-match': etag } }),
    await ask(service, '/api/human/nobody'),
    await ask(service, '/api/human/ada.md'),
    await ask(service, '/api/network/members?per_page=none'),
  ]
  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.headers.get('ratelimit')]),
    [
      [200, '"profile";r=598;t=60'],
      [304, '"profile";r=597;t=60'],
      [404, '"profile";r=596;t=60'],
      [200, '"profile";r=595;t=60'],
      [400, '"directory";r=119;t=60'],
    ],
  )
})

test('every limited path returns 429 with Retry-After once the quota is used up', async () => {
  await using service = await startTestService({ ...PROXY, rateLimits: FEW })
  await service.addMember()
  const routes = limitedRoutes(service, 'profile', 'directory', 'jobs')
  assert.ok(routes.length >= 9)
  for (const [nth, { path, method, limit }] of routes.entries()) {
    const asking = {
      method,
      from: `203.0.113.${nth}`,
      headers: bearer(await service.mintToken()),
    }
    const target = path.replace(/:\w+/, 'ada')
    for (const left of ['1', '0']) {
      const answer = await ask(service, target, asking)
      assert.notEqual(answer.status, 429, `${method} ${path}`)
      assert.equal(answer.headers.get('ratelimit-remaining'), left, `${method} ${path}`)
    }
    service.clock.advance(20.5 * SECOND)
    const refused = await ask(service, target, asking)
    assert.equal(refused.status, 429, `${method} ${path}`)
    assert.deepEqual(limitHeaders(refused), {
      ratelimit: `"${limit?.name}";r=0;t=40`,
      'ratelimit-policy': `"${limit?.name}";q=2;w=60`,
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
      'retry-after': '40',
    })
    if (refused.headers.get('content-type')?.startsWith('text/html')) continue
    const problem: unknown = await refused.json()
    assert.partialDeepStrictEqual(problem, { status: 429, code: 'rate_limited', retry_after: 40 })
  }
})

test('requests are allowed again when the window ends, and not before', async () => {
  await using service = await startTestService({ ...PROXY, rateLimits: FEW })
  const statuses = async (times: number) => {
    const found = []
    for (let nth = 0; nth < times; nth++)
      found.push((await ask(service, '/api/network/members')).status)
    return found
  }
  assert.deepEqual(await statuses(3), [200, 200, 429])
  service.clock.advance(60 * SECOND - 1)
  const refused = await ask(service, '/api/network/members')
  assert.equal(refused.headers.get('retry-after'), '1')
  service.clock.advance(1)
  assert.deepEqual(await statuses(3), [200, 200, 429])
})

test('each address has its own quota, and an IPv6 network shares one', async () => {
  await using service = await startTestService({ ...PROXY, rateLimits: FEW })
  const left = async (from: string) =>
    (await ask(service, '/api/network/members', { from })).headers.get('ratelimit-remaining')
  assert.equal(await left('203.0.113.1'), '1')
  assert.equal(await left('203.0.113.2'), '1')
  assert.equal(await left('2001:db8:1:2::1'), '1')
  assert.equal(await left('2001:db8:1:2:ffff::9'), '0')
  assert.equal(await left('2001:db8:1:3::1'), '1')
})

test('a client that is not a trusted proxy cannot evade its limit with X-Forwarded-For', async () => {
  await using service = await startTestService({ rateLimits: FEW })
  const from = (nth: number) => ({ from: `203.0.113.${nth}` })
  await ask(service, '/api/network/members', from(1))
  await ask(service, '/api/network/members', from(2))
  const third = await ask(service, '/api/network/members', from(3))
  assert.equal(third.status, 429)
})

test('each credential has its own quota, regardless of the client address', async () => {
  await using service = await startTestService({ ...PROXY, rateLimits: FEW })
  await service.addMember()
  const [one, other] = [await service.mintToken(), await service.mintToken()]
  const left = async (token: string, from: string) => {
    const answer = await ask(service, '/api/jobs', { from, headers: bearer(token) })
    return [answer.status, answer.headers.get('ratelimit-remaining')]
  }
  assert.deepEqual(await left(one, '203.0.113.1'), [200, '1'])
  assert.deepEqual(await left(one, '203.0.113.2'), [200, '0'])
  assert.deepEqual(await left(one, '203.0.113.3'), [429, '0'])
  assert.deepEqual(await left(other, '203.0.113.1'), [200, '1'])
})

test('the operator changes one policy and leaves the others as they are', async () => {
  const overrides = { mcp: { quota: 1200, window: 10 } }
  const limits = createRateLimits({ overrides, clock: fixedClock() })
  const changed = await limits.take(LIMITS.mcp, 'a')
  assert.equal(changed.headers['ratelimit-policy'], '"mcp";q=1200;w=10')
  assert.equal(changed.headers['ratelimit'], '"mcp";r=1199;t=10')
  const usual = await limits.take(LIMITS.ask, 'a')
  assert.equal(usual.headers['ratelimit-policy'], '"ask";q=60;w=60')
})

test('each policy counts a key separately', async () => {
  const limits = createRateLimits({ overrides: {}, clock: fixedClock() })
  await limits.take(LIMITS.profile, 'a')
  const { headers } = await limits.take(LIMITS.directory, 'a')
  assert.equal(headers['ratelimit-remaining'], '119')
})

test('rejected requests are counted by policy, with the time of the last one', async () => {
  const clock = fixedClock()
  const limits = createRateLimits({ overrides: { ask: { quota: 1, window: 60 } }, clock })
  assert.deepEqual(limits.rejected(), [])
  for (const key of ['a', 'a', 'b', 'b']) {
    await limits.take(LIMITS.ask, key)
    await limits.take(LIMITS.mcp, key)
    clock.advance(1)
  }
  assert.deepEqual(limits.rejected(), [{ policy: 'ask', count: 2, lastAt: clock.now() - 1 }])
})
