/** A node outlives every lost connection to PostgreSQL, at every stage of the connection. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mintApiToken } from '../src/access/api-token.ts'
import { MINUTE, SECOND } from '../src/base/clock.ts'
import { createMember } from '../src/members/member.ts'
import { startBlackHole, type BlackHole, type ConnectionStage } from './support/black-hole.ts'
import { createNodes, type Node } from './support/nodes.ts'
import { PGBOUNCER_MISSING, startPgBouncer } from './support/pgbouncer.ts'
import { TEST_ENGINE } from './support/store.ts'
import { until } from './support/until.ts'

const NOT_POSTGRES = TEST_ENGINE !== 'postgres' && 'for PostgreSQL only'
const STAGES = ['connecting', 'verifying', 'idle', 'active'] as const satisfies ConnectionStage[]

async function createWorld() {
  const nodes = await createNodes()
  const { database } = nodes
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, Date.now()),
  )
  const token = { name: 'test', holder: 'ai_client', lifetimeDays: null } as const
  const { secret } = await database
    .member(memberId)
    .write((tx) => mintApiToken(tx, token, Date.now()))
  return {
    nodes,
    token: secret,
    [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
  }
}

/** Requests that use every pool: reads, writes, searches, anonymous searches, compute threads, jobs, probes. */
function useEveryPool({ url }: Node, token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = (name: string, input: object = {}) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      }),
    })
  const requests = [
    call('whoami'),
    call('add_connections', { name: 'Grace Hopper' }),
    call('search_connections', { query: 'grace' }),
    call('find_duplicates'),
    fetch(`${url}/api/human/ada`),
    fetch(`${url}/api/network/members?q=ada`),
    fetch(`${url}/api/jobs`, { method: 'POST', headers, body: '{"kind":"export_data"}' }),
    fetch(`${url}/readyz`),
  ]
  return Promise.all(
    requests.map(async (request) => {
      const response = await request
      await response.arrayBuffer()
      return response.status
    }),
  )
}

/** Breaks connections at each stage while every pool is in use, and again when all of them are idle. */
async function assertOutlives(node: Node, token: string, hole: BlackHole): Promise<void> {
  for (const stage of STAGES) {
    const running = useEveryPool(node, token)
    hole.breakAt('idle')
    hole.breakAt(stage)
    for (const status of [await running, await useEveryPool(node, token)].flat())
      assert.ok([200, 202, 503].includes(status), `${stage}: status ${status}`)
    assert.ok(node.isRunning, `${stage}: the process ended`)
    hole.forward()
    // On a slow machine, a new connection may take longer than a request waits for it.
    await until(async () => {
      if (!node.isRunning) return true
      const statuses = await useEveryPool(node, token)
      return statuses.every((status) => [200, 202].includes(status))
    })
    assert.ok(node.isRunning, `${stage}: the process ended afterwards`)
  }
}

test('a node outlives connections that break at any stage', { skip: NOT_POSTGRES }, async () => {
  await using world = await createWorld()
  const { nodes, token } = world
  await using hole = await startBlackHole(nodes.address)
  let log = ''
  await using node = await nodes.start({
    environment: { WEFT_DATABASE: hole.url },
    onLog: (text) => (log += text),
  })
  await assertOutlives(node, token, hole)
  // Not a line per request: the first with a cause, then at most one per minute.
  const lines = log.split('\n').filter((line) => line.includes('"cause"'))
  assert.ok(lines.length > 0)
  const outages = lines.map((line) => JSON.parse(line) as Outage)
  for (const similar of Map.groupBy(outages, causeOf).values())
    for (const [at, { time }] of similar.slice(1).entries())
      assert.ok(Date.parse(time) - Date.parse(similar[at]?.time ?? '') > MINUTE - SECOND, log)
  assert.doesNotMatch(log, /"stack"/)
})

interface Outage {
  readonly time: string
  readonly error: string
  readonly cause: string
}

function causeOf({ error, cause }: Outage): string {
  return `${error} ${cause}`.replaceAll(/\d+/g, '#')
}

test(
  'a node outlives a server that PgBouncer loses at any stage of a connection',
  { skip: NOT_POSTGRES || PGBOUNCER_MISSING },
  async () => {
    await using world = await createWorld()
    const { nodes, token } = world
    await using hole = await startBlackHole(nodes.address)
    await using bouncer = await startPgBouncer(hole.url)
    await using node = await nodes.start({
      environment: { WEFT_DATABASE: bouncer.url, WEFT_DATABASE_TIMEOUT: '3' },
      onLog: () => {},
    })
    await assertOutlives(node, token, hole)
  },
)

/** What a Redis does with a connection, before it closes it. */
const REDIS_FAULTS: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes it at once': (socket) => void socket.destroy(),
  'resets it': (socket) => void socket.resetAndDestroy(),
  'closes it after the first command': (socket) => socket.once('data', () => socket.destroy()),
  'responds with something else': (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400\r\n\r\n')),
  'responds with an error': (socket) => socket.on('data', () => socket.write('-ERR broken\r\n')),
}

test('a node outlives a Redis that breaks connections at any stage', async () => {
  await using world = await createWorld()
  await using redis = await startFaultyRedis()
  await using node = await world.nodes.start({
    environment: { WEFT_REDIS_URL: redis.url },
    onLog: () => {},
  })
  for (const [name, fault] of Object.entries(REDIS_FAULTS)) {
    redis.break(fault)
    // The node has tried again after the first failure.
    while (redis.broken < 2 && node.isRunning) {
      // Its limits are counted in Redis, and by the node without one.
      const response = await fetch(`${node.url}/api/human/ada`)
      assert.ok([200, 429].includes(response.status), `${name}: ${response.status}`)
      await response.arrayBuffer()
      await sleep(20)
    }
    assert.ok(node.isRunning, `${name}: the process ended`)
  }
})

async function startFaultyRedis() {
  let fault: (socket: Socket) => void = () => {}
  let broken = 0
  const sockets = new Set<Socket>()
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((socket) => {
    broken += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    fault(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The number of connections that the current fault broke. */
    get broken() {
      return broken
    },
    break(next: typeof fault) {
      fault = next
      broken = 0
      closeAll()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      closeAll()
    },
  }
}
