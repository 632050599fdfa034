/** The response in both eras when the service is unavailable, for every method. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestError } from '../../base/request-error.ts'
import { createMcpEndpoint } from './endpoint.ts'
import { answerMcp } from './exchange.ts'
import {
  ECHO_TOOL,
  messagesOf,
  MODERN_META,
  modernPost,
  postOf,
  readAnswer,
  SERVER_INFO,
} from '../../../test/fixtures/mcp-exchange.ts'
import type { McpRequest } from '../protocol/http-message.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

const GONE = new RequestError('unavailable', 'Not now.', { retryAfter: 7 })

/** Reports progress if requested, and then fails. Reading a resource fails too. */
function send(request: McpRequest) {
  const endpoint = createMcpEndpoint<string>({
    serverInfo: SERVER_INFO,
    instructions: '',
    toolsList: [ECHO_TOOL],
    callTool: async (_caller, { progress }) => {
      progress?.(1, 2)
      throw GONE
    },
    resources: { list: [], templates: [], read: () => Promise.reject(GONE) },
    onInternalError: () => {},
  })
  return answerMcp(endpoint, 'ada', request)
}

const READ = { uri: 'weft://me' }
const CALL = { name: 'echo', arguments: { text: 'hello' } }
const FAILED = { code: -32603, message: 'Not now.', data: { code: 'unavailable', retry_after: 7 } }

function legacyPost(method: string, params: JsonObject): McpRequest {
  return postOf({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25' })
}

test('every method is 503 with Retry-After and the ID of its request', async () => {
  for (const request of [
    legacyPost('tools/call', CALL),
    legacyPost('resources/read', READ),
    modernPost('tools/call', CALL),
    modernPost('resources/read', READ, { 'mcp-name': READ.uri }),
  ]) {
    const { status, headers, body } = readAnswer(await send(request))
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '7')
    assert.deepEqual(body, { jsonrpc: '2.0', id: 1, error: FAILED })
  }
})

test('if the stream has begun, its last message is the error', async () => {
  const meta = { ...MODERN_META, progressToken: 'p1' }
  const accept = { accept: 'application/json, text/event-stream' }
  const answer = await send(modernPost('tools/call', CALL, accept, meta))
  assert.equal(answer.status, 200)
  const messages: JsonObject[] = []
  for await (const message of messagesOf(answer)) messages.push(message)
  assert.deepEqual(messages.at(-1), { jsonrpc: '2.0', id: 1, error: FAILED })
})
