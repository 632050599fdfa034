import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Type from '../base/type.ts'
import { openGate } from '../../test/support/gate.ts'
import { fixedClock } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { RequestError } from '../base/request-error.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { json } from './response.ts'
import { assemble } from './http-service.ts'
import { defineRoute, type Route } from './route.ts'
import { NO_LIMITS, type Caller } from './caller.ts'
import type { LimitPolicy, Limits } from './rate-limit-policy.ts'

const ONCE = { name: 'once', quota: 1, window: 60, per: 'address' } as const
const ONCE_EACH = { name: 'each', quota: 1, window: 60, per: 'credential' } as const

async function serve(limits: Limits = createRateLimits({ overrides: {}, clock: fixedClock() })) {
  const handled: string[] = []
  const http = assemble({
    ...openGate({ limits, authenticate, addressOf: ({ headers }) => String(headers['x-from']) }),
    routes: inventedRoutes((operation) => void handled.push(operation)),
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    /** Operations whose handlers ran. */
    handled,
    ask: (path: string, { headers = {}, ...init }: Asking = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { 'x-from': 'a', ...headers } }),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function authenticate(authorization: string | undefined): Promise<Caller> {
  const id = authorization?.replace('Bearer ', '')
  if (id === undefined) throw new RequestError('unauthorized', 'Who are you?')
  const credential = { id, kind: 'api_token', name: id, holder: 'ai_client' } as const
  const nothing = { agent: null, clientId: null, createdAt: 0, expiresAt: null }
  const caller = { memberId: 1, username: 'ada', name: 'Ada', timeZone: 'UTC' }
  return { ...caller, credential: { ...credential, ...nothing }, limits: NO_LIMITS }
}

function inventedRoutes(handled: (operation: string) => void): Route[] {
  const route = (operationId: string, access: 'public' | 'bearer', limit?: LimitPolicy) => ({
    path: `/${operationId}`,
    operationId,
    summary: 'x',
    access,
    answers: {},
    ...(limit && { limit }),
    handle: async () => {
      handled(operationId)
      return json('handled')
    },
  })
  const name = Type.Object({ name: Type.String() })
  return [
    defineRoute({ ...route('free', 'public'), method: 'GET' }),
    defineRoute({
      ...route('limited', 'public', ONCE),
      method: 'GET',
      query: Type.Object({ n: Type.Optional(Type.Integer()) }),
    }),
    defineRoute({
      ...route('plain', 'public', ONCE),
      method: 'GET',
      path: '/plain/:name',
      params: name,
    }),
    defineRoute({ ...route('mine', 'bearer', ONCE_EACH), method: 'GET' }),
    defineRoute({
      ...route('explained', 'public', ONCE),
      method: 'POST',
      body: { kind: 'json', schema: name, maxBytes: 1000 },
      whenLimited: ({ body }, retryAfter) =>
        json({ sorry: body.name, retryAfter }, 429, { 'retry-after': String(retryAfter) }),
    }),
  ]
}

test('a route without a limit has no limit headers and never rejects', async () => {
  await using world = await serve()
  for (let nth = 0; nth < 3; nth++) {
    const answer = await world.ask('/free')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('ratelimit'), null)
  }
})

for (const path of ['/limited', '/plain/ada'])
  test(`${path} rejects a caller over the limit before its handler, and no other caller`, async () => {
    await using world = await serve()
    assert.equal((await world.ask(path)).status, 200)
    const refused = await world.ask(path)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.equal(refused.headers.get('ratelimit'), '"once";r=0;t=60')
    assert.equal((await world.ask(path, { headers: { 'x-from': 'b' } })).status, 200)
    assert.equal(world.handled.length, 2)
  })

test('an asynchronous counter is awaited', async () => {
  const counting = createRateLimits({ overrides: {}, clock: fixedClock() })
  await using world = await serve({ take: async (policy, key) => counting.take(policy, key) })
  for (const path of ['/limited', '/plain/ada']) {
    const from = { headers: { 'x-from': path } }
    assert.equal((await world.ask(path, from)).headers.get('ratelimit'), '"once";r=0;t=60')
    assert.equal((await world.ask(path, from)).status, 429)
  }
})

test('a request that is rejected for another reason is still counted', async () => {
  await using world = await serve()
  const wrong = await world.ask('/limited?n=many')
  assert.equal(wrong.status, 400)
  assert.equal(wrong.headers.get('ratelimit'), '"once";r=0;t=60')
  assert.equal((await world.ask('/limited?n=many')).status, 429)
})

test('with a limit per credential, a request without one gets 401 and is not counted', async () => {
  await using world = await serve()
  for (let nth = 0; nth < 2; nth++) {
    const stranger = await world.ask('/mine')
    assert.equal(stranger.status, 401)
    assert.equal(stranger.headers.get('ratelimit'), null)
  }
  const as = (authorization: string) => world.ask('/mine', { headers: { authorization } })
  assert.equal((await as('Bearer one')).status, 200)
  assert.equal((await as('Bearer one')).status, 429)
  assert.equal((await as('Bearer two')).status, 200)
})

test('OPTIONS and unsupported methods are not counted', async () => {
  await using world = await serve()
  assert.equal((await world.ask('/limited', { method: 'OPTIONS' })).status, 204)
  assert.equal((await world.ask('/limited', { method: 'PUT' })).status, 405)
  assert.equal((await world.ask('/limited')).status, 200)
})

test('a route can write its own error based on the request', async () => {
  await using world = await serve()
  const send = (body: string) =>
    world.ask('/explained', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  assert.equal((await send('{"name":"ada"}')).status, 200)
  const refused = await send('{"name":"ada"}')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('ratelimit'), '"once";r=0;t=60')
  assert.deepEqual(await refused.json(), { sorry: 'ada', retryAfter: 60 })
  assert.equal((await send('{')).status, 400)
  assert.deepEqual(world.handled, ['explained'])
})
