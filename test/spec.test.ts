/** The specification, checked section by section over HTTP. Each test name states the requirement. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { linkedinCsv } from './support/invented.ts'
import { memberBrowser, oauthClient, type MemberBrowser, type Tokens } from './support/oauth.ts'
import { startTestService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

let service: TestService
let ada: MemberBrowser
let tokens: Tokens

before(async () => {
  service = await startTestService()
  ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace', headline: 'Analyst' })
  tokens = await ada.connect(await oauthClient(service).register())
})
after(() => service[Symbol.asyncDispose]())

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed if it is JSON. */
  readonly json: Json
}

type Json = Readonly<Record<string, unknown>>

async function ask(path: string, request: RequestInit = {}): Promise<Reply> {
  const response = await fetch(service.url + path, { redirect: 'manual', ...request })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Json) : {},
  }
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const bearer = (token = tokens.access_token) => ({ authorization: `Bearer ${token}` })

const rpc = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

const call = (name: string, args: object, id: number | string = 1) =>
  rpc('tools/call', { name, arguments: args }, id)

/** Both mounts of the public API: the service itself, and the sandbox with its demo account. */
const MOUNTS = [
  { prefix: '', username: 'ada' },
  { prefix: '/sandbox', username: 'demo' },
] as const

for (const { prefix, username } of MOUNTS) {
  const where = prefix === '' ? 'Public' : 'Sandbox mount'

  test(`${where}: GET /api/human/<username>, .json and .md are one profile as JSON and as markdown`, async () => {
    const profile = await ask(`${prefix}/api/human/${username}`)
    assert.equal(profile.status, 200)
    assert.match(profile.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(profile.json['username'], username)
    const json = await ask(`${prefix}/api/human/${username}.json`)
    assert.deepEqual(json.json, profile.json)
    const markdown = await ask(`${prefix}/api/human/${username}.md`)
    assert.equal(markdown.status, 200)
    assert.match(markdown.headers.get('content-type') ?? '', /^text\/markdown/)
    assert.ok(markdown.text.includes(String(profile.json['name'])))
    assert.equal((await ask(`${prefix}/api/human/nobody-at-all`)).status, 404)
  })

  test(`${where}: GET /api/network/members accepts q and per_page and returns a page`, async () => {
    const page = await ask(`${prefix}/api/network/members?q=${username}&per_page=1`)
    assert.equal(page.status, 200)
    const members = page.json['members'] as { username: string }[]
    assert.equal(members.length, 1)
    assert.equal(members[0]?.username, username)
    assert.equal((await ask(`${prefix}/api/network/members?per_page=0`)).status, 400)
  })

  test(`${where}: POST /api/batch answers in the order sent, each item with its own status`, async () => {
    const requests = [
      { id: 'profile', path: `/api/human/${username}` },
      { id: 'missing', path: '/api/human/nobody-at-all' },
      { id: 'markdown', path: `/api/human/${username}.md` },
      { id: 'page', path: '/api/network/members', query: { q: username, per_page: 1 } },
      { id: 'refused', path: '/oauth/token' },
    ]
    const batch = await post(`${prefix}/api/batch`, { requests })
    assert.equal(batch.status, 200)
    const { object, count, responses } = batch.json as unknown as {
      object: string
      count: number
      responses: { id: string; status: number; body?: Record<string, unknown>; text?: string }[]
    }
    assert.equal(object, 'batch')
    assert.equal(count, 5)
    assert.deepEqual(
      responses.map(({ id, status }) => [id, status]),
      [
        ['profile', 200],
        ['missing', 404],
        ['markdown', 200],
        ['page', 200],
        ['refused', 400],
      ],
    )
    const [profile, , markdown, page, refused] = responses
    assert.equal(profile?.body?.['username'], username)
    assert.equal(profile.text, undefined)
    assert.match(markdown?.text ?? '', new RegExp(username))
    assert.equal(markdown?.body, undefined)
    assert.ok(Array.isArray(page?.body?.['members']))
    assert.equal(refused?.body?.['code'], 'not_batchable')
    assert.ok(JSON.stringify(refused.body['allowlist']).includes('/api/human/{username}'))
  })

  test(`${where}: a batch has 1 to 20 items`, async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `${at}`, path: `/api/human/${username}` }))
    assert.equal((await post(`${prefix}/api/batch`, { requests: items(20) })).status, 200)
    for (const requests of [items(0), items(21), undefined, 'x', [{ id: 1 }]])
      assert.equal((await post(`${prefix}/api/batch`, { requests })).status, 400)
    const tooLarge = await post(`${prefix}/api/batch`, { requests: items(21) })
    assert.equal(tooLarge.json['code'], 'batch_too_large')
  })

  test(`${where}: /ask accepts query and the deprecated alias q, which is announced without a Sunset`, async () => {
    const query = await ask(`${prefix}/ask?query=${username}`)
    assert.equal(query.status, 200)
    assert.equal(query.headers.get('deprecation'), null)
    assert.equal(query.headers.get('sunset'), null)
    assert.ok(Array.isArray(query.json['results']))
    const alias = await ask(`${prefix}/ask?q=${username}`)
    assert.equal(alias.status, 200)
    assert.deepEqual(alias.json['results'], query.json['results'])
    assert.match(alias.headers.get('deprecation') ?? '', /^@\d+$/)
    assert.match(alias.headers.get('link') ?? '', /rel="?successor-version"?/)
    assert.equal(alias.headers.get('sunset'), null)
    assert.equal((await ask(`${prefix}/ask`)).status, 400)
    const posted = await post(`${prefix}/ask`, { query: username })
    assert.deepEqual(posted.json['results'], query.json['results'])
  })

  test(`${where}: POST /agent/identity with anonymous lists what needs no credential`, async () => {
    const { status, json } = await post(`${prefix}/agent/identity`, { type: 'anonymous' })
    assert.equal(status, 200)
    const surfaces = json['surfaces'] as { path: string }[]
    assert.ok(surfaces.some(({ path }) => path.includes('/api/human/')))
    for (const type of ['', 'admin', 'ANONYMOUS', undefined])
      assert.equal((await post(`${prefix}/agent/identity`, { type })).status, 400)
  })

  test(`${where}: every limited endpoint sends both families of rate limit headers`, async () => {
    for (const path of ['/api/human/demo', '/api/network/members', '/ask?query=x']) {
      const { headers } = await ask(prefix + path)
      const [, policy, quota] =
        /^"([a-z]+)";q=(\d+);w=\d+$/.exec(headers.get('ratelimit-policy') ?? '') ?? []
      assert.ok(policy, path)
      const [, named, left, reset] =
        /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
      assert.equal(named, policy)
      assert.equal(headers.get('ratelimit-limit'), quota)
      assert.equal(headers.get('ratelimit-remaining'), left)
      assert.equal(headers.get('ratelimit-reset'), reset)
    }
  })
}

test('Sandbox mount: GET /sandbox describes it and states whether the demo account is seeded', async () => {
  const { status, json } = await ask('/sandbox')
  assert.equal(status, 200)
  assert.equal(json['seeded'], true)
})

test('Sandbox mount: /sandbox/mcp and /mcp/sandbox call tools without a credential and reject writes', async () => {
  for (const path of ['/sandbox/mcp', '/mcp/sandbox']) {
    const list = await post(path, rpc('tools/list'))
    const { tools } = list.json['result'] as { tools: { name: string }[] }
    assert.ok(tools.some(({ name }) => name === 'search_connections'))
    assert.ok(tools.some(({ name }) => name === 'add_connections'))
    const found = await post(path, call('search_connections', { query: 'climate' }))
    const { isError, structuredContent } = found.json['result'] as {
      isError?: boolean
      structuredContent: { connections: unknown[] }
    }
    assert.equal(isError, undefined)
    assert.ok(structuredContent.connections.length > 0)
    const refused = await post(path, call('add_connections', { name: 'X' }))
    assert.equal(refused.status, 200)
    assert.equal((refused.json['result'] as { isError: boolean }).isError, true)
    assert.match(refused.text, /sandbox_read_only/)
  }
})

test('Sandbox mount: the OAuth server and routes that need a member are not mounted', async () => {
  for (const path of ['/oauth/register', '/oauth/token', '/api/jobs', '/mcp/v1'])
    assert.equal((await post(`/sandbox${path}`, {})).status, 404, path)
  assert.equal((await ask('/sandbox/oauth/authorize')).status, 404)
})

test('Errors: the sandbox above its limit returns 429, JSON-RPC -32003, Retry-After', async () => {
  await using other = await startTestService()
  const send = (id: number) =>
    fetch(`${other.url}/mcp/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call('whoami', {}, id)),
    })
  for (let count = 1; count <= 60; count++) {
    const { status, headers } = await send(count)
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit-remaining'), String(60 - count))
  }
  const limited = await send(61)
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
  assert.equal(limited.headers.get('ratelimit-limit'), '60')
  const body = (await limited.json()) as { id: number; error: { code: number } }
  assert.equal(body.error.code, -32003)
  assert.equal(body.id, 61)
})

test('Tool endpoint: tools/list and tools/call on /mcp and /mcp/v1, with a bearer', async () => {
  for (const path of ['/mcp', '/mcp/v1']) {
    const list = await post(path, rpc('tools/list'), bearer())
    const { tools } = list.json['result'] as {
      tools: { name: string; inputSchema: { properties: Record<string, { type: string }> } }[]
    }
    const search = tools.find(({ name }) => name === 'search_connections')
    assert.equal(search?.inputSchema.properties['query']?.type, 'string')
    const answer = await post(path, call('search_connections', { query: 'x' }, 'abc'), bearer())
    assert.equal(answer.status, 200)
    assert.equal(answer.json['id'], 'abc')
    assert.equal(answer.headers.get('deprecation'), null)
    assert.equal(answer.headers.get('sunset'), null)
    const failed = await post(path, call('get_connections', { people: 999 }), bearer())
    assert.equal(failed.status, 200)
    assert.equal((failed.json['result'] as { isError: boolean }).isError, true)
  }
})

test('Errors: a missing or invalid bearer is 401 and names the protected-resource metadata', async () => {
  const metadata = `${service.url}/.well-known/oauth-protected-resource`
  const asks: (() => Promise<Reply>)[] = [
    () => post('/mcp', rpc('tools/list')),
    () => post('/mcp/v1', rpc('tools/list')),
    () => post('/api/jobs', { kind: 'file_import' }),
    () => ask('/api/jobs/1'),
    () => post('/agent/identity', { type: 'service_auth' }),
    () => post('/mcp', rpc('tools/list'), bearer('weft_at_dead')),
  ]
  for (const one of asks) {
    const { status, headers } = await one()
    assert.equal(status, 401)
    const challenge = headers.get('www-authenticate') ?? ''
    assert.ok(challenge.startsWith('Bearer '))
    assert.ok(challenge.includes(`resource_metadata="${metadata}`))
    const [, document = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    assert.equal((await fetch(document)).status, 200)
  }
})

test('Identity: service_auth returns the member and the type of credential', async () => {
  const { json } = await post('/agent/identity', { type: 'service_auth' }, bearer())
  assert.equal((json['member'] as { username: string }).username, 'ada')
  const credential = json['credential'] as Record<string, unknown>
  assert.equal(credential['kind'], 'oauth_access_token')
  assert.equal(credential['holder'], 'ai_client')
  const minted = await service.mintToken('ada')
  const api = await post('/agent/identity', { type: 'service_auth' }, bearer(minted))
  assert.equal((api.json['credential'] as Record<string, unknown>)['kind'], 'api_token')
})

test('OAuth endpoints: both metadata documents name each other and the endpoints', async () => {
  const resource = await ask('/.well-known/oauth-protected-resource')
  const servers = resource.json['authorization_servers'] as string[]
  assert.deepEqual(servers, [service.url])
  const server = await ask('/.well-known/oauth-authorization-server')
  assert.equal(server.json['issuer'], service.url)
  for (const name of ['authorize', 'token', 'register', 'revoke'])
    assert.ok(server.text.includes(`${service.url}/oauth/${name}`), name)
})

test('OAuth endpoints: refresh tokens rotate; revoking either of a pair revokes both; 200 in any case', async () => {
  const client = oauthClient(service)
  const clientId = await client.register()
  const pair = await ada.connect(clientId)
  const { body: next } = await client.refresh(clientId, pair.refresh_token)
  assert.notEqual(next['refresh_token'], pair.refresh_token)
  assert.equal((await client.revoke({ token: String(next['refresh_token']) })).status, 200)
  assert.equal(await client.call(String(next['access_token'])), 401)
  assert.equal((await client.revoke({ token: 'unknown' })).status, 200)
})

test('Jobs: POST is 202 with Location, poll and Retry-After; the id is the task_id; polling ends terminal', async () => {
  const content = [...linkedinCsv(50, 1)].join('')
  const started = await post('/api/jobs', { kind: 'file_import', content }, bearer())
  assert.equal(started.status, 202)
  const { job_id, poll, state, terminal } = started.json as unknown as Record<string, unknown>
  assert.ok(Number.isInteger(job_id))
  assert.equal(started.headers.get('location'), poll)
  assert.ok(Number(started.headers.get('retry-after')) > 0)
  assert.equal(typeof state, 'string')
  assert.equal(terminal, false)
  const path = new URL(String(poll)).pathname
  const done = await until(async () => {
    const polled = await ask(path, { headers: bearer() })
    assert.equal(polled.status, 200, polled.text)
    if (polled.json['terminal'] === true) return polled
    assert.ok(Number(polled.headers.get('retry-after')) > 0)
    return undefined
  })
  assert.equal(done.json['state'], 'succeeded')
  assert.equal(done.headers.get('retry-after'), null)
  assert.ok(done.json['result'])
  const tool = await post('/mcp', call('get_jobs', { task_id: String(job_id) }), bearer())
  assert.match(tool.text, new RegExp(String(job_id)))
  assert.equal((await post('/api/jobs', { kind: 'nonsense' }, bearer())).status, 400)
})

test('Idempotency: register, /mcp, /mcp/v1 and /mcp/sandbox replay, and reject another body with 422', async () => {
  const registration = { redirect_uris: ['https://client.example/cb'], client_name: 'Once' }
  const cases: [string, object, object, Record<string, string>][] = [
    ['/oauth/register', registration, { ...registration, client_name: 'Twice' }, {}],
    [
      '/mcp',
      call('add_connections', { name: 'A' }),
      call('add_connections', { name: 'B' }),
      bearer(),
    ],
    ['/mcp/v1', call('search_connections', { query: 'b' }), call('whoami', {}), bearer()],
    ['/mcp/sandbox', call('search_connections', { query: 'a' }), call('whoami', {}), {}],
  ]
  for (const [path, body, other, headers] of cases) {
    const key = { ...headers, 'idempotency-key': `spec of ${path}`.replaceAll(' ', '-') }
    const first = await post(path, body, key)
    assert.ok(first.status < 300, `${path} ${first.text}`)
    assert.equal(first.headers.get('idempotency-replayed'), null)
    const again = await post(path, body, key)
    assert.equal(again.status, first.status)
    assert.equal(again.headers.get('idempotency-replayed'), 'true', path)
    assert.deepEqual(again.json, first.json)
    assert.equal((await post(path, other, key)).status, 422, path)
    const long = { ...headers, 'idempotency-key': path.replaceAll('/', 'x').padEnd(255, 'x') }
    assert.ok((await post(path, body, long)).status < 300)
    const tooLong = { ...headers, 'idempotency-key': 'x'.repeat(256) }
    assert.equal((await post(path, body, tooLong)).status, 400)
  }
})

test('Limits: a member without monthly credits gets the name of the limit', async () => {
  await using poor = await startTestService({ monthlyCredits: 0 })
  await poor.addMember()
  const token = await poor.mintToken()
  const response = await fetch(`${poor.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify(call('search_connections', { query: 'x' })),
  })
  assert.equal(response.status, 200)
  const { result } = (await response.json()) as {
    result: { isError: boolean; content: [{ text: string }] }
  }
  assert.equal(result.isError, true)
  const { error } = JSON.parse(result.content[0].text) as { error: Record<string, unknown> }
  assert.equal(error['code'], 'credits_exhausted')
  assert.equal(error['limit'], 'monthly_credits')
})

test('Other paths: /openapi.json, /v1 and /mcp/docs are public', async () => {
  const openapi = await ask('/openapi.json')
  assert.equal(openapi.status, 200)
  assert.match(String(openapi.json['openapi']), /^3\.1/)
  const index = await ask('/v1')
  assert.ok((index.json['endpoints'] as unknown[]).length > 10)
  assert.equal((await ask('/mcp/docs')).status, 200)
})

test('Versioning: supported features send no Deprecation or Sunset', async () => {
  for (const { method, path, access } of service.routes) {
    if (access === 'browser' || access === 'session') continue
    const target = path.replaceAll(/:[a-z_]+/g, 'demo')
    const { headers } = method === 'GET' ? await ask(target) : await post(target, {}, bearer())
    assert.equal(headers.get('deprecation'), null, target)
    assert.equal(headers.get('sunset'), null, target)
  }
})
