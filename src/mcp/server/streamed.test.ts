/** Messages before a result: progress, changes, and requests to legacy clients. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  conformanceEndpoint,
  conformanceServer,
} from '../../../test/support/conformance-profile.ts'
import { createMcpEndpoint } from './endpoint.ts'
import { answerMcp } from './exchange.ts'
import {
  errorOf,
  messagesOf,
  MODERN_META,
  modernPost,
  postOf,
  readAnswer,
  resultOf,
} from '../../../test/fixtures/mcp-exchange.ts'
import type { McpAnswer, McpRequest } from '../protocol/http-message.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

const EVENTS = { accept: 'application/json, text/event-stream' }
const WITH_TOKEN = { ...MODERN_META, progressToken: 'p1' }

function createWorld() {
  const endpoint = conformanceEndpoint()
  return {
    send: (request: McpRequest, caller = 'ada') => answerMcp(endpoint, caller, request),
  }
}

function modernCall(name: string, meta: JsonObject = MODERN_META, headers: JsonObject = EVENTS) {
  return modernPost('tools/call', { name, arguments: {} }, headers as Record<string, string>, meta)
}

function legacyCall(
  name: string,
  params: JsonObject = {},
  headers: Record<string, string> = EVENTS,
) {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...params } }
  return postOf(message, { 'mcp-protocol-version': '2025-11-25', ...headers })
}

async function allOf(answer: McpAnswer): Promise<JsonObject[]> {
  const messages: JsonObject[] = []
  for await (const message of messagesOf(answer)) messages.push(message)
  return messages
}

function paramsOf(message: JsonObject | undefined): JsonObject {
  return isJsonObject(message?.['params']) ? message['params'] : {}
}

test('progress is sent as events before the result, in both eras, if the request has a token', async () => {
  const requests = [
    modernCall('test_tool_with_progress', WITH_TOKEN),
    legacyCall('test_tool_with_progress', { _meta: { progressToken: 'p1' } }),
  ]
  for (const request of requests) {
    const answer = await createWorld().send(request)
    assert.equal(answer.headers['content-type'], 'text/event-stream')
    const messages = await allOf(answer)
    assert.deepEqual(
      messages.slice(0, -1).map((message) => [message['method'], paramsOf(message)]),
      [0, 50, 100].map((progress) => [
        'notifications/progress',
        { progressToken: 'p1', progress, total: 100, message: `Completed step ${progress} of 100` },
      ]),
    )
    assert.equal(messages.at(-1)?.['id'], 1)
    assert.ok('result' in (messages.at(-1) ?? {}))
  }
})

test('without a token, or for a client that only reads JSON, the response is JSON', async () => {
  const requests = [
    modernCall('test_tool_with_progress'),
    modernCall('test_tool_with_progress', WITH_TOKEN, { accept: 'application/json' }),
    legacyCall('test_tool_with_progress', { _meta: { progressToken: {} } }),
  ]
  for (const request of requests) {
    const answer = await createWorld().send(request)
    assert.equal(answer.headers['content-type'], 'application/json')
    assert.ok(resultOf(readAnswer(answer)))
  }
})

test('Accept follows HTTP: wildcards accept events, and a quality of 0 rejects them', async () => {
  const ranges: Readonly<Record<string, boolean>> = {
    '*/*': true,
    'text/*': true,
    'application/json, text/*;q=0.5': true,
    'application/json;q=0.9, TEXT/EVENT-STREAM': true,
    'application/json': false,
    'application/*': false,
    'text/html': false,
    'text/event-stream;q=0, */*': false,
    'text/*;q=0, */*': false,
    'application/json, x-text/event-stream': false,
  }
  for (const [accept, streams] of Object.entries(ranges))
    for (const request of [
      modernCall('test_tool_with_progress', WITH_TOKEN, { accept }),
      legacyCall('test_tool_with_progress', { _meta: { progressToken: 'p1' } }, { accept }),
    ]) {
      const { headers } = await createWorld().send(request)
      assert.equal(headers['content-type'] === 'text/event-stream', streams, accept)
    }
})

test('a report without further progress is not sent', async () => {
  const server = conformanceServer()
  const endpoint = createMcpEndpoint<string>({
    ...server,
    async callTool(_caller, { progress }) {
      for (const done of [1, 1, 0, 2]) progress?.(done)
      return { kind: 'serialized', members: '"content":[]' }
    },
  })
  const messages = await allOf(await answerMcp(endpoint, 'ada', modernCall('any', WITH_TOKEN)))
  const told = messages.map((message) => paramsOf(message)['progress'])
  assert.deepEqual(told, [1, 2, undefined])
})

test('a call in a batch sends no messages before its result: the response is one document', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  const params = { name: 'test_tool_with_progress', _meta: { progressToken: 1 } }
  const answer = await createWorld().send(postOf([{ ...call, params }], EVENTS))
  assert.equal((readAnswer(answer).body as unknown[]).length, 1)
})

test('an error after progress is the last event', async () => {
  const server = conformanceServer()
  const endpoint = createMcpEndpoint<string>({
    ...server,
    onInternalError: () => {},
    callTool: (_caller, { progress }) => {
      progress?.(1)
      return Promise.reject(new Error('the password is hunter2'))
    },
  })
  const messages = await allOf(await answerMcp(endpoint, 'ada', modernCall('any', WITH_TOKEN)))
  assert.deepEqual(messages.at(-1), {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message: 'Internal error' },
  })
})

test('subscriptions/listen acknowledges first, then sends only the requested notifications', async () => {
  const world = createWorld()
  const listen = modernPost(
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    EVENTS,
  )
  const answer = await world.send(listen)
  const messages = messagesOf(answer)
  const tag = { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } }
  assert.deepEqual((await messages.next()).value, {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true }, ...tag },
  })
  await world.send(modernCall('test_trigger_prompt_change'))
  await world.send(modernCall('test_trigger_tool_change'))
  assert.deepEqual((await messages.next()).value, {
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: tag,
  })
  answer.stream?.stop?.()
  const last: unknown = (await messages.next()).value
  assert.deepEqual(isJsonObject(last) && last['id'], 1)
  assert.equal((await messages.next()).done, true)
})

test('subscriptions/listen rejects invalid filters and clients that do not accept events', async () => {
  const bad = await createWorld().send(modernPost('subscriptions/listen', {}, EVENTS))
  assert.deepEqual(errorOf(readAnswer(bad)), { status: 200, id: 1, code: -32602 })
  const deaf = await createWorld().send(modernPost('subscriptions/listen', { notifications: {} }))
  assert.deepEqual(errorOf(readAnswer(deaf)), { status: 406, id: 1, code: -32602 })
})

test('a legacy client is asked on the stream and responds with a separate POST', async () => {
  const world = createWorld()
  const call = legacyCall('test_elicitation', { arguments: { message: 'Well?' } })
  const messages = messagesOf(await world.send(call))
  const asked: unknown = (await messages.next()).value
  assert.ok(isJsonObject(asked) && typeof asked['id'] === 'string')
  assert.equal(asked['method'], 'elicitation/create')
  assert.equal(paramsOf(asked)['message'], 'Well?')
  const respond = (response: object, caller: string) =>
    world.send(postOf({ jsonrpc: '2.0', id: asked['id'], ...response }), caller)
  const accepted = { result: { action: 'accept', content: { response: 'fine' } } }
  const stolen = { result: { action: 'accept', content: { response: 'stolen' } } }
  assert.equal((await respond(stolen, 'grace')).status, 202, 'another caller is ignored')
  assert.equal((await respond(accepted, 'ada')).status, 202)
  assert.equal((await respond(stolen, 'ada')).status, 202, 'and so is a second response')
  const last = JSON.stringify((await messages.next()).value)
  assert.match(last, /fine/)
  assert.doesNotMatch(last, /stolen/)
})

test('a legacy client that declines, disconnects or cannot be asked gets an error', async () => {
  const world = createWorld()
  const refusing = messagesOf(await world.send(legacyCall('test_sampling')))
  const asked: unknown = (await refusing.next()).value
  const error = { code: -1, message: 'no sampling here' }
  await world.send(postOf({ jsonrpc: '2.0', id: isJsonObject(asked) && asked['id'], error }))
  assert.match(JSON.stringify((await refusing.next()).value), /no sampling here/)

  const deaf = await world.send(legacyCall('test_sampling', {}, {}))
  assert.deepEqual(errorOf(readAnswer(deaf)), { status: 200, id: 1, code: -32600 })

  const leaving = await world.send(legacyCall('test_sampling'))
  const events = leaving.stream?.[Symbol.asyncIterator]()
  await events?.next()
  await events?.return?.()
  assert.equal((await events?.next())?.done, true)
})
