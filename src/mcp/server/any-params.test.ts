/** Any parameters from a client are accepted or rejected and never cause an internal error. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  conformanceEndpoint,
  conformanceServer,
} from '../../../test/support/conformance-profile.ts'
import { answerMcp } from './exchange.ts'
import { MODERN_META, modernPost, postOf, readAnswer } from '../../../test/fixtures/mcp-exchange.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

const NAMES = ['name', 'uri', 'taskId', 'arguments', 'cursor', 'ref', 'argument', 'notifications']
const MORE_NAMES = ['inputResponses', 'requestState', 'level']

/** Sometimes the members that a method expects. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('test_simple_prompt', 'test://static-text', 'test_simple_text', '1'),
  fc.record({ type: fc.constantFrom('ref/prompt', 'ref/resource'), name: fc.jsonValue() }),
  fc.record({ name: fc.jsonValue(), value: fc.jsonValue() }),
  fc.dictionary(fc.string(), fc.jsonValue()),
)
const params = fc.dictionary(fc.constantFrom(...NAMES, ...MORE_NAMES), value)

test('no parameters of any method cause an internal error', async () => {
  const failures: unknown[] = []
  const onInternalError = (error: unknown) => void failures.push(error)
  const endpoint = conformanceEndpoint({ server: { ...conformanceServer(), onInternalError } })
  const methods = [...new Set([...endpoint.modernMethods.keys(), ...endpoint.legacyMethods.keys()])]
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  const meta = { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': { extensions } }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), params, async (method, given) => {
      const message = { jsonrpc: '2.0', id: 1, method, params: given }
      for (const request of [
        modernPost(method, given, nameHeader(method, given), meta),
        postOf(message),
      ]) {
        const { status, body } = readAnswer(await answerMcp(endpoint, 'ada', request))
        assert.ok(status < 500)
        assert.ok('result' in (body as object) || 'error' in (body as object))
      }
      assert.deepEqual(failures, [])
    }),
    { numRuns: 500 },
  )
})

/** The header that mirrors the name in the body. */
function nameHeader(method: string, given: JsonObject): Record<string, string> {
  const text =
    given[method.startsWith('tasks/') ? 'taskId' : method === 'resources/read' ? 'uri' : 'name']
  if (typeof text !== 'string') return {}
  return { 'mcp-name': `=?base64?${Buffer.from(text).toString('base64')}?=` }
}
