/** Large bodies are read one at a time per sender, so that no one can fill the memory with them. On real sockets. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CREDENTIAL } from '../../../test/fixtures/credential.ts'
import { openGate } from '../../../test/support/gate.ts'
import { until } from '../../../test/support/until.ts'
import { createLog } from '../../base/log.ts'
import { RequestError } from '../../base/request-error.ts'
import { NO_LIMITS, type Caller } from '../caller.ts'
import { LARGE_BODY_BYTES, LargeBodies } from './large-bodies.ts'
import { json } from '../response.ts'
import { defineRoute } from '../route.ts'
import { assemble } from '../http-service.ts'

const LARGE = LARGE_BODY_BYTES * 4
/** As many as wait, per sender. */
const QUEUE = 16

/** As many as are read at a time. */
const SLOW = Array.from({ length: 16 }, (_, nth) => `slow-${nth}`)

const MEMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  ['ada', 'bob', ...SLOW].map((username, index) => [username, index + 1]),
)
/** Milliseconds. */
const READING_TIME = 100

/** A service whose handler waits until `open`, and counts how many requests it has at a time. */
async function createWorld() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const started: string[] = []
  let [running, most] = [0, 0]
  const route = defineRoute({
    method: 'POST',
    path: '/take',
    operationId: 'take',
    summary: 'Takes a body',
    access: 'bearer',
    body: { kind: 'bytes', types: ['*/*'], maxBytes: LARGE },
    answers: { 200: { description: 'Taken' } },
    async handle({ body, caller }) {
      started.push(caller.username)
      running += 1
      most = Math.max(most, running)
      if (body.byteLength > LARGE_BODY_BYTES) await opened
      running -= 1
      return json({ bytes: body.byteLength })
    },
  })
  const authenticate = (authorization = '') => {
    const username = authorization.replace('Bearer ', '')
    const memberId = MEMBERS[username]
    return memberId === undefined
      ? Promise.reject(new RequestError('unauthorized', 'Unknown token.'))
      : Promise.resolve({ ...CALLER, memberId, username })
  }
  const http = assemble({
    ...openGate({ authenticate, largeBodies: new LargeBodies(READING_TIME) }),
    routes: [route],
    log: createLog('silent'),
  })
  const port = await http.listen('127.0.0.1', 0)
  const start = (by: string, bytes: number, chunked = false, sentBytes = bytes): Sent => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${by}`,
      'content-type': 'text/plain',
    }
    if (!chunked) headers['content-length'] = String(bytes)
    const sent = send({
      port,
      host: '127.0.0.1',
      path: '/take',
      method: 'POST',
      headers,
      agent: false,
    })
    sent.on('error', () => {})
    if (sentBytes < bytes) sent.write(Buffer.alloc(sentBytes, 'x'))
    else sent.end(Buffer.alloc(bytes, 'x'))
    const answered = once(sent, 'response').then(([response]) => {
      const { statusCode = 0 } = (response as IncomingMessage).resume()
      return statusCode
    })
    answered.catch(() => {})
    return { sent, answered }
  }
  return {
    start,
    open,
    started,
    most: () => most,
    async untilStarted(count: number) {
      while (started.length < count) await new Promise(setImmediate)
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}

interface Sent {
  readonly sent: ClientRequest
  readonly answered: Promise<number>
}

const CALLER = {
  name: 'Member',
  timeZone: 'UTC',
  credential: CREDENTIAL,
  limits: NO_LIMITS,
} as const satisfies Omit<Caller, 'memberId' | 'username'>

for (const chunked of [false, true])
  test(`large bodies of a member are handled one at a time, beside small ones and those of others: ${chunked ? 'chunked' : 'with a length'}`, async () => {
    await using world = await createWorld()
    const first = world.start('ada', LARGE, chunked)
    await world.untilStarted(1)
    const later = [1, 2, 3].map(() => world.start('ada', LARGE, chunked))
    assert.equal(await world.start('ada', LARGE_BODY_BYTES, chunked).answered, 200)
    const other = world.start('bob', LARGE, chunked)
    await world.untilStarted(3)
    assert.deepEqual(world.started, ['ada', 'ada', 'bob'])
    world.open()
    const statuses = await Promise.all([first, ...later, other].map(({ answered }) => answered))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200])
    assert.equal(world.most(), 2)
  })

test('a large body beyond the queue gets 429, and the turn of a client that left passes on', async () => {
  await using world = await createWorld()
  const first = world.start('ada', LARGE)
  await world.untilStarted(1)
  const waiting = Array.from({ length: QUEUE + 1 }, () => world.start('ada', LARGE))
  // Only a rejected one is answered before the first.
  assert.equal(await Promise.race(waiting.map(({ answered }) => answered)), 429)
  for (const { sent } of waiting) sent.destroy()
  world.open()
  assert.equal(await first.answered, 200)
  // Until the service has seen that they left, the queue may still be full.
  await until(async () => (await world.start('ada', LARGE).answered.catch(() => 0)) === 200)
})

test('a permit is returned when the handler fails or the sender leaves in the middle', async () => {
  await using world = await createWorld()
  world.open()
  assert.equal(await world.start('ada', LARGE + 1, true).answered, 413)
  const half = world.start('ada', 0)
  half.sent.destroy()
  for (let sent = 0; sent < 3; sent += 1)
    assert.equal(await world.start('ada', LARGE).answered, 200)
})

test('senders that stop in the middle keep their permits until others wait for one', async () => {
  await using world = await createWorld()
  world.open()
  const slow = SLOW.map((by) => world.start(by, LARGE, false, 2 * LARGE_BODY_BYTES))
  const answered = Promise.race(slow.map((one) => one.answered))
  assert.equal(await Promise.race([answered, sleep(3 * READING_TIME, 'waits')]), 'waits')
  assert.equal(await world.start('ada', LARGE).answered, 200)
  assert.equal(await answered, 408)
  for (const { sent } of slow) sent.destroy()
})

test('the other large bodies of a sender do not shorten its time', async () => {
  await using world = await createWorld()
  world.open()
  const slow = world.start('ada', LARGE, false, 2 * LARGE_BODY_BYTES)
  const next = world.start('ada', LARGE)
  await sleep(3 * READING_TIME)
  assert.deepEqual(world.started, [])
  slow.sent.end(Buffer.alloc(LARGE - 2 * LARGE_BODY_BYTES, 'x'))
  assert.deepEqual(await Promise.all([slow.answered, next.answered]), [200, 200])
})
