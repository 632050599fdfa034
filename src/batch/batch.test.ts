import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import * as Type from '../base/type.ts'
import { openGate } from '../../test/support/gate.ts'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { exchange, requestBytes } from '../../test/support/wire.ts'
import { runsOf } from '../../test/support/engine-options.ts'
import { createLog } from '../base/log.ts'
import { createRateLimits, type RateLimitDeps } from '../guards/rate-limits.ts'
import { json } from '../http/response.ts'
import { assemble } from '../http/http-service.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { directoryRoutes } from '../members/public/directory.route.ts'
import { createMember } from '../members/member.ts'
import { profileRoutes } from '../members/public/profile.route.ts'
import { batchRoute } from './batch.route.ts'
import { listReads } from './batch-reads.ts'

interface Entry {
  readonly id: string
  readonly status: number
  readonly body?: { readonly [member: string]: unknown }
  readonly text?: string
}

interface Options {
  readonly limits?: RateLimitDeps['overrides']
  readonly more?: readonly Route[]
}

/** The reads of the service and the batch, with Ada, Grace and a private member. */
async function serve({ limits: overrides = {}, more = [] }: Options = {}) {
  const store = await createStore()
  const { database, clock } = store
  const publicUrl = 'https://weft.example'
  const lines: string[] = []
  const log = createLog('error', { write: (line) => void lines.push(line) })
  const limits = createRateLimits({ overrides, clock })
  const all: Route[] = []
  all.push(
    ...profileRoutes({ database, clock, publicUrl }),
    ...directoryRoutes({ database, publicUrl }),
    ...more,
    batchRoute({ routes: () => all, limits, log }),
  )
  const http = assemble({ ...openGate({ limits }), routes: all, log })
  const port = await http.listen('127.0.0.1', 0)
  await database.write(async (tx) => {
    await createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, TEST_NOW)
    await createMember(tx, { username: 'grace', name: 'Grace Hopper' }, TEST_NOW)
    await createMember(tx, { username: 'shy', name: 'Shy Person', isPublic: false }, TEST_NOW)
  })
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/api/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    post,
    lines,
    exchange: (bytes: string) => exchange(port, bytes),
    get: (path: string) => exchange(port, requestBytes('GET', path)),
    async entries(requests: readonly object[]): Promise<Entry[]> {
      const answer = await post({ requests })
      assert.equal(answer.status, 200)
      return ((await answer.json()) as { responses: Entry[] }).responses
    },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const ALLOWLIST = [
  'GET /api/human/{username}',
  'GET /api/human/{username}.json',
  'GET /api/human/{username}.md',
  'GET /api/network/members',
]

function statuses(entries: readonly Entry[]): number[] {
  return entries.map(({ status }) => status)
}

test('answers every item in the order sent, with its own status: JSON as body, markdown as text', async () => {
  await using service = await serve()
  const answer = await service.post({
    requests: [
      { id: 'one', path: '/api/human/grace.md' },
      { id: 'two', path: '/api/human/nobody' },
      { id: 'two', path: '/api/network/members', query: { q: 'hopper', per_page: 1 } },
      { id: 'four', path: '/api/human/ada.json' },
    ],
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('ratelimit')?.split(';')[0], '"batch"')
  const batch = (await answer.json()) as { responses: Entry[] }
  assert.deepEqual({ ...batch, responses: [] }, { object: 'batch', count: 4, responses: [] })
  const [markdown, missing, found, profile] = batch.responses
  assert.deepEqual(
    batch.responses.map(({ id, status }) => [id, status]),
    [
      ['one', 200],
      ['two', 404],
      ['two', 200],
      ['four', 200],
    ],
  )
  assert.match(markdown?.text ?? '', /^---\nusername: "grace"\n/)
  assert.equal(markdown?.body, undefined)
  assert.equal(missing?.body?.['code'], 'not_found')
  assert.equal(missing?.body?.['request_id'], answer.headers.get('x-request-id'))
  assert.equal(
    (found?.body?.['members'] as { username: string }[] | undefined)?.[0]?.username,
    'grace',
  )
  assert.equal(profile?.text, undefined)
  assert.deepEqual(profile?.body, JSON.parse((await service.get('/api/human/ada')).body))
})

test('an item that is not a batchable read gets an error in its entry, with the list of allowed reads', async () => {
  await using service = await serve()
  const paths = [
    '/api/batch',
    '/mcp',
    '/api/human',
    '/api/human/',
    '/api/human/ada/',
    '/api/human/ada/grace',
    '/API/human/ada',
    '/api/human/ada?x=1',
    '/api/human/ada%3Fx=1',
    '/api/human/ada#top',
    '/api/human/ada%23top',
    'api/human/ada',
    '//api/human/ada',
    '//evil.example/api/human/ada',
    'http://weft.example/api/human/ada',
    '/api//human/ada',
    '/api/network/../human/ada',
    '/api/network/%2e%2e/human/ada',
    '/api/human/%2E%2E',
    '/api/human/..',
    '/api/human/.',
    '/api/human/ada%2F',
    '/api/human%2fada',
    '/api/human\\ada',
    '/api/human/%5Cada',
    '/api/human/ada%00',
    '/api/human/ada%0a',
    '/api/human/\u0001',
    '/api/human/%',
    '/api/human/%ff',
    '/api/human/%zz',
  ]
  for (let from = 0; from < paths.length; from += 20) {
    const sent = paths.slice(from, from + 20)
    const entries = await service.entries(sent.map((path) => ({ id: path, path })))
    for (const [index, { id, status, body }] of entries.entries()) {
      assert.equal(id, sent[index])
      assert.deepEqual([status, body?.['code']], [400, 'not_batchable'], id)
      assert.deepEqual(body?.['allowlist'], ALLOWLIST)
    }
  }
  const [once] = await service.entries([{ id: 'decoded once', path: '/api/human/%2561da' }])
  assert.equal(once?.status, 404)
  const [written, read] = await service.entries([
    { id: 'a', path: '/api/human/ada', method: 'DELETE' },
    { id: 'b', path: '/api/human/ada', method: 'GET' },
  ])
  assert.equal(written?.body?.['code'], 'not_batchable')
  assert.equal(read?.status, 200)
})

test('for any path, an item returns the same response as the GET', async () => {
  const plenty = { quota: 1_000_000, window: 60 }
  await using service = await serve({
    limits: { profile: plenty, directory: plenty, batch: plenty },
  })
  const username = fc.constantFrom(
    'ada',
    'ADA',
    'shy',
    'a%64a',
    '%61%64%61',
    '%2561da',
    'nobody',
    'a da',
    'ä',
  )
  const rest = fc.constantFrom('', '.md', '.json', '.txt', '%2emd', '.', '/', '%2f', '%2523', '~')
  const start = fc.constantFrom(
    '/api/human/',
    '/api/%68uman/',
    '/api/human',
    '/api/network/members',
  )
  const path = fc.tuple(start, username, rest).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 5 }), async (paths) => {
      const entries = await service.entries(paths.map((one) => ({ id: 'x', path: one })))
      for (const [index, one] of paths.entries()) {
        const entry = entries[index]
        const single = await service.get(encodeURI(one).replaceAll('%25', '%'))
        if (entry?.body?.['code'] === 'not_batchable') assert.notEqual(single.status, 200, one)
        else assert.equal(entry?.status, single.status, one)
        if (single.status === 200)
          assert.deepEqual(entry?.text ?? entry?.body, contentOf(single.body), one)
      }
    }),
    { numRuns: runsOf(60) },
  )
})

function contentOf(body: string): unknown {
  return body.startsWith('{') ? JSON.parse(body) : body
}

test('a query is validated as over HTTP, with the same errors', async () => {
  await using service = await serve()
  const cases: [query: Record<string, string | number | boolean>, search: string][] = [
    [{ per_page: 0 }, '?per_page=0'],
    [{ per_page: '2' }, '?per_page=2'],
    [{ per_page: 1.5 }, '?per_page=1.5'],
    [{ per_page: true }, '?per_page=true'],
    [{ q: 'a'.repeat(201) }, `?q=${'a'.repeat(201)}`],
    [{ q: 'ada & grace=?' }, `?q=${encodeURIComponent('ada & grace=?')}`],
    [{ q: 'LOVELACE', unknown: 'ignored' }, '?q=LOVELACE'],
    [{ cursor: 'made-up' }, '?cursor=made-up'],
    [{ q: 7 }, '?q=7'],
  ]
  const entries = await service.entries(
    cases.map(([query]) => ({ id: 'x', path: '/api/network/members', query })),
  )
  for (const [index, [, search]] of cases.entries()) {
    const single = await service.get(`/api/network/members${search}`)
    const expected = JSON.parse(single.body) as object
    const entry = entries[index]
    assert.equal(entry?.status, single.status, search)
    assert.deepEqual({ ...entry?.body, request_id: '' }, { ...expected, request_id: '' }, search)
  }
})

test('every item counts toward the limit of its read and is rejected in its own entry', async () => {
  await using service = await serve({ limits: { profile: { quota: 3, window: 60 } } })
  await service.get('/api/human/ada')
  const entries = await service.entries([
    { id: '1', path: '/api/human/ada' },
    { id: '2', path: '/api/human/ada.md' },
    { id: '3', path: '/api/human/ada' },
    { id: '4', path: '/api/network/members' },
    { id: '5', path: '/nothing' },
  ])
  assert.deepEqual(statuses(entries), [200, 200, 429, 200, 400])
  assert.equal(entries[2]?.body?.['code'], 'rate_limited')
  assert.equal(entries[2]?.body?.['retry_after'], 60)
  assert.equal((await service.get('/api/human/ada')).status, 429)
})

test('an invalid batch is rejected as a whole, with an error that names the item', async () => {
  await using service = await serve()
  const item = { id: 'a', path: '/api/human/ada' }
  const cases: [body: unknown, pointer: string][] = [
    [{}, '/requests'],
    [[], ''],
    [{ requests: {} }, '/requests'],
    [{ requests: [] }, '/requests'],
    [{ requests: [item, item, item, { id: 'a' }] }, '/requests/3/path'],
    [{ requests: [{ ...item, path: 7 }] }, '/requests/0/path'],
    [{ requests: [{ path: item.path }] }, '/requests/0/id'],
    [{ requests: [{ ...item, id: '' }] }, '/requests/0/id'],
    [{ requests: [{ ...item, id: 7 }] }, '/requests/0/id'],
    [{ requests: [{ ...item, id: 'x'.repeat(201) }] }, '/requests/0/id'],
    [{ requests: [item, { ...item, query: 'q=ada' }] }, '/requests/1/query'],
    [{ requests: [{ ...item, query: { q: ['ada'] } }] }, '/requests/0/query/q'],
    [{ requests: [{ ...item, query: { q: null } }] }, '/requests/0/query/q'],
    [{ requests: [null] }, '/requests/0'],
    [{ requests: [{ ...item, id: '\u0000' }] }, '/requests/0/id'],
  ]
  for (const [body, pointer] of cases) {
    const answer = await service.post(body)
    const { code, errors } = (await answer.json()) as {
      code: string
      errors: { pointer: string }[]
    }
    assert.deepEqual(
      [answer.status, code, errors[0]?.pointer],
      [400, 'invalid_request', pointer],
      JSON.stringify(body).slice(0, 100),
    )
  }
  for (const body of ['', '{', 'null', '"requests"']) {
    const answer = await service.post(body)
    assert.equal(answer.status, 400, body)
    assert.equal(((await answer.json()) as { code: string }).code, 'invalid_request')
  }
  const refused = (headers: Record<string, string>) =>
    service.exchange(requestBytes('POST', '/api/batch', headers, '{}'))
  assert.equal((await refused({ 'content-type': 'text/plain' })).status, 415)
  const type = { 'content-type': 'application/json' }
  assert.equal((await refused({ ...type, 'content-length': '262145' })).status, 413)
})

test('accepts 20 items and rejects more with a separate code', async () => {
  await using service = await serve()
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: String(index), path: '/api/human/ada' }))
  assert.deepEqual(statuses(await service.entries(items(20))), Array(20).fill(200))
  const answer = await service.post({ requests: items(21) })
  const problem = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 400)
  assert.deepEqual([problem['code'], problem['max_items']], ['batch_too_large', 20])
})

test('an item that crashes is a logged 500 in its own entry, without details', async () => {
  const crashing = defineRoute({
    method: 'GET',
    path: '/crash/:what',
    operationId: 'crash',
    summary: 'Crashes',
    access: 'public',
    params: Type.Object({ what: Type.String() }),
    answers: {},
    batchable: true,
    handle: ({ params }) => Promise.reject(new Error(`secret of ${params.what}`)),
  })
  await using service = await serve({ more: [crashing] })
  const answer = await service.post({
    requests: [
      { id: 'a', path: '/crash/me' },
      { id: 'b', path: '/api/human/ada' },
    ],
  })
  const text = await answer.text()
  const { responses } = JSON.parse(text) as { responses: Entry[] }
  assert.deepEqual(statuses(responses), [500, 200])
  assert.equal(responses[0]?.body?.['code'], 'internal')
  assert.doesNotMatch(text, /secret/)
  assert.equal(service.lines.length, 1)
  const line = JSON.parse(service.lines[0] ?? '') as Record<string, unknown>
  assert.equal(line['request_id'], answer.headers.get('x-request-id'))
  assert.equal(line['path'], '/crash/:what')
})

test('the headers of a batch do not affect its items', async () => {
  await using service = await serve()
  const answer = await service.post(
    { requests: [{ id: 'a', path: '/api/human/ada' }] },
    { accept: 'text/markdown', 'if-none-match': '*' },
  )
  const { responses } = (await answer.json()) as { responses: Entry[] }
  assert.equal(responses[0]?.body?.['username'], 'ada')
})

test('only public reads can be batchable', () => {
  const route = {
    path: '/x',
    operationId: 'x',
    summary: 'x',
    answers: {},
    batchable: true,
    handle: () => Promise.resolve(json({})),
  } as const
  const wrong = [
    defineRoute({ ...route, method: 'POST', access: 'public' }),
    defineRoute({ ...route, method: 'GET', access: 'bearer' }),
    defineRoute({ ...route, method: 'GET', access: 'session' }),
  ]
  for (const one of wrong) assert.throws(() => listReads([one]), /cannot be batchable/)
})
