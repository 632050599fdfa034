import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from '../../test/support/gate.ts'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { askRoutes } from '../ask/ask.route.ts'
import { createLog } from '../base/log.ts'
import { batchRoute } from '../batch/batch.route.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import { memberStatement } from '../db/statement.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { ChargeQueue } from '../credits/charge-queue.ts'
import { createRateLimits, type RateLimitDeps } from '../guards/rate-limits.ts'
import { json } from '../http/response.ts'
import { assemble } from '../http/http-service.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { directoryRoutes } from '../members/public/directory.route.ts'
import { openEmbedder } from '../embeddings/embedder.ts'
import { createMember, requireMemberByUsername } from '../members/member.ts'
import { profileRoutes } from '../members/public/profile.route.ts'
import { agentIdentityRoute } from '../oauth/agent-identity.route.ts'
import { listTools } from '../service/catalog.ts'
import { seedDemo } from '../acts/seed-demo.ts'
import { sandboxRoutes } from './catalog.ts'

const PUBLIC_URL = 'http://127.0.0.1'

interface Options {
  readonly rateLimits?: RateLimitDeps['overrides']
  readonly seeded?: boolean
}

/** The anonymous endpoints, one route of each other kind, their sandbox, and the member Ada. */
async function serve({ rateLimits = {}, seeded = true }: Options = {}) {
  const store = await createStore()
  const { database, clock } = store
  const log = createLog('silent')
  const deps = { database, clock, log, publicUrl: PUBLIC_URL, quota: 100, version: '1.2.3' }
  const tools = listTools({ ...deps, embedder: openEmbedder(null), wake: () => {} })
  const limits = createRateLimits({ overrides: rateLimits, clock })
  const all: Route[] = []
  const routes = () => all
  all.push(
    ...profileRoutes(deps),
    ...directoryRoutes(deps),
    ...askRoutes(deps),
    batchRoute({ routes, limits, log }),
    agentIdentityRoute({ routes, authenticate: (sent) => Promise.reject(new Error(sent)) }),
    ...['/oauth/register', '/.well-known/mcp.json'].map((path) => other(path, 'public')),
    ...['/api/jobs', '/user/profile'].map((path) => other(path, 'bearer')),
    other('/whispered', 'public'),
  )
  all.push(
    ...sandboxRoutes({
      ...deps,
      tools,
      inFlight: createInFlight(),
      charges: new ChargeQueue(),
      routes,
      limits,
      rateLimits,
    }),
  )
  const http = assemble({ ...openGate({ limits }), routes: all, log })
  const port = await http.listen('127.0.0.1', 0)
  if (seeded) await seedDemo(database, TEST_NOW)
  await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, TEST_NOW),
  )
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return {
    database,
    clock,
    tools,
    routes: all,
    get,
    post,
    read: async (path: string) => (await (await get(path)).json()) as Record<string, unknown>,
    /** The result of a call, and its HTTP response. */
    async call(name: string, args: object = {}, more: CallOptions = {}) {
      const { path = '/sandbox/mcp', headers = {} } = more
      const message = rpc('tools/call', { name, arguments: args })
      const answer = await post(path, message, headers)
      return { answer, ...((await answer.json()) as { result: ToolResult; error?: RpcError }) }
    },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

interface CallOptions {
  readonly path?: string
  readonly headers?: Record<string, string>
}

interface ToolResult {
  readonly structuredContent: Record<string, unknown>
  readonly isError?: boolean
  readonly _meta?: Record<string, unknown>
}

function errorOf({ _meta }: ToolResult): Record<string, unknown> {
  return (_meta?.['weft/error'] ?? {}) as Record<string, unknown>
}

interface RpcError {
  readonly code: number
  readonly data?: Record<string, unknown>
}

function rpc(method: string, params: object = {}, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method, params }
}

/** A route that reports whether it received a credential. */
function other(path: string, access: 'public' | 'bearer'): Route {
  return defineRoute({
    method: 'GET',
    path,
    operationId: `other${path.replaceAll('/', '_')}`,
    summary: `Other ${path}`,
    access,
    answers: {},
    handle: ({ header }) =>
      Promise.resolve(
        json({ authorization: header('authorization') ?? null, host: header('host') }),
      ),
  })
}

test('GET /sandbox lists what the sandbox contains, whether the demo account exists, and what is missing', async () => {
  await using service = await serve({ rateLimits: { sandbox: { quota: 7, window: 30 } } })
  const answer = await service.get('/sandbox')
  assert.equal(answer.status, 200)
  const body = (await answer.json()) as {
    paths: { method: string; path: string }[]
    limits: unknown[]
    not_mounted: { path: string; reason: string }[]
    [member: string]: unknown
  }
  assert.equal(body['object'], 'sandbox')
  assert.equal(body['seeded'], true)
  assert.deepEqual(body['demo_account'], {
    username: 'demo',
    name: DEMO_MEMBER.name,
    url: `${PUBLIC_URL}/human/demo`,
  })
  assert.deepEqual(body['mcp'], [`${PUBLIC_URL}/sandbox/mcp`, `${PUBLIC_URL}/mcp/sandbox`])
  assert.deepEqual(
    body.paths.map(({ method, path }) => `${method} ${path}`),
    [
      'GET /sandbox/api/human/{username}',
      'GET /sandbox/api/human/{username}.json',
      'GET /sandbox/api/human/{username}.md',
      'GET /sandbox/api/network/members',
      'GET /sandbox/ask',
      'POST /sandbox/ask',
      'POST /sandbox/api/batch',
      'POST /sandbox/agent/identity',
      'GET /sandbox/whispered',
    ],
  )
  // With and without the operator's override.
  assert.deepEqual(body.limits[0], { name: 'sandbox', quota: 7, window: 30 })
  assert.deepEqual(body.limits[1], { name: 'profile', quota: 600, window: 60 })
  assert.equal(body.limits.length, 6)
  assert.ok(body.not_mounted.some(({ path }) => path === '/oauth/*'))
  const etag = answer.headers.get('etag') ?? ''
  assert.equal((await service.get('/sandbox', { 'if-none-match': etag })).status, 304)
  await using bare = await serve({ seeded: false })
  assert.equal((await bare.read('/sandbox'))['seeded'], false)
})

test('every anonymous path has the same response under /sandbox', async () => {
  await using service = await serve()
  const paths = [
    '/api/human/ada',
    '/api/human/demo.json',
    '/api/human/demo.md',
    '/api/human/nobody',
    '/api/network/members?per_page=1',
    '/api/network/members?per_page=0',
    '/ask?query=climate',
  ]
  for (const path of paths) {
    const [original, copy] = [await service.get(path), await service.get(`/sandbox${path}`)]
    assert.equal(copy.status, original.status, path)
    assert.equal(withoutIds(await copy.text()), withoutIds(await original.text()), path)
    assert.equal(copy.headers.get('etag'), original.headers.get('etag'), path)
  }
  const anonymous = await service.post('/sandbox/agent/identity', { type: 'anonymous' })
  assert.equal(anonymous.status, 200)
})

function withoutIds(text: string): string {
  return text.replaceAll(/(req|query)_[\w-]+/g, '$1')
}

test('links in sandbox responses stay in the sandbox', async () => {
  await using service = await serve()
  const page = await service.get('/sandbox/api/network/members?per_page=1')
  const next = page.headers.get('link') ?? ''
  assert.match(next, /^<http:\/\/127\.0\.0\.1\/sandbox\/api\/network\/members\?per_page=1&cursor=/)
  const alias = await service.get('/sandbox/ask?q=climate')
  assert.equal(alias.headers.get('link'), '</sandbox/ask?query=climate>; rel="successor-version"')
})

test('a batch in the sandbox accepts paths with and without the prefix', async () => {
  await using service = await serve()
  const requests = [
    { id: '1', path: '/sandbox/api/human/demo' },
    { id: '2', path: '/api/human/demo' },
    { id: '3', path: '/sandbox/ask', query: { query: 'climate' } },
    { id: '4', path: '/ask', query: { query: 'climate', streaming: 'true' } },
    { id: '5', path: '/sandbox/whispered' },
  ]
  const answer = await service.post('/sandbox/api/batch', { requests })
  const { responses } = (await answer.json()) as {
    responses: { status: number; body?: Record<string, unknown>; text?: string }[]
  }
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 200, 400],
  )
  assert.deepEqual(responses[0]?.body, responses[1]?.body)
  assert.ok(Array.isArray(responses[2]?.body?.['results']))
  assert.ok(Array.isArray(responses[3]?.body?.['results']), 'never an event stream')
  assert.deepEqual(responses[4]?.body?.['allowlist'], [
    'GET /api/human/{username}',
    'GET /api/human/{username}.json',
    'GET /api/human/{username}.md',
    'GET /api/network/members',
    'GET /ask',
  ])
})

test('the sandbox ignores credentials', async () => {
  await using service = await serve()
  const headers = { authorization: 'Bearer secret', cookie: 'session=secret' }
  const original = (await (await service.get('/whispered', headers)).json()) as object
  const copy = (await (await service.get('/sandbox/whispered', headers)).json()) as object
  assert.deepEqual(original, { ...copy, authorization: 'Bearer secret' })
  assert.deepEqual({ ...copy, host: '' }, { authorization: null, host: '' })
})

test('a copy counts toward the limit of its original', async () => {
  await using service = await serve({ rateLimits: { profile: { quota: 2, window: 60 } } })
  assert.equal((await service.get('/sandbox/api/human/demo')).status, 200)
  assert.equal((await service.get('/api/human/demo')).status, 200)
  assert.equal((await service.get('/sandbox/api/human/demo')).status, 429)
})

test('any other path below /sandbox is a 404 with the reason', async () => {
  await using service = await serve()
  const cases: [path: string, reason: RegExp][] = [
    ['/sandbox/oauth/register', /no credentials and gives none out/],
    ['/sandbox/.well-known/mcp.json', /exists only once/],
    ['/sandbox/api/jobs', /requires a member/],
    ['/sandbox/api/jobs/7', /requires a member/],
    ['/sandbox/user/profile', /requires a member/],
    ['/sandbox/mcp/v1', /\/sandbox\/mcp/],
    ['/sandbox/healthz', /Only paths that need no credential/],
    ['/sandbox/', /\/sandbox describes the sandbox/],
    ['/sandbox/sandbox', /Only paths that need no credential/],
    ['/sandbox/api/human/demo/more', /Only paths that need no credential/],
  ]
  for (const [path, reason] of cases)
    for (const answer of [await service.get(path), await service.post(path, {})]) {
      const body = (await answer.json()) as Record<string, string>
      assert.deepEqual([answer.status, body['code']], [404, 'not_found'], path)
      assert.match(body['detail'] ?? '', reason)
      assert.match(body['hint'] ?? '', /GET \/sandbox/)
    }
  assert.equal((await service.post('/sandbox/api/human/demo', {})).status, 405)
})

test('the tools are listed as at /mcp, and reading tools work on the demo account for free', async () => {
  await using service = await serve()
  const listed = await service.post('/sandbox/mcp', rpc('tools/list'))
  const { result } = (await listed.json()) as {
    result: { tools: { name: string; _meta: Record<string, number> }[] }
  }
  assert.deepEqual(
    result.tools.map(({ name, _meta }) => [name, _meta['weft/cost']]),
    service.tools.map(({ name, credits }) => [name, credits]),
  )
  const found = await service.call('search_connections', { query: 'climate', limit: 5 })
  assert.equal(found.result.isError, undefined)
  assert.equal((found.result.structuredContent['connections'] as unknown[]).length, 5)
  assert.deepEqual(found.result._meta, {
    'weft/cost': 0,
    'weft/remaining': 100,
    'weft/resets_at': '2026-12-01T00:00:00.000Z',
    // Deprecated, for one release.
    cost: 0,
    remaining: 100,
    resets_at: '2026-12-01T00:00:00.000Z',
  })
  const summary = await service.call('get_network_summary')
  assert.equal(summary.result.isError, undefined)
  const who = await service.call('whoami', {}, { path: '/mcp/sandbox' })
  assert.deepEqual(who.result.structuredContent['member'], {
    username: 'demo',
    name: DEMO_MEMBER.name,
  })
  const wrong = await service.call('search_connections', { query: { a: 7 } })
  assert.equal(errorOf(wrong.result)['code'], 'invalid_arguments')
  assert.equal((await service.call('no_such_tool')).error?.code, -32602)
  assert.deepEqual(await traces(service.database), { ledger: 0, activity: 0, connections: 200 })
})

test('every writing tool is rejected for any arguments, and nothing is written', async () => {
  await using service = await serve({ rateLimits: { sandbox: { quota: 1_000, window: 60 } } })
  const writing = service.tools.filter(({ effect }) => effect !== 'read')
  assert.ok(writing.length > 5)
  for (const { name } of writing)
    for (const args of [{}, { name: 'Ada' }, { people: [1], nonsense: true }]) {
      const { answer, result } = await service.call(name, args)
      assert.equal(answer.status, 200)
      assert.equal(result.isError, true)
      const { code, message, hint } = errorOf(result)
      assert.equal(code, 'sandbox_read_only')
      assert.ok(String(message).startsWith(name))
      assert.match(String(hint), /\/auth\.md/)
    }
  assert.deepEqual(await traces(service.database), { ledger: 0, activity: 0, connections: 200 })
})

async function traces(database: Awaited<ReturnType<typeof createStore>>['database']) {
  const { memberId } = await requireMemberByUsername(database, 'demo')
  return { ...(await database.member(memberId).get(TRACES, {})) }
}

const TRACES = memberStatement<
  object,
  { ledger: number; activity: number; connections: number }
>()(`
  select (select count(*) from credit_ledger where member_id = :member_id) as ledger,
    (select count(*) from activity where member_id = :member_id) as activity,
    (select count(*) from connections where member_id = :member_id) as connections`)

test('the 61st request in a minute is a 429 with -32003, its own ID and Retry-After', async () => {
  await using service = await serve()
  const call = rpc('tools/call', { name: 'whoami', arguments: {} })
  for (let count = 0; count < 60; count++) {
    const answer = await service.post(count % 2 === 0 ? '/sandbox/mcp' : '/mcp/sandbox', call)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('ratelimit'), `"sandbox";r=${59 - count};t=60`)
    await answer.arrayBuffer()
  }
  const refused = await service.post('/sandbox/mcp', { ...call, id: 'mine' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '60')
  const { id, error } = (await refused.json()) as { id: string; error: RpcError }
  assert.equal(id, 'mine')
  assert.deepEqual([error.code, error.data?.['retry_after']], [-32003, 60])
  service.clock.advance(60_000)
  assert.equal((await service.post('/sandbox/mcp', call)).status, 200)
})

test('a repeated key returns the first response and rejects another request', async () => {
  await using service = await serve()
  for (const [name, args] of [
    ['search_connections', { query: 'climate' }],
    ['add_connections', { name: 'Ada' }],
    ['get_connections', { people: 7 }],
  ] as const) {
    const headers = { 'idempotency-key': name }
    const first = await service.call(name, args, { headers })
    const again = await service.call(name, args, { headers })
    assert.equal(first.answer.headers.get('idempotency-replayed'), null, name)
    assert.equal(again.answer.headers.get('idempotency-replayed'), 'true', name)
    assert.deepEqual(again.result, first.result)
    const different = await service.call('whoami', {}, { headers })
    assert.equal(different.answer.status, 422, name)
    assert.equal(different.error?.data?.['code'], 'idempotency_key_reused')
    // Keys are separate for each path.
    const there = await service.call('whoami', {}, { headers, path: '/mcp/sandbox' })
    assert.equal(there.answer.headers.get('idempotency-replayed'), null)
  }
  const empty = await service.call('whoami', {}, { headers: { 'idempotency-key': '' } })
  assert.equal(empty.answer.status, 400)
  assert.deepEqual(await traces(service.database), { ledger: 0, activity: 0, connections: 200 })
})

test('without the demo account, its tools report that', async () => {
  await using service = await serve({ seeded: false })
  const { answer, error } = await service.call('whoami')
  assert.equal(answer.status, 503)
  assert.equal(error?.data?.['code'], 'unavailable')
  const listed = await service.post('/sandbox/mcp', rpc('tools/list'))
  assert.equal(listed.status, 200)
})

test('pages of another site cannot access it through DNS rebinding', async () => {
  await using service = await serve()
  const headers = { origin: 'http://evil.example' }
  const { answer } = await service.call('whoami', {}, { headers })
  assert.equal(answer.status, 403)
})

test('it supports both eras of MCP and has its own server name', async () => {
  await using service = await serve()
  const clientInfo = { name: 'test', version: '1' }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const legacy = await service.post('/sandbox/mcp', rpc('initialize', initialize))
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const modern = await service.post('/sandbox/mcp', rpc('server/discover', { _meta }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'server/discover',
  })
  for (const answer of [legacy, modern]) {
    assert.equal(answer.status, 200)
    const text = await answer.text()
    assert.match(text, /"name":"weft-sandbox","title":"Weft sandbox","version":"1\.2\.3"/)
    assert.match(text, /This is the sandbox of Weft/)
  }
})
