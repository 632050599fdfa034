/** Diagnosis of failed connections: a real client behind a proxy that injects one fault at a time. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import {
  authorizeParameters,
  oauthClient,
  memberBrowser,
  newPkce,
  queryOf,
  REDIRECT_URI,
  type MemberBrowser,
} from './support/oauth.ts'
import { MODERN_META } from './fixtures/mcp-exchange.ts'
import { startTestService, type TestServiceOptions } from './support/service.ts'
import { openSignedIn } from './support/visitor.ts'
import { until } from './support/until.ts'
import { HOUR, MINUTE } from '../src/base/clock.ts'
import { RequestError } from '../src/base/request-error.ts'
import { listAttempts } from '../src/oauth/attempts/attempt-store.ts'
import { changeRole } from '../src/members/admin-role.ts'

interface Forwarded {
  method: string
  path: string
  readonly headers: Record<string, string>
}

/** Changes a request, or responds instead of the service by ending the response. */
type Fault = (forwarded: Forwarded, response: ServerResponse) => void

const AGENT = 'agent/1.0'
/** Where a member sees their own attempts. */
const ATTEMPTS_PATH = '/user/integrations/mcp'
/** Tells the proxy to hold back the response. */
const BUFFERED = 'x-test-buffered'

/** A proxy in front of the service, at the public URL unless `publicUrl` says otherwise. */
async function createWorld({
  fault = () => {},
  ...options
}: TestServiceOptions & { fault?: Fault } = {}) {
  let target = 0
  const proxy = createServer((incoming, outgoing) => forward(incoming, outgoing, target, fault))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const service = await startTestService({
    publicUrl: url,
    trustedProxies: ['127.0.0.1'],
    jobConcurrency: 0,
    ...options,
  })
  target = service.port
  const people = { ...service, url }
  const ada = await memberBrowser(people, { username: 'ada', name: 'Ada Lovelace' })
  return {
    ...service,
    url,
    ada,
    /** The only attempt on the member's page. */
    async diagnosis(browser: MemberBrowser = ada): Promise<string> {
      const page = await browser.get(ATTEMPTS_PATH)
      const [, section = ''] = page.text.split('Connection attempts ')
      return section.split(' API tokens ')[0] ?? ''
    },
    /** What an admin sees of attempts without a member. */
    async adminView(): Promise<string> {
      await service.database.write((tx) => changeRole(tx, ada.member.memberId, 'admin'))
      const admin = await openSignedIn(people, ada.member)
      return (await admin.get('/admin/attempts')).text
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  fault: Fault,
): void {
  const headers = { ...(incoming.headers as Record<string, string>) }
  const forwarded = { method: incoming.method ?? '', path: incoming.url ?? '', headers }
  // Requests of browsers are not changed, so that a fault affects only the client.
  if (headers['user-agent'] === AGENT) fault(forwarded, outgoing)
  if (outgoing.writableEnded) return
  const { method, path } = forwarded
  const onward = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    // A proxy that buffers sends nothing before the end, which an event stream does not reach.
    if (headers[BUFFERED] === undefined) answer.pipe(outgoing)
    else {
      outgoing.flushHeaders()
      answer.resume().on('end', () => outgoing.end())
    }
  })
  onward.on('error', () => outgoing.destroy())
  outgoing.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

interface Attempted {
  /** The step at which the client itself stopped, for example because metadata did not match. */
  readonly stoppedAt: string | undefined
  readonly status?: number
}

interface ClientOptions {
  /** The URL that the person entered. */
  readonly address?: string
  readonly clientId?: string
  readonly redirectUri?: string
  readonly decision?: 'allow' | 'deny'
  /** Runs between the consent and the token request. */
  readonly beforeToken?: () => void
  /** Replaces the first call. */
  readonly call?: (token: string, clientId: string, refreshToken: string) => Promise<number>
}

/** A small MCP client: discovers, registers, sends the member to consent, and calls a tool. */
async function connect({ url, ada }: World, options: ClientOptions = {}): Promise<Attempted> {
  const address = options.address ?? `${url}/mcp`
  const headers = {
    'user-agent': AGENT,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const first = await fetch(address, { method: 'POST', headers, body })
  const challenge = first.headers.get('www-authenticate') ?? ''
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
  if (first.status !== 401 || metadataUrl === undefined) return { stoppedAt: 'challenge' }
  const resource = await readJson(metadataUrl)
  // RFC 9728 section 3.3: the resource must be the URL that the client used.
  if (resource?.['resource'] !== address) return { stoppedAt: 'resource_metadata' }
  const issuer = String((resource['authorization_servers'] as string[])[0])
  const server = await readJson(`${issuer}/.well-known/oauth-authorization-server`)
  if (server?.['issuer'] !== issuer) return { stoppedAt: 'server_metadata' }
  const client = oauthClient({ url })
  const agent = { 'user-agent': AGENT }
  let { clientId } = options
  if (clientId === undefined) {
    const metadata = JSON.stringify({ redirect_uris: [REDIRECT_URI], client_name: 'Test agent' })
    const json = { ...agent, 'content-type': 'application/json' }
    const registered = await client.post('/oauth/register', metadata, json)
    if (registered.status !== 201) return { stoppedAt: 'registration' }
    clientId = String(registered.body['client_id'])
  }
  const pkce = newPkce()
  const redirect = { redirect_uri: options.redirectUri ?? REDIRECT_URI }
  let code: string | undefined
  try {
    code = await ada.allow(clientId, pkce, redirect)
  } catch {
    return { stoppedAt: 'authorize' }
  }
  options.beforeToken?.()
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: pkce.verifier,
    ...redirect,
  })
  const exchanged = await client.post('/oauth/token', form, agent)
  if (exchanged.status !== 200) return { stoppedAt: 'token', status: exchanged.status }
  const { access_token: token, refresh_token: refreshToken } = exchanged.body
  const call = options.call ?? ((one) => callTool(url, one))
  return { stoppedAt: undefined, status: await call(String(token), clientId, String(refreshToken)) }
}

async function readJson(address: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(address, { headers: { 'user-agent': AGENT } })
    return (await response.json()) as Record<string, unknown>
  } catch {
    return undefined
  }
}

async function callTool(url: string, token: string, message: object = whoami()): Promise<number> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'user-agent': AGENT,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  })
  await response.arrayBuffer()
  return response.status
}

function whoami(more: object = {}) {
  const params = { name: 'whoami', arguments: {}, ...more }
  return { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
}

test('a connection without faults is shown with all its steps', async () => {
  await using world = await createWorld()
  assert.deepEqual(await connect(world), { stoppedAt: undefined, status: 200 })
  const shown = await world.diagnosis()
  assert.match(shown, /^Test agent connected client\.example/)
  assert.equal(shown.match(/: done/g)?.length, 8, shown)
})

test('a client that registers again before using its token starts a new attempt', async () => {
  await using world = await createWorld()
  await connect(world, { call: async () => 0 })
  const metadata = JSON.stringify({ redirect_uris: [REDIRECT_URI], client_name: 'Second try' })
  const client = oauthClient(world)
  const headers = { 'user-agent': AGENT, 'content-type': 'application/json' }
  const { body } = await client.post('/oauth/register', metadata, headers)
  const parameters = authorizeParameters(String(body['client_id']), newPkce())
  await world.ada.get(`/oauth/authorize?${queryOf(parameters)}`)
  const [second = ''] = /Second try.*?First call/.exec(await world.diagnosis()) ?? []
  assert.match(second, /metadata: done Registration: done Authorization page: done/)
  assert.match(second, /Your approval: not seen Token: not seen/)
})

test('fault 1: a proxy that removes the Authorization header', async () => {
  await using world = await createWorld({
    fault: ({ headers }) => void delete headers['authorization'],
  })
  assert.equal((await connect(world)).status, 401)
  assert.match(
    await world.diagnosis(),
    /Test agent failed .*First call with the token: .*removes the Authorization header/,
  )
})

test('fault 2: a proxy whose redirect turns a POST into a GET', async () => {
  let isOn = false
  await using world = await createWorld({
    fault(forwarded) {
      if (!isOn || forwarded.path !== '/mcp') return
      // What arrives after a 301 that the client follows with GET.
      forwarded.method = 'GET'
      delete forwarded.headers['content-length']
      delete forwarded.headers['authorization']
    },
  })
  await connect(world, { beforeToken: () => (isOn = true) })
  assert.match(await world.diagnosis(), /failed .*A POST arrived as a GET/)
})

test('fault 3: a proxy that rewrites the Host header', async () => {
  await using world = await createWorld({
    fault({ headers }) {
      headers['x-forwarded-host'] = headers['host'] ?? ''
      headers['host'] = 'backend.internal:8787'
    },
  })
  const { stoppedAt, status } = await connect(world)
  assert.deepEqual([stoppedAt, status], [undefined, 403])
  assert.match(await world.diagnosis(), /First call with the token: .*replaces the Host header/)
})

test('fault 4: a wrong public URL', async () => {
  await using world = await createWorld({
    publicUrl: 'http://127.0.0.1:1',
    fault: ({ headers }) => void (headers['host'] = 'weft.example.org'),
  })
  // The metadata URL leads nowhere, so the client stops.
  assert.equal((await connect(world)).stoppedAt, 'resource_metadata')
  world.clock.advance(2 * MINUTE)
  assert.match(await world.adminView(), /Resource metadata: The app uses a different host name/)
})

test('fault 5: TLS ends at the proxy, and the public URL starts with http', async () => {
  await using world = await createWorld({
    fault: ({ headers }) => void (headers['x-forwarded-proto'] = 'https'),
  })
  const secure = `${world.url.replace('http:', 'https:')}/mcp`
  // The client used https, so the resource does not match.
  const first = await fetch(secure.replace('https:', 'http:'), {
    method: 'POST',
    headers: { 'user-agent': AGENT },
  })
  const url = /resource_metadata="([^"]+)"/.exec(first.headers.get('www-authenticate') ?? '')?.[1]
  assert.notEqual((await readJson(url ?? ''))?.['resource'], secure)
  world.clock.advance(2 * MINUTE)
  assert.match(await world.adminView(), /Server metadata: .*public URL of Weft starts with http/)
})

test('fault 6: a path prefix, with and without a proxy that removes it', async () => {
  await using world = await createWorld({
    fault(forwarded) {
      if (!forwarded.path.startsWith('/stripped/')) return
      forwarded.path = forwarded.path.slice('/stripped'.length)
      forwarded.headers['x-forwarded-prefix'] = '/stripped'
    },
  })
  assert.equal((await connect(world, { address: `${world.url}/weft/mcp` })).stoppedAt, 'challenge')
  assert.match(await world.adminView(), /a path in front of \/mcp/)
  world.clock.advance(HOUR)
  const stripped = await connect(world, { address: `${world.url}/stripped/mcp` })
  assert.equal(stripped.stoppedAt, 'resource_metadata')
  world.clock.advance(2 * MINUTE)
  assert.match(await world.adminView(), /Server metadata: .*a path in front of \/mcp/)
})

test('fault 7: a bot filter in front of the metadata, and in front of the token endpoint', async () => {
  let blocked = '/.well-known/'
  await using world = await createWorld({
    fault({ path }, response) {
      if (!path.startsWith(blocked)) return
      response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Are you human?</h1>')
    },
  })
  assert.equal((await connect(world)).stoppedAt, 'resource_metadata')
  world.clock.advance(2 * MINUTE)
  assert.match(await world.adminView(), /Resource metadata: .*A bot filter/)
  blocked = '/oauth/token'
  assert.deepEqual(await connect(world), { stoppedAt: 'token', status: 403 })
  assert.match(await world.diagnosis(), /in progress/)
  world.clock.advance(2 * MINUTE)
  assert.match(await world.diagnosis(), /failed .*Token: You approved, .*bot filter/)
})

test('fault 8: a proxy that buffers an event stream until the client gives up', async () => {
  await using world = await createWorld({
    fault: ({ path, headers }) => {
      const isCall = path === '/mcp' && headers['authorization'] !== undefined
      if (isCall) headers[BUFFERED] = 'yes'
    },
  })
  const method = 'subscriptions/listen'
  const listen = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { notifications: { toolsListChanged: true }, _meta: MODERN_META },
  }
  await connect(world, {
    async call(token) {
      const giveUp = new AbortController()
      const response = await fetch(`${world.url}/mcp`, {
        method: 'POST',
        headers: {
          'user-agent': AGENT,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
        },
        body: JSON.stringify(listen),
        signal: giveUp.signal,
      })
      assert.equal(response.headers.get('content-type'), 'text/event-stream')
      giveUp.abort()
      return response.status
    },
  })
  // The service notices the disconnect a moment later.
  await until(async () => /event stream/.test(await world.diagnosis()))
  assert.match(await world.diagnosis(), /First call with the token: .*A proxy may buffer it/)
})

test('fault 9: a client document that can no longer be read, and an expired registration', async () => {
  const clientId = 'https://agent.example/client.json'
  const reason = 'The document of the app has expired.'
  const documents = { read: () => Promise.reject(new RequestError('invalid_request', reason)) }
  await using world = await createWorld({ documents })
  assert.equal((await connect(world, { clientId })).stoppedAt, 'authorize')
  assert.match(await world.diagnosis(), /Authorization page: The metadata document of the app/)
  world.clock.advance(MINUTE)
  assert.equal((await connect(world, { clientId: 'client_gone' })).stoppedAt, 'authorize')
  assert.match(
    await world.diagnosis(),
    /^Unknown app failed .*a registration that no longer exists/,
  )
})

test('fault 10: a redirect address that was not registered', async () => {
  await using world = await createWorld()
  const options = { redirectUri: 'https://client.example/other' }
  assert.equal((await connect(world, options)).stoppedAt, 'authorize')
  assert.match(
    await world.diagnosis(),
    /Authorization page: .*a redirect URI that it did not register/,
  )
})

test('fault 11: clock skew, of the client and between consent and token', async () => {
  await using world = await createWorld()
  // Its clock is two hours ahead, so each token looks expired.
  await connect(world, {
    async call(_token, clientId, refreshToken) {
      return (await oauthClient(world).refresh(clientId, refreshToken)).status
    },
  })
  assert.match(await world.diagnosis(), /First call with the token: .*Its clock is probably wrong/)
  const late = await connect(world, { beforeToken: () => world.clock.advance(2 * MINUTE) })
  assert.deepEqual(late, { stoppedAt: 'token', status: 400 })
  assert.match(await world.diagnosis(), /Token: The app sent the code too late/)
})

test('fault 12: limits on bodies, of Weft and of a proxy', async () => {
  let limit = Number.POSITIVE_INFINITY
  await using world = await createWorld({
    fault({ headers }, response) {
      if (Number(headers['content-length'] ?? 0) <= limit) return
      response.writeHead(413).end()
    },
  })
  const large = { arguments: { padding: 'x'.repeat(13 * 1024 * 1024) } }
  await connect(world, {
    call: (token) => callTool(world.url, token, whoami(large)).catch(() => 413),
  })
  assert.match(await world.diagnosis(), /First call with the token: The request was larger/)
  limit = 60
  assert.equal((await connect(world)).stoppedAt, 'registration')
  world.clock.advance(2 * MINUTE)
  assert.match(await world.adminView(), /Registration: .*body size limit/)
})

test('attempts are private: other members and admins do not see them', async () => {
  await using world = await createWorld()
  await connect(world)
  const grace = await memberBrowser(world, { username: 'grace', name: 'Grace Hopper' })
  assert.match((await world.ada.get(ATTEMPTS_PATH)).text, /Connection attempts Test agent/)
  const { text } = await grace.get(ATTEMPTS_PATH)
  assert.match(text, /API tokens/)
  assert.doesNotMatch(text, /Connection attempts|Test agent|client\.example/)
  assert.doesNotMatch(await world.adminView(), /Test agent/)
})

test('a stranger can neither fill the table nor change the attempt of a member', async () => {
  await using world = await createWorld()
  await connect(world)
  const before = await world.diagnosis()
  const client = oauthClient(world)
  const agent = { 'user-agent': AGENT, 'content-type': 'application/json' }
  for (let count = 0; count < 30; count += 1) {
    await client.post('/mcp', '{}', { ...agent, 'user-agent': `bot ${count}` })
    await client.post('/oauth/token', 'grant_type=authorization_code&code=x&client_id=y', {
      'user-agent': `bot ${count}`,
      'content-type': 'application/x-www-form-urlencoded',
    })
  }
  assert.equal(await world.diagnosis(), before)
  // A member's own list is bounded.
  for (let count = 0; count < 25; count += 1)
    await world.ada.get(`/oauth/authorize?client_id=unknown${count}`)
  const stored = await listAttempts(world.database.member(world.ada.member.memberId))
  assert.ok(stored.length <= 20)
})
