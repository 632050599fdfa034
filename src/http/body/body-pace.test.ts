/** Senders that stop or crawl are disconnected; slow and steady ones are not. On real sockets, with short limits. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import * as Type from '../../base/type.ts'
import { HUNG_MS } from '../../../test/support/hung.ts'
import { openGate } from '../../../test/support/gate.ts'
import { requestBytes, Wire } from '../../../test/support/wire.ts'
import { createLog } from '../../base/log.ts'
import { json } from '../response.ts'
import { assemble } from '../http-service.ts'
import { BODY_PACE, BodyWatch, paced } from './body-pace.ts'
import { defineRoute, type Route } from '../route.ts'
import type { Body } from './body-types.ts'
import type { ServerResponse } from 'node:http'

const PATIENCE = 300
const RATE = 100
const MOST = 1024 * 1024

const BODIES: Readonly<Record<string, Body>> = {
  '/json': { kind: 'json', schema: Type.Object({ a: Type.String() }), maxBytes: MOST },
  '/bytes': { kind: 'bytes', types: ['*/*'], maxBytes: MOST },
  '/form': { kind: 'form', maxBytes: MOST },
  '/file-form': { kind: 'file-form', maxBytes: MOST },
  '/stream': { kind: 'stream', maxBytes: MOST },
}

/** Returns the number of received bytes. */
function routeOf(path: string, body: Body): Route {
  return defineRoute({
    method: 'POST',
    path,
    operationId: path.slice(1),
    summary: 'Takes a body',
    access: 'public',
    body,
    answers: { 200: { description: 'Taken' } },
    async handle({ body: sent }) {
      let bytes = 0
      if (body.kind === 'stream')
        for await (const piece of sent as AsyncIterable<Uint8Array>) bytes += piece.byteLength
      return json({ bytes })
    },
  })
}

async function serve() {
  const read = defineRoute({
    method: 'GET',
    path: '/read',
    operationId: 'read',
    summary: 'Takes no body',
    access: 'public',
    answers: { 200: { description: 'Yes' } },
    handle: () => Promise.resolve(json({})),
  })
  const http = assemble({
    ...openGate({ bodyPace: { timeoutMs: PATIENCE, bytesPerSecond: RATE } }),
    routes: [...Object.entries(BODIES).map(([path, body]) => routeOf(path, body)), read],
    log: createLog('silent'),
    headerTimeouts: { headersTimeout: 200, connectionsCheckingInterval: 50 },
  })
  const port = await http.listen('127.0.0.1', 0)
  return { port, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() }
}

const TYPES: Readonly<Record<string, string>> = {
  '/json': 'application/json',
  '/form': 'application/x-www-form-urlencoded',
  '/file-form': 'multipart/form-data; boundary=b',
}

function headOf(path: string, framing: Readonly<Record<string, string>>): string {
  return requestBytes('POST', path, { 'content-type': TYPES[path] ?? 'text/plain', ...framing })
}

test('a sender that stops in the middle of a body gets a 408 and is disconnected', async () => {
  await using service = await serve()
  const chunked = { 'transfer-encoding': 'chunked' }
  const cases = Object.keys(BODIES).flatMap((path) => [
    headOf(path, { 'content-length': '100' }),
    `${headOf(path, { 'content-length': '100' })}{"a":`,
    `${headOf(path, { 'content-length': '100000' })}{"a":`,
    `${headOf(path, chunked)}5\r\n{"a":\r\n`,
  ])
  await Promise.all(
    cases.map(async (bytes) => {
      using wire = await Wire.open(service.port)
      wire.send(bytes)
      const answer = await wire.answer()
      assert.equal(answer.status, 408, bytes)
      assert.equal(answer.headers['connection'], 'close')
      assert.match(answer.body, /"code":"request_timeout"/)
      wire.socket.resume()
      await wire.closed()
    }),
  )
})

test('a sender below the minimum rate is disconnected, however often it sends a byte', async () => {
  await using service = await serve()
  using wire = await Wire.open(service.port)
  wire.send(headOf('/bytes', { 'content-length': '1000' }))
  const crawl = setInterval(() => wire.send('x'), PATIENCE / 5)
  const answer = await wire.answer().finally(() => clearInterval(crawl))
  assert.equal(answer.status, 408)
})

/** Reads a body whose chunks arrive after pauses by a virtual clock. Returns the number of bytes. */
async function readPaced(
  t: TestContext,
  { pauses, work = 0 }: { readonly pauses: readonly number[]; readonly work?: number },
): Promise<number> {
  let now = 0
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  const pass = (milliseconds: number) => {
    now += milliseconds
    t.mock.timers.tick(milliseconds)
  }
  async function* sent() {
    for (const pause of pauses) {
      // The watch waits for the chunk when it is asked for.
      await new Promise((resolve) => setImmediate(resolve))
      pass(pause)
      yield Buffer.alloc(RATE)
    }
  }
  const watch = new BodyWatch({ timeoutMs: PATIENCE, bytesPerSecond: RATE }, {
    shouldKeepAlive: true,
  } as ServerResponse)
  let bytes = 0
  for await (const piece of paced(sent(), watch)) {
    bytes += piece.byteLength
    pass(work)
  }
  return bytes
}

test('a slow and steady sender is served for longer than the pause limit', async (t) => {
  const pauses = Array<number>(20).fill(PATIENCE - 1)
  assert.equal(await readPaced(t, { pauses }), 20 * RATE)
})

test('a sender that pauses for longer than the limit is not served', async (t) => {
  await assert.rejects(readPaced(t, { pauses: [10, PATIENCE + 1] }), { code: 'request_timeout' })
})

test('a sender is not blamed for the time that the service takes', async (t) => {
  const pauses = Array<number>(5).fill(PATIENCE / 3)
  assert.equal(await readPaced(t, { pauses, work: 10 * PATIENCE }), 5 * RATE)
})

test('a connection whose headers do not arrive is closed', async () => {
  await using service = await serve()
  for (const bytes of ['', 'GET /read HTTP/1.1\r\nhost: a\r\n']) {
    using wire = await Wire.open(service.port)
    if (bytes !== '') wire.send(bytes)
    assert.equal((await wire.answer()).status, 408, bytes)
    await wire.closed()
  }
})

test('a connection whose answered request never sends its small body is closed', async () => {
  await using service = await serve()
  using wire = await Wire.open(service.port)
  wire.send(requestBytes('GET', '/read', { 'content-length': '10' }, 'abc'))
  assert.equal((await wire.answer()).status, 200)
  await once(wire.socket, 'close', { signal: AbortSignal.timeout(HUNG_MS) })
})

test('the default limits are 30 seconds of silence and 500 bytes per second', () => {
  assert.deepEqual(BODY_PACE, { timeoutMs: 30_000, bytesPerSecond: 500 })
})
