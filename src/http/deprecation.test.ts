import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Type from '../base/type.ts'
import { openGate } from '../../test/support/gate.ts'
import { createLog } from '../base/log.ts'
import { RequestError } from '../base/request-error.ts'
import { json } from './response.ts'
import { assemble } from './http-service.ts'
import { defineRoute, type Route } from './route.ts'
import type { Deprecation } from './deprecation.ts'

const SINCE = Date.parse('2026-11-01')
const SUNSET = { at: Date.parse('2027-12-31T23:59:59Z'), announced: SINCE }

async function serve(deprecated: Deprecation) {
  const authenticate = () => Promise.reject(new RequestError('unauthorized', 'Who are you?'))
  const routes = inventedRoutes(deprecated)
  const log = createLog('silent')
  const http = assemble({ ...openGate({ authenticate }), routes, log })
  const port = await http.listen('127.0.0.1', 0)
  return {
    ask: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

function inventedRoutes(deprecated: Deprecation): Route[] {
  const get = { method: 'GET', summary: 'x', answers: {} } as const
  return [
    defineRoute({
      ...get,
      path: '/old',
      operationId: 'old',
      access: 'public',
      query: Type.Object({ n: Type.Optional(Type.Integer()) }),
      deprecated,
      handle: async () => json('works'),
    }),
    defineRoute({
      ...get,
      path: '/old/:name',
      operationId: 'oldNamed',
      access: 'public',
      params: Type.Object({ name: Type.String() }),
      deprecated,
      handle: async () => json('works'),
    }),
    defineRoute({
      ...get,
      path: '/old-mine',
      operationId: 'oldMine',
      access: 'bearer',
      deprecated,
      handle: async () => json('works'),
    }),
    defineRoute({
      ...get,
      path: '/new',
      operationId: 'new',
      access: 'public',
      handle: async () => json('works'),
    }),
  ]
}

function told({ headers }: Response): (string | null)[] {
  return ['deprecation', 'link', 'sunset'].map((name) => headers.get(name))
}

test('every response of a deprecated path says so, including errors', async () => {
  await using world = await serve({ path: '/old', since: SINCE, successor: '/new' })
  for (const [path, status] of [
    ['/old', 200],
    ['/old/hot', 200],
    ['/old?n=many', 400],
    ['/old-mine', 401],
  ] as const) {
    const answer = await world.ask(path)
    assert.equal(answer.status, status, path)
    assert.deepEqual(told(answer), ['@1793491200', '</new>; rel="successor-version"', null], path)
  }
})

test('a path with a removal date announces it', async () => {
  await using world = await serve({
    path: '/old',
    since: SINCE,
    successor: '/new',
    sunset: SUNSET,
  })
  for (const path of ['/old', '/old/hot'])
    assert.equal(
      (await world.ask(path)).headers.get('sunset'),
      'Fri, 31 Dec 2027 23:59:59 GMT',
      path,
    )
})

test('a supported path announces neither', async () => {
  await using world = await serve({ path: '/old', since: SINCE, successor: '/new' })
  assert.deepEqual(told(await world.ask('/new')), [null, null, null])
})
