/** Streamed responses, over a real connection. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { openGate } from '../../test/support/gate.ts'
import { exchange, requestBytes, Wire } from '../../test/support/wire.ts'
import { HOUR } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { eventStream, type TextStream } from './response.ts'
import { assemble, type HttpService } from './http-service.ts'
import { defineRoute } from './route.ts'
import { limitStall } from './connection/reader-stall.ts'
import { sendStream } from './send-stream.ts'
import { HUNG_MS } from '../../test/support/hung.ts'

test('events arrive as they are sent, with the headers of an event stream', async () => {
  await using world = await createWorld()
  const answer = await fetch(world.url)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  assert.equal(answer.headers.get('content-length'), null)
  assert.ok(answer.headers.get('x-request-id'))
  const reader = textOf(answer)
  for (const piece of ['data: 1\n\n', 'data: größer\n\n']) {
    world.channel.push(piece)
    assert.equal(await reader.next(), piece)
  }
  world.channel.end()
  assert.equal(await reader.next(), undefined)
})

test('HEAD gets the headers, and the stream is not read', async () => {
  await using world = await createWorld()
  world.channel.push('never sent')
  const answer = await exchange(world.port, requestBytes('HEAD', '/events'))
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/event-stream'])
  assert.equal(world.channel.left, true)
})

test('a client that disconnects ends the stream, even a silent one', async () => {
  await using world = await createWorld()
  const leaving = new AbortController()
  await fetch(world.url, { signal: leaving.signal })
  assert.equal(world.channel.left, false)
  leaving.abort()
  await once(world.channel.events, 'left', { signal: AbortSignal.timeout(HUNG_MS) })
})

test('a client that does not read applies backpressure', async () => {
  await using world = await createWorld()
  using wire = await Wire.open(world.port)
  wire.socket.pause()
  const piece = 'x'.repeat(1024 * 1024)
  for (let n = 0; n < 64; n++) world.channel.push(piece)
  wire.send(requestBytes('GET', '/events'))
  await once(world.channel.events, 'taken', { signal: AbortSignal.timeout(HUNG_MS) })
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(world.channel.waiting > 0, 'the stream was not read to its end')
  wire.socket.destroy()
  await once(world.channel.events, 'left', { signal: AbortSignal.timeout(HUNG_MS) })
})

test('a client that stops reading a stream is disconnected', async () => {
  const channel = new Channel()
  for (let n = 0; n < 64; n++) channel.push('x'.repeat(1024 * 1024))
  await using server = await serve((request, response) => {
    response.writeHead(200)
    const { signal } = new AbortController()
    void sendStream(request, response, channel, signal, { stallAfter: 1 })
  })
  using wire = await Wire.open(server.port)
  wire.socket.pause()
  wire.send(requestBytes('GET', '/'))
  await once(channel.events, 'left', { signal: AbortSignal.timeout(HUNG_MS) })
  assert.ok(channel.waiting > 0)
})

test('a client that stops reading a response is disconnected, one that reads it can send another request', async () => {
  const closed = Promise.withResolvers<boolean>()
  const bodies = { stalled: 'x'.repeat(32 * 1024 * 1024), read: 'x'.repeat(4 * 1024 * 1024) }
  await using server = await serve((request, response) => {
    const isStalled = request.url === '/stalled'
    response.end(isStalled ? bodies.stalled : bodies.read)
    limitStall(response, isStalled ? 1 : HOUR)
    if (isStalled) response.once('close', () => closed.resolve(response.writableFinished))
  })
  using stalled = await Wire.open(server.port)
  stalled.socket.pause()
  stalled.send(requestBytes('GET', '/stalled'))
  assert.equal(await closed.promise, false)
  using reading = await Wire.open(server.port)
  for (let request = 0; request < 2; request += 1) {
    reading.send(requestBytes('GET', '/'))
    assert.equal((await reading.answer()).body.length, bodies.read.length)
    assert.ok(server.timeouts().every((timeout) => timeout !== HOUR))
  }
})

test('a failing stream is cut off instead of ended, and the reason is logged', async () => {
  await using world = await createWorld()
  const answer = await fetch(world.url)
  const reader = textOf(answer)
  world.channel.push('data: 1\n\n')
  assert.equal(await reader.next(), 'data: 1\n\n')
  world.channel.fail(new Error('the source dried up'))
  await assert.rejects(reader.next())
  assert.match(world.logged.join(''), /the source dried up/)
})

test('a graceful shutdown ends an open-ended stream with its final chunk', async () => {
  const world = await createWorld()
  using wire = await Wire.open(world.port)
  wire.send(requestBytes('GET', '/events'))
  await wire.answer()
  let heard = ''
  wire.socket.on('data', (bytes) => (heard += String(bytes)))
  world.channel.onStop = () => {
    world.channel.push('goodbye')
    world.channel.end()
  }
  const stopped = world.http[Symbol.asyncDispose]()
  // Before streams that do not end are cut off.
  await once(wire.socket, 'close', { signal: AbortSignal.timeout(HUNG_MS) })
  assert.equal(heard, '7\r\ngoodbye\r\n0\r\n\r\n')
  await stopped
})

test('a silent stream sends its keep-alive', async () => {
  const channel = new Channel()
  await using server = await serve((request, response) => {
    response.writeHead(200)
    const { signal } = new AbortController()
    void sendStream(request, response, channel, signal, { keepAliveAfter: 1 })
  })
  const reader = textOf(await fetch(`http://127.0.0.1:${server.port}`))
  assert.match((await reader.next()) ?? '', /^(:\n\n)+$/)
  channel.end()
})

/** A server without the service, for times that are shorter than the service's. */
async function serve(listener: RequestListener) {
  const sockets: Socket[] = []
  const server = createServer(listener).listen(0, '127.0.0.1')
  server.on('connection', (socket) => void sockets.push(socket))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    timeouts: () => sockets.map(({ timeout }) => timeout),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface World extends AsyncDisposable {
  readonly http: HttpService
  readonly port: number
  readonly url: string
  readonly channel: Channel
  readonly logged: string[]
}

/** A service with one path that streams what the test provides. */
async function createWorld(): Promise<World> {
  const logged: string[] = []
  const log = createLog('error', { write: (line) => void logged.push(line) })
  const channel = new Channel()
  const route = defineRoute({
    method: 'GET',
    path: '/events',
    operationId: 'events',
    summary: 'x',
    access: 'public',
    answers: {},
    handle: async () => eventStream(channel),
  })
  const http = assemble({ ...openGate(), routes: [route], log })
  const port = await http.listen('127.0.0.1', 0)
  return {
    http,
    port,
    url: `http://127.0.0.1:${port}/events`,
    channel,
    logged,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

/** A stream that the test writes to. */
class Channel implements TextStream {
  readonly keepAlive = ':\n\n'
  readonly events = new EventTarget()
  left = false
  onStop = () => this.end()
  readonly #pieces: string[] = []
  #ended = false
  #failure: Error | undefined
  #wake = () => {}

  get waiting(): number {
    return this.#pieces.length
  }

  push(piece: string): void {
    this.#pieces.push(piece)
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  fail(error: Error): void {
    this.#failure = error
    this.#wake()
  }

  stop(): void {
    this.onStop()
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () => this.#next(),
      return: async () => {
        this.left = true
        this.end()
        this.events.dispatchEvent(new Event('left'))
        return { done: true, value: undefined }
      },
    }
  }

  async #next(): Promise<IteratorResult<string>> {
    for (;;) {
      if (this.left) return { done: true, value: undefined }
      const piece = this.#pieces.shift()
      if (piece !== undefined) {
        this.events.dispatchEvent(new Event('taken'))
        return { done: false, value: piece }
      }
      if (this.#failure) throw this.#failure
      if (this.#ended) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/** Returns the next chunk of a response; undefined once it has ended. */
function textOf(answer: Response): { next(): Promise<string | undefined> } {
  assert.ok(answer.body)
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  return { next: async () => (await reader.read()).value }
}
