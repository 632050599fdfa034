import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { IncomingMessage, Server } from 'node:http'
import { test, type TestContext } from 'node:test'
import * as Type from '../base/type.ts'
import { exchange, requestBytes, Wire } from '../../test/support/wire.ts'
import { createLog } from '../base/log.ts'
import { RequestError } from '../base/request-error.ts'
import { NO_LIMITS } from './caller.ts'
import { empty, json } from './response.ts'
import { assemble, type HttpService } from './http-service.ts'
import { defineRoute, type Route } from './route.ts'
import { CREDENTIAL } from '../../test/fixtures/credential.ts'
import { openGate } from '../../test/support/gate.ts'
import { HUNG_MS } from '../../test/support/hung.ts'

const MEBIBYTE = 1024 * 1024
const WORLDWIDE = 'Grüße an 世界 🌍'

interface Asked {
  readonly signal: AbortSignal
  finish(): void
}

interface World extends AsyncDisposable {
  readonly http: HttpService
  readonly port: number
  /** Log lines of failures, as they are written. */
  readonly logged: string[]
  /** The next request to `/wait`, which responds on a signal. */
  asked(): Promise<Asked>
}

async function createWorld(publicUrl = 'http://weft.test'): Promise<World> {
  const logged: string[] = []
  const log = createLog('error', { write: (line) => void logged.push(line) })
  const waiting: Asked[] = []
  let arrived = Promise.withResolvers<void>()
  const ask = (asked: Asked) => {
    waiting.push(asked)
    arrived.resolve()
  }
  const http = assemble({
    ...openGate({ authenticate, publicUrl }),
    routes: inventedRoutes(ask),
    log,
  })
  const port = await http.listen('127.0.0.1', 0)
  return {
    http,
    port,
    logged,
    async asked() {
      await arrived.promise
      arrived = Promise.withResolvers<void>()
      const [first] = waiting.splice(0)
      assert.ok(first)
      return first
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

async function authenticate(authorization: string | undefined) {
  if (authorization !== 'Bearer ada') throw new RequestError('unauthorized', 'Who are you?')
  return {
    memberId: 1,
    username: 'ada',
    name: 'Ada',
    timeZone: 'UTC',
    credential: CREDENTIAL,
    limits: NO_LIMITS,
  }
}

function inventedRoutes(ask: (asked: Asked) => void): Route[] {
  const described = { summary: 'x', answers: {} }
  const name = Type.Object({ name: Type.String() })
  return [
    defineRoute({
      ...described,
      method: 'GET',
      path: '/plain/:name',
      operationId: 'plain',
      access: 'public',
      params: name,
      handle: async ({ params }) => json(params, 200, { etag: '"a"', vary: 'Accept' }),
    }),
    defineRoute({
      ...described,
      method: 'GET',
      path: '/bytes',
      operationId: 'bytes',
      access: 'public',
      handle: async () => ({
        status: 200,
        headers: {},
        body: WORLDWIDE,
      }),
    }),
    defineRoute({
      ...described,
      method: 'GET',
      path: '/wait',
      operationId: 'wait',
      access: 'public',
      handle: ({ signal }) =>
        new Promise((resolve) => ask({ signal, finish: () => resolve(json('waited')) })),
    }),
    defineRoute({
      ...described,
      method: 'POST',
      path: '/wait',
      operationId: 'waitWithBody',
      access: 'public',
      body: { kind: 'bytes', types: ['*/*'], maxBytes: MEBIBYTE },
      handle: ({ signal }) =>
        new Promise((resolve) => ask({ signal, finish: () => resolve(json('waited')) })),
    }),
    defineRoute({
      ...described,
      method: 'POST',
      path: '/stream',
      operationId: 'stream',
      access: 'bearer',
      body: { kind: 'stream', maxBytes: MEBIBYTE },
      async handle({ body }) {
        let bytes = 0
        for await (const chunk of body) bytes += chunk.byteLength
        return json({ bytes })
      },
    }),
    defineRoute({
      ...described,
      method: 'DELETE',
      path: '/stream',
      operationId: 'nothing',
      access: 'public',
      handle: async () => empty(202),
    }),
    defineRoute({
      ...described,
      method: 'GET',
      path: '/broken',
      operationId: 'broken',
      access: 'public',
      handle: () => Promise.reject(new Error('the password is 1234')),
    }),
    defineRoute({
      ...described,
      method: 'GET',
      path: '/badheader',
      operationId: 'badheader',
      access: 'public',
      handle: async () => json('x', 200, { link: 'a\nb☃' }),
    }),
  ]
}

const ADA = { authorization: 'Bearer ada' }

test('localhost binds both loopback addresses on one port and fails if another program uses it', async () => {
  const deps = { ...openGate(), routes: inventedRoutes(() => {}), log: createLog('silent') }
  await using http = assemble(deps)
  const port = await http.listen('localhost', 0)
  for (const host of HAS_IPV6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']) {
    const { status } = await fetch(`http://${host}:${port}/plain/a`)
    assert.equal(status, 200, host)
  }
  if (!HAS_IPV6) return
  const other = createServer().listen(0, '::1')
  await once(other, 'listening')
  const { port: taken } = other.address() as AddressInfo
  await using second = assemble(deps)
  await assert.rejects(second.listen('localhost', taken), { code: 'EADDRINUSE' })
  other.close()
})

const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

test('with https, every response has Strict-Transport-Security (RFC 6797)', async () => {
  const requests = [
    requestBytes('GET', '/plain/a'),
    requestBytes('GET', '/nothing'),
    requestBytes('OPTIONS', '/stream'),
    requestBytes('PATCH', '/stream'),
    requestBytes('POST', '/%'),
    'no request of HTTP\r\n\r\n',
  ]
  await using secure = await createWorld('https://weft.test')
  await using plain = await createWorld()
  for (const bytes of requests) {
    const { headers } = await exchange(secure.port, bytes)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', bytes)
    const other = await exchange(plain.port, bytes)
    assert.equal(other.headers['strict-transport-security'], undefined, bytes)
  }
})

test('an internal failure is a 500 with a request ID and no details, which are in the log', async () => {
  await using world = await createWorld()
  for (const path of ['/broken', '/badheader']) {
    const { status, headers, body } = await exchange(world.port, requestBytes('GET', path))
    assert.equal(status, 500)
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
    assert.doesNotMatch(body, /password|snow|invalid/i)
    const { request_id } = JSON.parse(body) as { request_id: string }
    assert.equal(headers['x-request-id'], request_id)
    assert.match(world.logged.at(-1) ?? '', new RegExp(request_id))
  }
})

test('content given as UTF-8 bytes is sent as the same text, with its length and ETag', async () => {
  await using world = await createWorld()
  const response = await fetch(`http://127.0.0.1:${world.port}/bytes`)
  assert.equal(await response.text(), WORLDWIDE)
  const { headers } = response
  assert.equal(headers.get('content-length'), String(Buffer.byteLength(WORLDWIDE)))
  const etag = hash('sha256', WORLDWIDE, 'base64url').slice(0, 27)
  assert.equal(headers.get('etag'), `"${etag}"`)
})

test('an empty response has the content length 0, and a 204 has none', async () => {
  await using world = await createWorld()
  const accepted = await exchange(world.port, requestBytes('DELETE', '/stream'))
  assert.deepEqual([accepted.status, accepted.headers['content-length']], [202, '0'])
  const options = await exchange(world.port, requestBytes('OPTIONS', '/stream'))
  assert.equal(options.status, 204)
  assert.equal(options.headers['allow'], 'POST, DELETE, OPTIONS')
  assert.equal(options.headers['content-length'], undefined)
  assert.equal(options.headers['transfer-encoding'], undefined)
})

test('a body is read only after authentication, and 100 Continue is sent only then', async () => {
  await using world = await createWorld()
  using refused = await Wire.open(world.port)
  const expecting = { expect: '100-continue', 'content-length': String(MEBIBYTE) }
  refused.send(requestBytes('POST', '/stream', expecting))
  const unknown = await refused.answer()
  assert.deepEqual([unknown.status, unknown.headers['connection']], [401, 'close'])

  using tooLong = await Wire.open(world.port)
  const long = { ...ADA, expect: '100-continue', 'content-length': String(MEBIBYTE + 1) }
  tooLong.send(requestBytes('POST', '/stream', long))
  assert.equal((await tooLong.answer()).status, 413)

  using asked = await Wire.open(world.port)
  asked.send(requestBytes('POST', '/stream', { ...ADA, ...expecting }))
  assert.equal((await asked.answer()).status, 100)
  asked.send(Buffer.alloc(MEBIBYTE))
  assert.deepEqual(JSON.parse((await asked.answer()).body), { bytes: MEBIBYTE })
  asked.send(requestBytes('GET', '/plain/again'))
  assert.equal((await asked.answer()).status, 200, 'the connection stays open')
})

test('an unsupported expectation is a 417', async () => {
  await using world = await createWorld()
  const answer = await exchange(world.port, requestBytes('GET', '/plain/a', { expect: 'miracles' }))
  assert.equal(answer.status, 417)
})

test('a client that keeps sending after an error reads the response, then is disconnected', async () => {
  await using world = await createWorld()
  const chunk = `${MEBIBYTE.toString(16)}\r\n${'a'.repeat(MEBIBYTE)}\r\n`
  const senders: readonly [number, Record<string, string>, string][] = [
    [401, { 'content-length': String(8 * MEBIBYTE) }, 'a'.repeat(8 * MEBIBYTE)],
    [413, { ...ADA, 'content-length': String(8 * MEBIBYTE) }, 'a'.repeat(8 * MEBIBYTE)],
    [413, { ...ADA, 'transfer-encoding': 'chunked' }, `${chunk.repeat(8)}0\r\n\r\n`],
  ]
  for (const [status, headers, body] of senders) {
    using wire = await Wire.open(world.port)
    wire.send(requestBytes('POST', '/stream', headers))
    wire.send(body)
    const answer = await wire.answer()
    assert.deepEqual([answer.status, answer.headers['connection']], [status, 'close'])
    assert.equal((JSON.parse(answer.body) as { status: number }).status, status)
    await wire.closed()
  }
})

test('an error for a complete request keeps the connection open', async () => {
  await using world = await createWorld()
  using wire = await Wire.open(world.port)
  wire.send(requestBytes('POST', '/stream', {}, 'hello'))
  assert.equal((await wire.answer()).status, 401)
  wire.send(requestBytes('GET', '/plain/a', {}, 'a body that GET has no use for'))
  assert.equal((await wire.answer()).status, 200)
  wire.send(requestBytes('POST', '/stream', ADA, 'hello'))
  assert.equal((await wire.answer()).body, '{"bytes":5}')
})

test('pipelined requests are answered in order', async () => {
  await using world = await createWorld()
  using wire = await Wire.open(world.port)
  const paths = ['/plain/a', '/plain/b?long', '/nowhere', '/plain/c']
  wire.send(paths.map((path) => requestBytes('GET', path)).join(''))
  const statuses = []
  for (const _ of paths) statuses.push((await wire.answer()).status)
  assert.deepEqual(statuses, [200, 200, 404, 200])
})

test('the signal fires only when the client disconnects, with or without a body', async () => {
  await using world = await createWorld()
  for (const [method, body] of [['GET', ''] as const, ['POST', 'hello'] as const]) {
    using wire = await Wire.open(world.port)
    wire.send(requestBytes(method, '/wait', {}, body))
    const stays = await world.asked()
    assert.equal(stays.signal.aborted, false)
    stays.finish()
    assert.equal((await wire.answer()).body, '"waited"')
    wire.send(requestBytes(method, '/wait', {}, body))
    const leaves = await world.asked()
    const left = once(leaves.signal, 'abort', { signal: AbortSignal.timeout(HUNG_MS) })
    wire.socket.destroy()
    await left
    leaves.finish()
    assert.equal(stays.signal.aborted, false)
  }
})

test('the signal has fired for a client that disconnected while it was authenticated', async () => {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const seen = Promise.withResolvers<boolean>()
  const route = defineRoute({
    method: 'GET',
    path: '/own',
    operationId: 'own',
    summary: 'Own',
    access: 'bearer',
    answers: { 204: { description: 'Done' } },
    async handle({ signal }) {
      seen.resolve(signal.aborted)
      return empty(204)
    },
  })
  const gate = openGate({
    async authenticate(authorization) {
      asked.resolve()
      await left.promise
      return authenticate(authorization)
    },
  })
  await using http = assemble({ ...gate, routes: [route], log: createLog('silent') })
  const port = await http.listen('127.0.0.1', 0)
  using wire = await Wire.open(port)
  const { request } = await requestStart(port, () => wire.send(requestBytes('GET', '/own', ADA)))
  const closed = once(request.socket, 'close')
  await asked.promise
  wire.socket.destroy()
  await closed
  left.resolve()
  assert.equal(await seen.promise, true)
})

test('a client that half-closes the connection still gets the response', async () => {
  await using world = await createWorld()
  using wire = await Wire.open(world.port)
  wire.socket.end(requestBytes('GET', '/wait'))
  const asked = await world.asked()
  asked.finish()
  assert.equal((await wire.answer()).body, '"waited"')
  assert.equal(asked.signal.aborted, false)
})

test('a client that disconnects in the middle of a body is not logged as a failure', async (t) => {
  await using world = await createWorld()
  failOnUnhandled(t)
  for (const path of ['/stream', '/wait']) {
    using wire = await Wire.open(world.port)
    const ended = requestEnd(world.port)
    wire.send(requestBytes('POST', path, { ...ADA, 'content-length': '1000' }, 'half'))
    const { closed } = await ended
    wire.socket.destroy()
    await closed
  }
  assert.equal((await exchange(world.port, requestBytes('GET', '/plain/a'))).status, 200)
  assert.deepEqual(world.logged, [])
})

test('a graceful shutdown completes requests in progress and closes idle connections', async () => {
  const world = await createWorld()
  using idle = await Wire.open(world.port)
  idle.send(requestBytes('GET', '/plain/a'))
  assert.equal((await idle.answer()).headers['connection'], 'keep-alive')
  using fresh = await Wire.open(world.port)
  using busy = await Wire.open(world.port)
  busy.send(requestBytes('GET', '/wait'))
  const asked = await world.asked()
  const stopped = world.http[Symbol.asyncDispose]()
  await idle.closed()
  await fresh.closed()
  await assert.rejects(Wire.open(world.port), 'no new connection is taken')
  asked.finish()
  const answer = await busy.answer()
  assert.deepEqual([answer.status, answer.headers['connection']], [200, 'close'])
  await busy.closed()
  await stopped
})

test('stopping twice or before the start has no effect', async () => {
  const world = await createWorld()
  await Promise.all([world.http[Symbol.asyncDispose](), world.http[Symbol.asyncDispose]()])
  const log = createLog('silent')
  await assemble({ ...openGate({ authenticate }), routes: [], log })[Symbol.asyncDispose]()
})

test('a port in use is reported at start', async () => {
  await using world = await createWorld()
  const other = assemble({ ...openGate({ authenticate }), routes: [], log: createLog('silent') })
  await assert.rejects(other.listen('127.0.0.1', world.port), { code: 'EADDRINUSE' })
  await other[Symbol.asyncDispose]()
})

test('slow senders are limited', async () => {
  await using world = await createWorld()
  const { server } = await requestStart(world.port, () =>
    exchange(world.port, requestBytes('GET', '/plain/a')),
  )
  assert.ok(server.headersTimeout > 0 && server.headersTimeout <= 30_000)
  assert.ok(server.keepAliveTimeout > 0)
})

test('later routes are loaded in groups, each with the first request that needs it', async () => {
  const route = (path: string) =>
    defineRoute({
      method: 'GET',
      path,
      operationId: path.slice(1),
      summary: 'x',
      answers: {},
      access: 'public',
      handle: async () => json({ path }),
    })
  const loaded: string[] = []
  const group = (name: string) => async () => {
    loaded.push(name)
    if (loaded.length === 2) throw new Error('the disk has failed')
    return [route(name)]
  }
  await using http = assemble({
    ...openGate(),
    routes: [route('/first')],
    laterRoutes: [group('/second'), group('/third')],
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status))
  assert.deepEqual(await statuses('/first'), [200])
  assert.deepEqual(loaded, [])
  assert.deepEqual(await statuses('/second'), [200])
  assert.deepEqual(loaded, ['/second'])
  assert.deepEqual(await statuses('/third'), [500])
  assert.deepEqual(await statuses('/third', '/other', '/third'), [200, 404, 200])
})

test('a path and method can have only one route', () => {
  const [route] = inventedRoutes(() => {})
  assert.ok(route)
  assert.throws(
    () =>
      assemble({ ...openGate({ authenticate }), routes: [route, route], log: createLog('silent') }),
    /two routes answer GET \/plain\/:name/,
  )
})

interface Started {
  readonly server: Server
  readonly request: IncomingMessage
}

/** The request that `work` sends to this server, as node:http sees it. */
async function requestStart(port: number, work: () => unknown): Promise<Started> {
  const { promise, resolve } = Promise.withResolvers<Started>()
  const listen = (message: unknown) => {
    const started = message as Started
    const address = started.server.address()
    if (typeof address === 'object' && address?.port === port) resolve(started)
  }
  diagnostics.subscribe('http.server.request.start', listen)
  try {
    await work()
    return await promise
  } finally {
    diagnostics.unsubscribe('http.server.request.start', listen)
  }
}

/** Resolves once a request has begun; `closed` once the server has seen it end. */
async function requestEnd(port: number): Promise<{ closed: Promise<unknown> }> {
  const { request } = await requestStart(port, () => {})
  const closed = Promise.withResolvers<void>()
  request.once('close', () => closed.resolve())
  return { closed: closed.promise }
}

function failOnUnhandled(t: TestContext): void {
  const fail = (error: unknown) => assert.fail(`unhandled: ${String(error)}`)
  process.on('unhandledRejection', fail)
  t.after(() => process.off('unhandledRejection', fail))
}
