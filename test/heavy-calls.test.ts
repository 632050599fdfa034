import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { Counters, HOLD } from './fixtures/compute.ts'
import { createTestWorld, type Person } from './fixtures/member.ts'
import { DUPLICATES_PATH } from '../src/html/site-map.ts'

/** As many computations of one member as wait; see src/db/compute-threads.ts. */
const QUEUE = 16

interface Answered {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: {
    readonly id: unknown
    readonly result?: { readonly isError?: boolean; readonly structuredContent?: object }
    readonly error?: { readonly code: number; readonly data: { readonly retry_after?: number } }
  }
}

/** A service with two members whose agents call its tools; the first one's computations wait for `open`. */
async function openBusyWorld() {
  const world = await createTestWorld()
  const { service } = world
  const [ada, bob] = [await world.join('ada'), await world.join('bob')]
  const tokens = { ada: await service.mintToken('ada'), bob: await service.mintToken('bob') }
  const counters = new Counters()
  const held = service.database.member(ada.memberId).compute(HOLD, counters.shared)
  held.catch(() => {})
  await counters.untilStarted(1)
  return {
    ada,
    bob,
    service,
    /** Lets the computation that holds the thread end. */
    async open() {
      counters.open()
      await held
    },
    call: (by: keyof typeof tokens, tool: string, input: object = {}, headers = {}) =>
      callTool(service.url, { ...authorized(tokens[by]), ...headers }, tool, input),
    leavingCall: (tool: string) => leavingCall(service.port, tokens.ada, tool),
    async [Symbol.asyncDispose]() {
      counters.open()
      await world[Symbol.asyncDispose]()
    },
  }
}

function authorized(token: string) {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

function messageOf(name: string, input: object): string {
  const params = { name, arguments: input }
  return JSON.stringify({ jsonrpc: '2.0', id: `call of ${name}`, method: 'tools/call', params })
}

async function callTool(
  url: string,
  headers: Record<string, string>,
  tool: string,
  input: object,
): Promise<Answered> {
  const body = messageOf(tool, input)
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  const { status } = response
  const answered = (await response.json()) as Answered['body']
  return { status, retryAfter: response.headers.get('retry-after'), body: answered }
}

/** A call on its own connection; `leave` closes it before the response. */
function leavingCall(port: number, token: string, tool: string) {
  const sent = request({
    port,
    host: '127.0.0.1',
    path: '/mcp',
    method: 'POST',
    headers: authorized(token),
    agent: false,
  })
  const answered = new Promise<void>((resolve) => sent.once('response', () => resolve()))
  const closed = new Promise<void>((resolve) => sent.once('close', () => resolve()))
  sent.on('error', () => {})
  sent.end(messageOf(tool, {}))
  return {
    answered,
    leave() {
      sent.destroy()
      return closed
    },
  }
}

async function spent(person: Person): Promise<unknown> {
  const { used } = (await person.ask('whoami'))['credits'] as { used: number }
  return used
}

test('calls beyond the queue get 429 with -32003 and are free; queued calls are answered', async () => {
  await using world = await openBusyWorld()
  const calls = Array.from({ length: QUEUE + 4 }, () => world.call('ada', 'find_duplicates'))
  const early: Answered[] = []
  await new Promise<void>((resolve) => {
    const take = async (call: Promise<Answered>) => {
      early.push(await call)
      if (early.length === 4) resolve()
    }
    for (const call of calls) void take(call)
  })
  for (const { status, retryAfter, body } of early.slice(0, 4)) {
    assert.equal(status, 429)
    assert.equal(body.id, 'call of find_duplicates')
    assert.equal(body.error?.code, -32003)
    assert.equal(String(body.error.data.retry_after), retryAfter)
  }
  const page = await world.ada.visitor.get(DUPLICATES_PATH)
  assert.equal(page.status, 429)
  await world.open()
  const answers = await Promise.all(calls)
  assert.equal(answers.filter(({ status }) => status === 200).length, QUEUE)
  assert.ok(answers.every(({ status, body }) => status === 429 || body.result?.isError !== true))
  assert.equal(await spent(world.ada), 2 * QUEUE)
})

test("while one member's queue is full, another's light and heavy calls are answered", async () => {
  await using world = await openBusyWorld()
  const calls = Array.from({ length: 3 * QUEUE }, () => world.call('ada', 'find_duplicates'))
  for (const tool of ['whoami', 'find_duplicates', 'get_network_summary', 'list_tags']) {
    const { status, body } = await world.call('bob', tool)
    assert.equal(status, 200)
    assert.ok(body.result?.structuredContent, tool)
  }
  assert.equal((await world.bob.visitor.get(DUPLICATES_PATH)).status, 200)
  await world.open()
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, QUEUE)
  assert.equal(statuses.filter((status) => status === 429).length, 2 * QUEUE)
})

test('a client that disconnects leaves the queue and is not charged', async () => {
  await using world = await openBusyWorld()
  const leaving = Array.from({ length: QUEUE }, () => world.leavingCall('find_duplicates'))
  // Once another call is rejected, all of them are queued.
  const last = world.leavingCall('find_duplicates')
  await Promise.race([...leaving, last].map(({ answered }) => answered))
  await Promise.all([...leaving, last].map((call) => call.leave()))
  // The service notices closed connections before the requests that follow them.
  for (let asked = 0; asked < 3; asked += 1) await world.call('ada', 'whoami')
  const staying = Array.from({ length: QUEUE }, () => world.call('ada', 'find_duplicates'))
  await world.open()
  for (const { status, body } of await Promise.all(staying)) {
    assert.equal(status, 200)
    assert.ok(body.result?.structuredContent)
  }
  assert.equal(await spent(world.ada), 2 * QUEUE, 'two credits for each that stayed')
})

test('a call with a key continues without its client, and the retry gets its result', async () => {
  await using world = await openBusyWorld()
  const key = { 'idempotency-key': 'once' }
  const first = world.call('ada', 'find_duplicates', {}, key)
  const again = world.call('ada', 'find_duplicates', {}, key)
  await world.open()
  const answers = await Promise.all([first, again])
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.ok(body.result?.structuredContent)
  }
  assert.equal(await spent(world.ada), 2)
})

test('a rejection by a full queue is never stored under a key', async () => {
  await using world = await openBusyWorld()
  const waiting = Array.from({ length: QUEUE }, () => world.leavingCall('find_duplicates'))
  const key = { 'idempotency-key': 'later' }
  const last = world.leavingCall('find_duplicates')
  await Promise.race([...waiting, last].map(({ answered }) => answered))
  const refused = await world.call('ada', 'find_duplicates', {}, key)
  assert.equal(refused.status, 429)
  await Promise.all([...waiting, last].map((call) => call.leave()))
  await world.open()
  const answered = await world.call('ada', 'find_duplicates', {}, key)
  assert.equal(answered.status, 200)
  assert.ok(answered.body.result?.structuredContent)
})
