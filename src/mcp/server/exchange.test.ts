/** What holds for every revision: HTTP rules, malformed bodies, ids, and that nothing sent can break it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  createEchoWorld,
  errorOf,
  exchange,
  MODERN_META,
  postOf,
  postOfBytes,
  readAnswer,
  resultOf,
} from '../../../test/fixtures/mcp-exchange.ts'
import { answerMcp, rateLimitResponse } from './exchange.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

test('responds to any method but POST with 405, Allow and a JSON-RPC error', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
    const answer = await exchange(createEchoWorld(), { ...postOf(PING), method })
    assert.deepEqual(errorOf(answer), { status: 405, id: null, code: -32600 })
    assert.equal(answer.headers['allow'], 'POST')
  }
})

test('accepts JSON with any spelling of its content type and rejects other types with 415', async () => {
  const world = createEchoWorld()
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ;x=y',
  ]) {
    assert.equal((await exchange(world, postOf(PING, { 'content-type': type }))).status, 200)
  }
  for (const type of [
    'text/plain',
    'application/json-seq',
    '',
    'application/jsonp, application/json',
  ]) {
    const answer = await exchange(world, postOf(PING, { 'content-type': type }))
    assert.deepEqual(errorOf(answer), { status: 415, id: null, code: -32600 })
  }
  const untyped = { method: 'POST', header: () => undefined, body: Buffer.from('{}') }
  assert.equal((await exchange(world, untyped)).status, 415)
})

test('responds with JSON regardless of Accept', async () => {
  for (const accept of ['*/*', 'application/json', 'text/event-stream', 'text/html']) {
    const answer = await exchange(createEchoWorld(), postOf(PING, { accept }))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'application/json')
  }
})

test('responds to bodies that are not JSON in UTF-8 with 400 and -32700', async () => {
  const bodies = [undefined, '', '{', 'undefined', '{"a":1}}', Buffer.from([0x22, 0xff, 0x22])]
  for (const body of bodies) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const answer = await exchange(createEchoWorld(), postOfBytes(bytes))
    assert.deepEqual(errorOf(answer), { status: 400, id: null, code: -32700 })
  }
})

test('responds to JSON that is not a JSON-RPC message with 400 and -32600', async () => {
  const bodies = [
    null,
    7,
    'ping',
    true,
    {},
    { id: 1.5, method: 'ping', jsonrpc: '2.0' },
    { id: null, method: 'ping', jsonrpc: '2.0' },
    { id: true, method: 'ping', jsonrpc: '2.0' },
    { id: {}, method: 'ping', jsonrpc: '2.0' },
    { id: [1], method: 'ping', jsonrpc: '2.0' },
    { id: 2 ** 53, method: 'ping', jsonrpc: '2.0' },
    { method: 7, jsonrpc: '2.0' },
  ]
  for (const body of bodies) {
    const answer = await exchange(createEchoWorld(), postOf(body))
    assert.deepEqual(errorOf(answer), { status: 400, id: null, code: -32600 }, JSON.stringify(body))
  }
})

test('the error for a malformed message has its ID', async () => {
  for (const body of [{ id: 5 }, { id: 5, method: 'ping' }, { jsonrpc: '2.0', id: 5 }]) {
    const answer = await exchange(createEchoWorld(), postOf(body))
    assert.deepEqual(errorOf(answer), { status: 400, id: 5, code: -32600 })
  }
})

test('params that are not an object are -32602 with the ID of the request', async () => {
  for (const params of [[], null, 'x', 1]) {
    const answer = await exchange(createEchoWorld(), postOf({ ...PING, params }))
    assert.deepEqual(errorOf(answer), { status: 200, id: 1, code: -32602 })
  }
})

test('rejects bodies nested deeper than 64 levels', async () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  const deep = (levels: number) =>
    Buffer.from(`{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":${nested(levels)}}}`)
  const world = createEchoWorld()
  assert.equal((await exchange(world, postOfBytes(deep(62)))).status, 200)
  for (const levels of [63, 1000, 200_000]) {
    const answer = await exchange(world, postOfBytes(deep(levels)))
    assert.deepEqual(errorOf(answer), { status: 400, id: 9, code: -32600 })
  }
})

test('a __proto__ member is data like any other and pollutes nothing', async () => {
  const world = createEchoWorld()
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","__proto__":{"method":"ping"},
    "params":{"name":"echo","__proto__":{"polluted":true},"arguments":{"__proto__":{"polluted":true}}}}`
  assert.equal((await exchange(world, postOfBytes(Buffer.from(body)))).status, 200)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.equal(world.calls.length, 1)
})

test('a method named like a member of every object does not exist', async () => {
  for (const method of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const answer = await exchange(createEchoWorld(), postOf({ ...PING, method }))
    assert.deepEqual(errorOf(answer), { status: 200, id: 1, code: -32601 })
  }
})

test('passes the caller to the tool and hides the exceptions of a tool', async () => {
  const world = createEchoWorld()
  const answer = await exchange(
    world,
    postOf({ ...PING, method: 'tools/call', params: { name: 'crash' } }),
  )
  assert.equal(world.calls[0]?.caller, 'ada')
  assert.deepEqual(answer.body, {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message: 'Internal error' },
  })
  assert.match(String(world.internalErrors[0]), /hunter2/)
})

test('a rate limit before execution is a 429 with each ID in the body', () => {
  const error = (answer: ReturnType<typeof rateLimitResponse>) => readAnswer(answer)
  const single = error(rateLimitResponse(postOf(PING).body, 12))
  assert.deepEqual(errorOf(single), { status: 429, id: 1, code: -32003 })
  assert.equal(single.headers['retry-after'], '12')
  assert.deepEqual((single.body as { error: { data: unknown } }).error.data, { retry_after: 12 })
  const batch = error(
    rateLimitResponse(postOf([PING, { ...PING, id: 'b' }, { method: 'n' }]).body, 1),
  )
  assert.deepEqual(
    (batch.body as { id: unknown }[]).map(({ id }) => id),
    [1, 'b'],
  )
  const unreadable = error(rateLimitResponse(postOfBytes(Buffer.from('{')).body, 1))
  assert.deepEqual(errorOf(unreadable), { status: 429, id: null, code: -32003 })
})

test('IDs are returned exactly as sent, in both eras', async () => {
  const world = createEchoWorld()
  const id = fc.oneof(fc.maxSafeInteger(), unicodeText())
  await fc.assert(
    fc.asyncProperty(id, fc.boolean(), async (sent, modern) => {
      const method = modern ? 'server/discover' : 'ping'
      const answer = await exchange(
        world,
        postOf(
          { jsonrpc: '2.0', id: sent, method, ...(modern && { params: { _meta: MODERN_META } }) },
          modern ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method } : {},
        ),
      )
      assert.equal((answer.body as { id: unknown }).id, sent)
      assert.notEqual(resultOf(answer), undefined)
    }),
  )
})

test('arbitrary bytes never throw and always get a well-formed response', async () => {
  const world = createEchoWorld()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) =>
      assertWellFormed(await answerMcp(world.endpoint, 'ada', postOfBytes(bytes))),
    ),
  )
})

test('arbitrary JSON, alone or as a member of a message, gets a well-formed response', async () => {
  const world = createEchoWorld()
  const some = (...values: unknown[]) => fc.oneof(fc.constantFrom(...values), fc.jsonValue())
  const message = fc.record(
    {
      jsonrpc: some('2.0'),
      id: some(1, 'a'),
      method: some('ping', 'initialize', 'tools/list', 'tools/call', 'server/discover'),
      params: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            name: some('echo', 'crash', 'limited'),
            arguments: fc.jsonValue(),
            cursor: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        fc.record({
          name: some('echo'),
          _meta: some(MODERN_META, { ...MODERN_META, progressToken: 1 }),
        }),
      ),
      result: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(fc.jsonValue(), message, fc.array(message, { maxLength: 4 }))
  const header = fc.oneof(
    fc.constantFrom('2025-11-25', '2025-03-26', '2026-07-28', '2030-01-01'),
    fc.string(),
  )
  const headers = fc.record(
    {
      'mcp-protocol-version': header,
      'mcp-method': fc.oneof(fc.constantFrom('ping', 'tools/call'), fc.string()),
      'mcp-name': fc.string(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(body, headers, async (sent, sentHeaders) =>
      assertWellFormed(await answerMcp(world.endpoint, 'ada', postOf(sent, sentHeaders))),
    ),
    { numRuns: 1000 },
  )
})

function assertWellFormed(answer: Awaited<ReturnType<typeof answerMcp>>): void {
  if (answer.status === 202) {
    assert.equal(answer.body, undefined)
    return
  }
  assert.ok([200, 400, 404, 429].includes(answer.status), String(answer.status))
  assert.equal(answer.headers['content-type'], 'application/json')
  const body = readAnswer(answer).body
  for (const entry of Array.isArray(body) ? (body as unknown[]) : [body]) {
    const { jsonrpc, id, result, error } = entry as Record<string, unknown>
    assert.equal(jsonrpc, '2.0')
    assert.ok(id === null || typeof id === 'string' || Number.isSafeInteger(id))
    assert.notEqual(result === undefined, error === undefined)
  }
}
