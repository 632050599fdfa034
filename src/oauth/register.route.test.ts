import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { DAY, HOUR } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { checkSchema } from '../base/schema.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { assemble } from '../http/http-service.ts'
import { createSeparateStore, createStore, type TestStore } from '../../test/support/store.ts'
import { openGate } from '../../test/support/gate.ts'
import { createAttemptRecorder } from './attempts/attempt-recorder.ts'
import { clientDirectory } from './client.ts'
import { registerRoute } from './register.route.ts'

const URI = 'http://localhost:3000/callback'

async function createWorld(given?: TestStore) {
  const store = given ?? (await createStore())
  const { database, clock } = store
  const limits = createRateLimits({ overrides: {}, clock })
  const attempts = createAttemptRecorder({
    database,
    clock,
    log: createLog('silent'),
    publicUrl: 'https://weft.example.org',
    addressOf: () => '127.0.0.1',
  })
  const route = registerRoute({ database, clock, inFlight: createInFlight(), limits, attempts })
  const http = assemble({ ...openGate(), routes: [route], log: createLog('silent') })
  const port = await http.listen('127.0.0.1', 0)
  const url = `http://127.0.0.1:${port}/oauth/register`
  const documents = { read: () => Promise.reject(new Error('nothing is fetched here')) }
  return {
    url,
    route,
    clock,
    clients: clientDirectory({ database, documents }),
    post: (body: unknown, type = 'application/json') =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

interface Registered {
  readonly client_id: string
}

async function register(world: World, metadata: object): Promise<Registered> {
  const response = await world.post(metadata)
  assert.equal(response.status, 201)
  const schema = world.route.answers[201]?.schema
  assert.ok(schema)
  const answer: unknown = await response.json()
  assert.equal(checkSchema(schema, answer).ok, true)
  return answer as Registered
}

async function errorOf(response: Response): Promise<{ error: string; error_description: string }> {
  assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  return (await response.json()) as { error: string; error_description: string }
}

test('registers a public client regardless of the requested authentication method', async () => {
  await using world = await createWorld()
  const response = await world.post({
    redirect_uris: [URI, 'https://app.example/cb'],
    client_name: 'App',
    client_uri: 'https://app.example/',
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'implicit'],
    response_types: ['code', 'token'],
    scope: 'openid profile',
    application_type: 'web',
  })
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  const { client_id, ...answer } = (await response.json()) as Registered
  assert.match(client_id, /^client_[\w-]{22}$/)
  assert.deepEqual(answer, {
    client_id_issued_at: world.clock.now() / 1000,
    client_name: 'App',
    client_uri: 'https://app.example/',
    redirect_uris: [URI, 'https://app.example/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'network',
  })
  assert.deepEqual(await world.clients.findRegistered(client_id), {
    clientId: client_id,
    name: 'App',
    uri: 'https://app.example/',
    redirectUris: [URI, 'https://app.example/cb'],
    registered: true,
  })
})

test('only redirect_uris is required, and the response has no empty fields', async () => {
  await using world = await createWorld()
  const nothing = { client_name: null, client_uri: null, grant_types: null, response_types: null }
  for (const metadata of [{}, nothing, { client_uri: '' }]) {
    const answer = await register(world, { redirect_uris: [URI], ...metadata })
    assert.ok(!('client_uri' in answer) && !('client_secret' in answer))
    for (const value of Object.values(answer)) assert.ok(value !== null && value !== '')
  }
})

test('the metadata of real clients is accepted', async () => {
  await using world = await createWorld()
  const code = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
  const clients = [
    {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: [...code.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    {
      ...code,
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      application_type: 'web',
    },
    {
      ...code,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'network offline_access',
      logo_uri: 'http://169.254.169.254/latest/meta-data/',
      jwks_uri: 'http://127.0.0.1:1/jwks',
      software_statement: 'not.a.jwt',
      contacts: null,
    },
  ]
  for (const metadata of clients) await register(world, metadata)
})

test('rejects redirect URIs with their own code', async () => {
  await using world = await createWorld()
  const refused = [
    {},
    { redirect_uris: null },
    { redirect_uris: URI },
    { redirect_uris: [] },
    { redirect_uris: [7] },
    { redirect_uris: [null] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: [URI, 'http://a.example/cb'] },
    { redirect_uris: ['https://a.example/\0'] },
    { redirect_uris: Array.from({ length: 11 }, (_, index) => `${URI}/${index}`) },
  ]
  for (const metadata of refused) {
    const response = await world.post(metadata)
    assert.equal(response.status, 400, JSON.stringify(metadata))
    assert.equal((await errorOf(response)).error, 'invalid_redirect_uri', JSON.stringify(metadata))
  }
  const ten = Array.from({ length: 10 }, (_, index) => `${URI}/${index}`)
  await register(world, { redirect_uris: ten })
})

test('rejects other fields with invalid values', async () => {
  await using world = await createWorld()
  const refused = [
    { client_name: 7 },
    { client_name: 'Claude\u202e' },
    { client_name: 'Claude\0' },
    { client_name: 'x'.repeat(20_000) },
    { client_uri: ['https://app.example/'] },
    { grant_types: ['password'] },
    { grant_types: 'authorization_code' },
    { response_types: ['token'] },
  ]
  for (const metadata of refused) {
    const response = await world.post({ redirect_uris: [URI], ...metadata })
    assert.equal(response.status, 400, JSON.stringify(metadata))
    const { error, error_description: description } = await errorOf(response)
    assert.equal(error, 'invalid_client_metadata', JSON.stringify(metadata))
    assert.match(description, /^[\x20-\x7e]+$/)
  }
})

test('invalid JSON and oversized bodies are rejected in the same format', async () => {
  await using world = await createWorld()
  const form = 'application/x-www-form-urlencoded'
  for (const [body, status, error, type] of [
    ['{', 400, 'invalid_request'],
    ['', 400, 'invalid_request'],
    ['[]', 400, 'invalid_client_metadata'],
    ['null', 400, 'invalid_client_metadata'],
    [`redirect_uris=${URI}`, 415, 'invalid_request', form],
    [{ redirect_uris: [URI], x: 'x'.repeat(64 * 1024) }, 413, 'invalid_request'],
  ] as const) {
    const response = await world.post(body, type)
    assert.equal(response.status, status, JSON.stringify(body).slice(0, 40))
    assert.equal((await errorOf(response)).error, error, JSON.stringify(body).slice(0, 40))
  }
})

test('a repeated registration with the same Idempotency-Key returns the first one', async () => {
  await using world = await createWorld()
  const send = (redirectUri: string) =>
    fetch(world.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    })
  const [first, second] = [await send(URI), await send(URI)]
  assert.equal(second.status, 201)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(await second.json(), await first.json())
  const other = await send(`${URI}/other`)
  assert.equal(other.status, 422)
  assert.equal((await errorOf(other)).error, 'invalid_request')
})

test('a client takes at most eight kilobytes, and its idempotency record does not repeat it', async () => {
  const store = await createSeparateStore()
  await using world = await createWorld(store)
  const uri = (bytes: number) => `https://app.example/${'u'.repeat(bytes)}`
  const tooLarge = await world.post({
    redirect_uris: Array.from({ length: 10 }, (_, index) => uri(1900) + index),
  })
  assert.equal(tooLarge.status, 400)
  assert.match((await errorOf(tooLarge)).error_description, /8192 bytes/)

  const large = { redirect_uris: [uri(1900), uri(1901), uri(1902), uri(1903)], client_name: 'App' }
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key-1' }
  const send = () => fetch(world.url, { method: 'POST', headers, body: JSON.stringify(large) })
  const first = await send()
  assert.equal(first.status, 201)
  const body = await first.text()
  world.clock.advance(HOUR)
  const again = await send()
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(await again.text(), body)
  assert.equal((await store.everything()).split('u'.repeat(1903)).length, 2)
})

test('an IP address can register 200 clients an hour and 1,000 a day', async () => {
  await using world = await createWorld()
  const metadata = { redirect_uris: [URI] }
  const statuses = async (count: number) => {
    const found = new Set<number>()
    for (let sent = 0; sent < count; sent += 1) found.add((await world.post(metadata)).status)
    return [...found]
  }
  for (let hour = 0; hour < 5; hour += 1) {
    assert.deepEqual(await statuses(200), [201])
    const refused = await world.post(metadata)
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"register_hour";r=0;/)
    assert.equal(refused.headers.get('retry-after'), '3600')
    assert.equal((await errorOf(refused)).error, 'temporarily_unavailable')
    world.clock.advance(HOUR)
  }
  const refused = await world.post(metadata)
  assert.match(refused.headers.get('ratelimit') ?? '', /^"register_day";r=0;/)
  world.clock.advance(DAY)
  assert.deepEqual(await statuses(1), [201])
})

test('a strict client accepts the response', async () => {
  await using world = await createWorld()
  const server = { issuer: new URL(world.url).origin, registration_endpoint: world.url }
  const metadata = { redirect_uris: [URI], client_name: 'App' }
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, {
    [oauth.allowInsecureRequests]: true,
  })
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  assert.equal(client['token_endpoint_auth_method'], 'none')
  assert.ok(await world.clients.findRegistered(client.client_id))
})
