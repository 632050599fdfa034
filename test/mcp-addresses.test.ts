/** The URLs of the tool endpoints: trailing slashes, browsers, compression, Accept headers. */

import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startTestService, type TestService } from './support/service.ts'

const ENDPOINTS = ['/mcp', '/mcp/v1', '/mcp/sandbox', '/sandbox/mcp', '/mcp/docs']

/** Their pages are for people who paste the URL into a browser. */
const PAGES = ['/mcp', '/mcp/v1', '/mcp/sandbox', '/sandbox/mcp']

/** From MCP clients that listen for messages of the server. */
const STREAMS = ['text/event-stream', 'application/json, text/event-stream']

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

// All tests share one service, because they only read.
let service: TestService
let token: string

before(async () => {
  service = await startTestService({ rateLimits: { sandbox: { quota: 1_000, window: 60 } } })
  await service.addMember()
  token = await service.mintToken()
})
after(() => service[Symbol.asyncDispose]())

test('every endpoint works with a trailing slash, for both official clients', async () => {
  const headers = { authorization: `Bearer ${token}` }
  for (const path of ENDPOINTS) {
    const url = new URL(`${service.url}${path}/`)
    const earlier = new EarlierClient({ name: 'slash', version: '1' })
    await earlier.connect(new EarlierTransport(url, { requestInit: { headers } }))
    const mode = { pin: '2026-07-28' } as const
    const client = new Client({ name: 'slash', version: '2' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    const listed = [await earlier.listTools(), await client.listTools()]
    await earlier.close()
    await client.close()
    for (const { tools } of listed) assert.ok(tools.length >= 3, path)
  }
})

test('a trailing slash does not bypass the token, and no other path accepts one', async () => {
  for (const path of ['/mcp/', '/mcp/v1/']) {
    const answer = await post(path, rpc('tools/list'), { authorization: '' })
    assert.equal(answer.status, 401, path)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata="/)
  }
  for (const path of ['/mcp//', '/mcp/v2/', '/api/network/members/', '/oauth/token/'])
    assert.equal((await fetch(service.url + path)).status, 404, path)
})

test('a browser at an endpoint gets a page with the URL, an agent the same as markdown', async () => {
  for (const path of PAGES.flatMap((one) => [one, `${one}/`])) {
    const page = await fetch(service.url + path, { headers: { accept: BROWSER } })
    assert.equal(page.status, 200, path)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.headers.get('vary') ?? '', /Accept/)
    const text = await page.text()
    assert.ok(text.includes(`data-copy="${service.url}/mcp"`), path)
    assert.ok(text.includes('href="/docs/connect"'), path)
    const markdown = await fetch(service.url + path, { headers: { accept: 'text/markdown' } })
    assert.match(markdown.headers.get('content-type') ?? '', /^text\/markdown/)
    assert.ok((await markdown.text()).includes(`\`${service.url}/mcp\``), path)
  }
})

test('a range such as text/* in Accept gets the page', async () => {
  for (const path of [...PAGES, '/mcp/docs'])
    for (const accept of ['text/*', 'text/*, application/json;q=0.5', 'text/html;q=0, text/*']) {
      const page = await fetch(service.url + path, { headers: { accept } })
      await page.arrayBuffer()
      assert.equal(page.status, 200, `${path} ${accept}`)
    }
})

test('the documentation does not answer a request for an event stream with its page', async () => {
  for (const path of ['/mcp/docs', '/mcp/docs/', '/sandbox/mcp/docs'])
    for (const accept of STREAMS) {
      const answer = await fetch(service.url + path, { headers: { accept } })
      assert.equal(answer.status, 405, `${path} ${accept}`)
      assert.match(answer.headers.get('vary') ?? '', /Accept/)
      assert.equal(((await answer.json()) as { jsonrpc: string }).jsonrpc, '2.0')
    }
  assert.equal((await fetch(`${service.url}/mcp/docs`)).status, 200)
})

test('a GET that does not accept HTML or markdown, such as from an MCP client, is 405 in JSON-RPC', async () => {
  for (const path of PAGES)
    for (const accept of [...STREAMS, '*/*']) {
      const answer = await fetch(service.url + path, { headers: { accept } })
      assert.equal(answer.status, 405, `${path} ${accept}`)
      assert.match(answer.headers.get('allow') ?? '', /\bPOST\b/)
      const { jsonrpc, error } = (await answer.json()) as {
        jsonrpc: string
        error: { code: number }
      }
      assert.deepEqual([jsonrpc, error.code], ['2.0', -32600])
    }
})

test('tools/list is compressed only for clients that accept gzip, with any ID', async () => {
  for (const path of ENDPOINTS)
    for (const id of [1, 'a "quoted" id 世界', 'x'.repeat(2_000)]) {
      const plain = await raw(path, rpc('tools/list', {}, id), { 'accept-encoding': 'identity' })
      assert.equal(plain.headers['content-encoding'], undefined)
      const packed = await raw(path, rpc('tools/list', {}, id), {
        'accept-encoding': 'gzip, deflate, br',
      })
      assert.equal(packed.headers['content-encoding'], 'gzip', path)
      assert.match(String(packed.headers['vary']), /Accept-Encoding/)
      assert.equal(Number(packed.headers['content-length']), packed.bytes.byteLength)
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
      assert.equal((JSON.parse(plain.bytes.toString()) as { id: unknown }).id, id)
      assert.ok(packed.bytes.byteLength < plain.bytes.byteLength / 2, path)
    }
})

test('responses for one caller are not compressed', async () => {
  const call = rpc('tools/call', { name: 'whoami', arguments: {} })
  const answer = await raw('/mcp', call, { 'accept-encoding': 'gzip' })
  assert.equal(answer.headers['content-encoding'], undefined)
  const batch = await raw('/mcp', [rpc('tools/list')], { 'accept-encoding': 'gzip' })
  assert.equal(batch.headers['content-encoding'], undefined)
})

function rpc(method: string, params: object = {}, id: number | string = 1): object {
  return { jsonrpc: '2.0', id, method, params }
}

function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The raw bytes of a response; `fetch` would decode them. */
async function raw(path: string, body: unknown, headers: Readonly<Record<string, string>>) {
  const sent = request(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
  })
  sent.end(JSON.stringify(body))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve).once('error', reject)
  const answer = await promise
  return { headers: answer.headers, bytes: Buffer.concat(await answer.toArray()) }
}
