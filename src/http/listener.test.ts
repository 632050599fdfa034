import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { requestBytes, Wire } from '../../test/support/wire.ts'
import { openListener } from './listener.ts'
import type { ServerResponse } from 'node:http'

const MINUTE = 60_000

async function open(idleGraceMs: number) {
  const listener = await openListener('127.0.0.1', 0, { idleGraceMs })
  const paths: (string | undefined)[] = []
  listener.answerWith((request, response) => {
    paths.push(request.url)
    response.end('OK')
  })
  return { listener, paths }
}

test('a request on an open connection is answered during a shutdown, and closes the connection', async () => {
  const { listener } = await open(MINUTE)
  // Accepted before the other one.
  using fresh = await Wire.open(listener.port)
  using kept = await Wire.open(listener.port)
  kept.send(requestBytes('GET', '/before'))
  assert.equal((await kept.answer()).headers['connection'], 'keep-alive')
  const stopped = listener[Symbol.asyncDispose]()
  await assert.rejects(Wire.open(listener.port), 'no new connection is accepted')
  for (const wire of [kept, fresh]) {
    wire.send(requestBytes('GET', '/after'))
    const { status, headers } = await wire.answer()
    assert.deepEqual([status, headers['connection']], [200, 'close'])
    await wire.closed()
  }
  await stopped
})

test('a connection whose response ends during a shutdown is idle only from then on', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { listener } = await open(MINUTE)
  const begun = Promise.withResolvers<ServerResponse>()
  listener.answerWith((request, response) => {
    if (request.url === '/after') response.end('OK')
    else {
      response.writeHead(200, { 'content-length': '2' }).flushHeaders()
      begun.resolve(response)
    }
  })
  using wire = await Wire.open(listener.port)
  wire.send(requestBytes('GET', '/before'))
  const response = await begun.promise
  const stopped = listener[Symbol.asyncDispose]()
  response.end('OK')
  assert.equal((await wire.answer()).headers['connection'], 'keep-alive')
  t.mock.timers.tick(MINUTE)
  wire.send(requestBytes('GET', '/after'))
  const { status, headers } = await wire.answer()
  assert.deepEqual([status, headers['connection']], [200, 'close'])
  await wire.closed()
  await stopped
})

test('a request that arrives after its connection was closed is not run', async () => {
  const { listener, paths } = await open(0)
  const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(requestBytes('GET', '/before'))
  await once(socket, 'data')
  const stopped = listener[Symbol.asyncDispose]()
  socket.resume()
  await once(socket, 'end')
  socket.on('error', () => {}) // a reset is possible
  socket.end(requestBytes('GET', '/after'))
  await stopped
  assert.deepEqual(paths, ['/before'])
})
