/** The official clients, old and new, against the endpoint over real HTTP. */

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  createEchoWorld,
  SERVER_INFO,
  type EchoWorld,
} from '../../../test/fixtures/mcp-exchange.ts'
import { answerMcp } from './exchange.ts'

const CLIENT_INFO = { name: 'judge', version: '1.0.0' }

const MODES: [name: string, mode: VersionNegotiationMode, era: 'legacy' | 'modern'][] = [
  ['legacy', 'legacy', 'legacy'],
  ['auto', 'auto', 'modern'],
  ['pinned to 2026-07-28', { pin: '2026-07-28' }, 'modern'],
]

for (const [name, mode, era] of MODES) {
  test(`@modelcontextprotocol/client, ${name}, connects, lists, calls and closes`, async () => {
    await using server = await listen()
    const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(server.url))
    const { tools } = await client.listTools()
    const result = await client.callTool({ name: 'echo', arguments: { text: 'grüß dich 世界' } })
    const reported = client.getServerVersion()
    await client.close()
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ['echo'],
    )
    assert.deepEqual(result.structuredContent, { text: 'grüß dich 世界' })
    assert.deepEqual(reported, SERVER_INFO)
    assert.equal(server.world.calls[0]?.call.era, era)
  })
}

test('@modelcontextprotocol/client reads errors and failed tools in both eras', async () => {
  await using server = await listen()
  for (const [, mode] of MODES) {
    const client = new Client(CLIENT_INFO, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(server.url))
    const failed = await client.callTool({ name: 'fail' })
    await assert.rejects(client.callTool({ name: 'nonesuch' }), { code: -32602 })
    await client.close()
    assert.equal(failed.isError, true)
  }
})

test('@modelcontextprotocol/sdk connects, pings, lists, calls and closes', async () => {
  await using server = await listen()
  const client = new EarlierClient(CLIENT_INFO)
  const transport = new EarlierTransport(server.url)
  await client.connect(transport)
  await client.ping()
  const { tools } = await client.listTools()
  const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
  await assert.rejects(client.callTool({ name: 'nonesuch' }), { code: -32602 })
  await client.close()
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['echo'],
  )
  assert.deepEqual(result.structuredContent, { text: 'hi' })
  assert.equal(server.world.calls[0]?.call.protocolVersion, '2025-11-25')
})

interface Listening extends AsyncDisposable {
  readonly url: URL
  readonly world: EchoWorld
}

async function listen(): Promise<Listening> {
  const world = createEchoWorld()
  const server = createServer((incoming, outgoing) => void serve(world, incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    world,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function serve(
  world: EchoWorld,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await incoming.toArray())
  const answer = await answerMcp(world.endpoint, 'ada', {
    method: incoming.method ?? '',
    header: (name) => incoming.headers[name]?.toString(),
    body,
  })
  outgoing.writeHead(answer.status, answer.headers).end(answer.body?.toString())
}
