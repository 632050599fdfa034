/** MCP 2026-07-28: which requests are modern, the order of checks, and the members of modern results. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createEchoWorld,
  ECHO_TOOL,
  errorOf,
  exchange,
  MODERN_META,
  modernPost,
  postOf,
  resultOf,
  SERVER_INFO,
} from '../../../test/fixtures/mcp-exchange.ts'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const IDENTITY = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO }

test('server/discover lists only modern versions and has a lifetime', async () => {
  const answer = await exchange(createEchoWorld(), modernPost('server/discover'))
  assert.equal(answer.status, 200)
  assert.deepEqual(resultOf(answer), {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    instructions: 'Say something.',
    ttlMs: 300_000,
    cacheScope: 'private',
    _meta: IDENTITY,
  })
})

test('tools/list carries resultType, ttlMs, cacheScope and the server', async () => {
  const answer = await exchange(createEchoWorld(), modernPost('tools/list'))
  assert.deepEqual(resultOf(answer), {
    resultType: 'complete',
    tools: [ECHO_TOOL],
    ttlMs: 300_000,
    cacheScope: 'private',
    _meta: IDENTITY,
  })
})

test('tools/call results are complete and name the server in addition to the tool’s own _meta', async () => {
  const world = createEchoWorld()
  const echo = await exchange(
    world,
    modernPost('tools/call', { name: 'echo', arguments: { text: 'hi' } }),
  )
  assert.deepEqual(resultOf(echo), {
    resultType: 'complete',
    content: [{ type: 'text', text: 'hi' }],
    structuredContent: { text: 'hi' },
    _meta: { ...IDENTITY, cost: 0 },
  })
  const charged = await exchange(world, modernPost('tools/call', { name: 'charged' }))
  assert.deepEqual(resultOf(charged), {
    resultType: 'complete',
    content: [],
    _meta: { ...IDENTITY, cost: 1 },
  })
  assert.equal(charged.headers['idempotency-replayed'], 'true')
})

test('tools/call passes the client info and the signal', async () => {
  const world = createEchoWorld()
  const { signal } = new AbortController()
  const meta = {
    ...MODERN_META,
    [CAPABILITIES_KEY]: { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'cli', version: '1', title: 7 },
    progressToken: 3,
  }
  await exchange(world, { ...modernPost('tools/call', { name: 'echo' }, {}, meta), signal })
  const call = world.calls[0]?.call
  assert.deepEqual(call, {
    name: 'echo',
    arguments: {},
    era: 'modern',
    protocolVersion: '2026-07-28',
    clientCapabilities: { elicitation: {} },
    meta,
    inputs: { responses: {} },
    progress: undefined,
    signal,
  })
})

test('clientInfo is optional, and ignored when malformed', async () => {
  const world = createEchoWorld()
  for (const info of [undefined, 7, {}]) {
    const meta = { ...MODERN_META, 'io.modelcontextprotocol/clientInfo': info }
    const answer = await exchange(world, modernPost('tools/call', { name: 'echo' }, {}, meta))
    assert.equal(answer.status, 200)
  }
})

test('in-band errors stay HTTP 200; a limited call is 429', async () => {
  const cases: [string, object, number, number][] = [
    ['tools/call', { name: 'nonesuch' }, 200, -32602],
    ['tools/call', {}, 200, -32602],
    ['tools/call', { name: 'crash' }, 200, -32603],
    ['tools/list', { cursor: 'abc' }, 200, -32602],
    ['tools/call', { name: 'limited' }, 429, -32003],
  ]
  for (const [method, params, status, code] of cases) {
    const answer = await exchange(createEchoWorld(), modernPost(method, { ...params }))
    assert.deepEqual(errorOf(answer), { status, id: 1, code })
  }
})

test('a method this era does not have is 404 with -32601', async () => {
  for (const method of [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'x',
    'constructor',
  ]) {
    const answer = await exchange(createEchoWorld(), modernPost(method))
    assert.deepEqual(errorOf(answer), { status: 404, id: 1, code: -32601 })
  }
})

test('a version header that is missing or differs from the body is -32020', async () => {
  for (const header of [undefined, '2025-11-25', 'banana', '2026-07-29', '']) {
    const answer = await exchange(
      createEchoWorld(),
      modernPost('tools/list', {}, { 'mcp-protocol-version': header }),
    )
    assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32020 })
  }
})

test('an unsupported version is -32022 with the supported and requested versions', async () => {
  for (const version of ['2027-01-01', '2025-11-25', '1900-01-01']) {
    const answer = await exchange(
      createEchoWorld(),
      modernPost('tools/list', {}, { 'mcp-protocol-version': version }, { [VERSION_KEY]: version }),
    )
    assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32022 })
    assert.deepEqual((answer.body as { error: { data: unknown } }).error.data, {
      supported: ['2026-07-28'],
      requested: version,
    })
  }
})

test('a version in the body that is not a string is -32602 with 400, never legacy', async () => {
  for (const version of [null, 7, {}]) {
    const answer = await exchange(
      createEchoWorld(),
      modernPost('tools/list', {}, {}, { ...MODERN_META, [VERSION_KEY]: version }),
    )
    assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32602 })
  }
})

test('missing or malformed clientCapabilities are -32602 with 400', async () => {
  for (const capabilities of [undefined, null, [], 'x']) {
    const meta = { ...MODERN_META, [CAPABILITIES_KEY]: capabilities }
    const answer = await exchange(createEchoWorld(), modernPost('tools/list', {}, {}, meta))
    assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32602 })
  }
})

test('Mcp-Method missing or different is -32020, before the method is looked up', async () => {
  for (const header of [undefined, 'tools/call', 'Tools/List', '']) {
    for (const method of ['tools/list', 'nonesuch']) {
      const answer = await exchange(
        createEchoWorld(),
        modernPost(method, {}, { 'mcp-method': header }),
      )
      assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32020 })
    }
  }
})

test('Mcp-Name must mirror the name, the URI or the task; otherwise nothing runs', async () => {
  const world = createEchoWorld()
  const cases: [string, object][] = [
    ['tools/call', { name: 'echo' }],
    ['prompts/get', { name: 'echo' }],
    ['resources/read', { uri: 'weft://me' }],
    ['tasks/get', { taskId: '1' }],
    ['tasks/update', { taskId: '1' }],
    ['tasks/cancel', { taskId: '1' }],
  ]
  for (const [method, params] of cases) {
    for (const name of [undefined, 'other', 'Echo', '=?base64?***?=']) {
      const answer = await exchange(world, modernPost(method, { ...params }, { 'mcp-name': name }))
      assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32020 }, method)
    }
  }
  assert.equal(world.calls.length, 0)
  const nameless = await exchange(world, modernPost('tools/call', {}, { 'mcp-name': 'echo' }))
  assert.equal(errorOf(nameless).code, -32020)
})

test('Mcp-Name may be encoded and surrounded by spaces', async () => {
  const encoded = `=?base64?${Buffer.from('echo').toString('base64')}?=`
  for (const name of [encoded, ' echo\t']) {
    const answer = await exchange(
      createEchoWorld(),
      modernPost('tools/call', { name: 'echo' }, { 'mcp-name': name }),
    )
    assert.equal(answer.status, 200)
  }
})

test('other methods need no Mcp-Name', async () => {
  const answer = await exchange(
    createEchoWorld(),
    modernPost('tools/list', {}, { 'mcp-name': 'x' }),
  )
  assert.equal(answer.status, 200)
})

test('a modern header without a version in the body is -32602 with 400, never legacy', async () => {
  for (const version of ['2026-07-28', '2027-01-01']) {
    for (const params of [undefined, {}, { _meta: {} }, { _meta: 'x' }, []]) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params }
      const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' }
      const answer = await exchange(createEchoWorld(), postOf(message, headers))
      assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32602 })
    }
  }
})

test('a batch with a modern element is rejected entirely', async () => {
  const world = createEchoWorld()
  const params = { name: 'echo', _meta: MODERN_META }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  for (const batch of [[call], [{ jsonrpc: '2.0', id: 2, method: 'ping' }, call]]) {
    const answer = await exchange(world, postOf(batch))
    assert.deepEqual(errorOf(answer), { status: 400, id: null, code: -32600 })
  }
  assert.equal(world.calls.length, 0)
})

test('notifications are modern by body or header, and get 202 without a body', async () => {
  const method = 'notifications/cancelled'
  const plain = { jsonrpc: '2.0', method }
  const claiming = { ...plain, params: { _meta: MODERN_META } }
  const modern = { 'mcp-protocol-version': '2026-07-28' }
  for (const [message, headers] of [
    [plain, modern],
    [plain, { ...modern, 'mcp-method': method }],
    [claiming, modern],
    [claiming, {}],
  ] as const) {
    const answer = await exchange(createEchoWorld(), postOf(message, headers))
    assert.deepEqual(answer, { status: 202, headers: {}, body: undefined })
  }
})

test('a modern notification with contradicting headers is rejected', async () => {
  const plain = { jsonrpc: '2.0', method: 'notifications/x' }
  const claiming = (version: unknown) => ({
    ...plain,
    params: { _meta: { [VERSION_KEY]: version } },
  })
  const cases: [object, Record<string, string>, number][] = [
    [claiming('2026-07-28'), { 'mcp-protocol-version': '2025-11-25' }, -32020],
    [claiming('2026-07-28'), { 'mcp-method': 'other' }, -32020],
    [plain, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'other' }, -32020],
    [plain, { 'mcp-protocol-version': '2027-01-01' }, -32022],
    [claiming('2027-01-01'), {}, -32022],
    [claiming(7), {}, -32602],
  ]
  for (const [message, headers, code] of cases) {
    const answer = await exchange(createEchoWorld(), postOf(message, headers))
    assert.deepEqual(errorOf(answer), { status: 400, id: null, code })
  }
})

test('a response from the client is rejected in this era', async () => {
  const response = { jsonrpc: '2.0', id: 1, result: {} }
  const answer = await exchange(
    createEchoWorld(),
    postOf(response, { 'mcp-protocol-version': '2026-07-28' }),
  )
  assert.deepEqual(errorOf(answer), { status: 400, id: null, code: -32600 })
})
