/** The revisions before 2026-07-28: initialize, headers, batches, and results without modern members. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createEchoWorld,
  ECHO_TOOL,
  errorOf,
  exchange,
  postOf,
  resultOf,
  SERVER_INFO,
} from '../../../test/fixtures/mcp-exchange.ts'

function requestOf(method: string, params?: object, id: string | number = 1) {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) }
}

function toolCall(name: string, id: string | number = 1) {
  return requestOf('tools/call', { name, arguments: { text: 'hi' } }, id)
}

test('initialize echoes every supported revision and advertises the served capabilities', async () => {
  for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const answer = await exchange(
      createEchoWorld(),
      postOf(requestOf('initialize', { protocolVersion, capabilities: {} })),
    )
    assert.deepEqual(resultOf(answer), {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: SERVER_INFO,
      instructions: 'Say something.',
    })
  }
})

test('initialize responds with 2025-11-25 to an unknown revision and to one without initialize', async () => {
  for (const protocolVersion of ['1999-01-01', '2024-10-07', '2026-07-28', 'draft', 7, undefined]) {
    const answer = await exchange(
      createEchoWorld(),
      postOf(requestOf('initialize', { protocolVersion })),
    )
    assert.equal((resultOf(answer) as { protocolVersion: string }).protocolVersion, '2025-11-25')
  }
})

test('initialize without a modern version in the body is legacy regardless of its header', async () => {
  for (const header of ['2026-07-28', 'banana', '2025-06-18']) {
    const answer = await exchange(
      createEchoWorld(),
      postOf(requestOf('initialize', {}), { 'mcp-protocol-version': header }),
    )
    assert.equal(answer.status, 200)
  }
})

test('ping returns an empty result', async () => {
  const answer = await exchange(createEchoWorld(), postOf(requestOf('ping')))
  assert.deepEqual(answer.body, { jsonrpc: '2.0', id: 1, result: {} })
})

test('accepts every supported version header, with spaces around it, and no header', async () => {
  const world = createEchoWorld()
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', ' 2025-11-25\t']) {
    const answer = await exchange(
      world,
      postOf(toolCall('echo'), { 'mcp-protocol-version': version }),
    )
    assert.equal(answer.status, 200)
    assert.equal(world.calls.at(-1)?.call.protocolVersion, version.trim())
  }
  await exchange(world, postOf(toolCall('echo')))
  assert.equal(world.calls.at(-1)?.call.protocolVersion, '2025-03-26')
})

test('an unknown version header gets 400 with the request ID and the supported versions', async () => {
  for (const version of ['2024-10-07', '2025-01-01', 'banana', '']) {
    const headers = { 'mcp-protocol-version': version }
    const answer = await exchange(createEchoWorld(), postOf(requestOf('ping'), headers))
    assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32600 })
    assert.match(JSON.stringify(answer.body), /2025-11-25/)
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    assert.equal((await exchange(createEchoWorld(), postOf(notification, headers))).status, 400)
    assert.equal(
      (await exchange(createEchoWorld(), postOf([requestOf('ping')], headers))).status,
      400,
    )
  }
})

test('notifications and responses from the client are 202 without a body, and run nothing', async () => {
  const world = createEchoWorld()
  const messages = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } },
    { jsonrpc: '2.0', id: 4, result: {} },
    { jsonrpc: '2.0', id: 4, error: { code: 1, message: 'no' } },
  ]
  for (const message of messages) {
    assert.deepEqual(await exchange(world, postOf(message)), {
      status: 202,
      headers: {},
      body: undefined,
    })
  }
  assert.equal(world.calls.length, 0)
})

test('tools/list returns a single page, without modern members', async () => {
  for (const params of [undefined, {}, { cursor: null }]) {
    const answer = await exchange(createEchoWorld(), postOf(requestOf('tools/list', params)))
    assert.deepEqual(resultOf(answer), { tools: [ECHO_TOOL] })
  }
})

test('a cursor that was never issued is -32602', async () => {
  for (const cursor of ['abc', '', 7]) {
    const answer = await exchange(createEchoWorld(), postOf(requestOf('tools/list', { cursor })))
    assert.deepEqual(errorOf(answer), { status: 200, id: 1, code: -32602 })
  }
})

test('tools/call returns the result unchanged', async () => {
  const answer = await exchange(createEchoWorld(), postOf(toolCall('echo')))
  assert.deepEqual(resultOf(answer), {
    content: [{ type: 'text', text: 'hi' }],
    structuredContent: { text: 'hi' },
    _meta: { cost: 0 },
  })
  const failed = await exchange(createEchoWorld(), postOf(toolCall('fail')))
  assert.deepEqual(resultOf(failed), { content: [], isError: true })
})

test('tools/call inserts a serialized result and sends its headers', async () => {
  const answer = await exchange(createEchoWorld(), postOf(toolCall('charged')))
  assert.deepEqual(resultOf(answer), { content: [], _meta: { cost: 1 } })
  assert.equal(answer.headers['idempotency-replayed'], 'true')
  assert.equal(answer.headers['content-type'], 'application/json')
})

test('tools/call passes the arguments as sent, missing ones as {}, and _meta', async () => {
  const world = createEchoWorld()
  const params = { name: 'echo', _meta: { progressToken: 'p1' } }
  await exchange(world, postOf(requestOf('tools/call', params)))
  await exchange(world, postOf(requestOf('tools/call', { ...params, arguments: [1] })))
  const [none, list] = world.calls.map(({ call }) => call)
  assert.deepEqual(none?.arguments, {})
  assert.deepEqual(list?.arguments, [1])
  assert.deepEqual(none?.meta, { progressToken: 'p1' })
  assert.equal(none?.era, 'legacy')
})

test('a disconnecting client does not cancel a legacy call', async () => {
  const world = createEchoWorld()
  const { signal } = new AbortController()
  await exchange(world, { ...postOf(toolCall('echo')), signal })
  assert.equal(world.calls[0]?.call.signal, undefined)
})

test('unknown tools, missing names and unknown methods are JSON-RPC errors in HTTP 200', async () => {
  const cases: [object, number][] = [
    [toolCall('nonesuch'), -32602],
    [requestOf('tools/call', {}), -32602],
    [requestOf('tools/call'), -32602],
    [requestOf('tools/call', { name: 7 }), -32602],
    [requestOf('nonesuch'), -32601],
    [requestOf('server/discover'), -32601],
    [requestOf('logging/setLevel', { level: 'info' }), -32601],
  ]
  for (const [message, code] of cases) {
    const answer = await exchange(createEchoWorld(), postOf(message))
    assert.deepEqual(errorOf(answer), { status: 200, id: 1, code })
  }
})

test('a rate-limited call is 429 with -32003, Retry-After and its own ID', async () => {
  const answer = await exchange(createEchoWorld(), postOf(toolCall('limited', 'q')))
  assert.deepEqual(errorOf(answer), { status: 429, id: 'q', code: -32003 })
  assert.equal(answer.headers['retry-after'], '7')
  assert.deepEqual((answer.body as { error: { data: unknown } }).error.data, { retry_after: 7 })
})

test('an error with its own code and status keeps both', async () => {
  const answer = await exchange(createEchoWorld(), postOf(toolCall('reused')))
  assert.deepEqual(errorOf(answer), { status: 422, id: 1, code: 4220 })
})

test('a batch has a response for each request, in order, and none for notifications', async () => {
  const answer = await exchange(
    createEchoWorld(),
    postOf([
      requestOf('ping', undefined, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      toolCall('crash', 2),
      { jsonrpc: '2.0', id: 9, result: {} },
      requestOf('ping', undefined, 'a'),
      'nonsense',
      { jsonrpc: '2.0', id: 3 },
      requestOf('initialize', {}, 4),
      requestOf('nonesuch', {}, 5),
    ]),
  )
  assert.equal(answer.status, 200)
  const entries = answer.body as { id: unknown; error?: { code: number } }[]
  assert.deepEqual(
    entries.map(({ id, error }) => [id, error?.code]),
    [
      ['a', undefined],
      [2, -32603],
      ['a', undefined],
      [null, -32600],
      [3, -32600],
      [4, -32600],
      [5, -32601],
    ],
  )
})

test('a batch without requests is 202', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const answer = await exchange(createEchoWorld(), postOf([notification, notification]))
  assert.deepEqual(answer, { status: 202, headers: {}, body: undefined })
})

test('an empty batch and one of more than 100 messages are rejected entirely', async () => {
  const world = createEchoWorld()
  const calls = Array.from({ length: 101 }, (_, index) => toolCall('echo', index))
  for (const batch of [[], calls]) {
    const answer = await exchange(world, postOf(batch))
    assert.deepEqual(errorOf(answer), { status: 400, id: null, code: -32600 })
  }
  assert.equal(world.calls.length, 0)
  const most = await exchange(world, postOf(calls.slice(1)))
  assert.equal((most.body as unknown[]).length, 100)
})

test('batches are rejected from the revision that removed them', async () => {
  for (const [version, status] of [
    ['2024-11-05', 200],
    ['2025-03-26', 200],
    ['2025-06-18', 400],
    ['2025-11-25', 400],
    ['2026-07-28', 400],
  ] as const) {
    const headers = { 'mcp-protocol-version': version }
    const answer = await exchange(createEchoWorld(), postOf([requestOf('ping')], headers))
    assert.equal(answer.status, status, version)
  }
})

test('a batch of only invalid messages is 400, with an error for each', async () => {
  const answer = await exchange(createEchoWorld(), postOf([1, 2]))
  assert.equal(answer.status, 400)
  assert.equal((answer.body as unknown[]).length, 2)
})

test('a batch is 429 only if every call in it was limited', async () => {
  const all = await exchange(
    createEchoWorld(),
    postOf([toolCall('limited', 1), toolCall('limited', 2)]),
  )
  assert.equal(all.status, 429)
  assert.equal(all.headers['retry-after'], '7')
  const some = await exchange(
    createEchoWorld(),
    postOf([toolCall('limited', 1), toolCall('echo', 2)]),
  )
  assert.equal(some.status, 200)
})
