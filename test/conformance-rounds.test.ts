/** Requests in several rounds (MCP 2026-07-28): input requests, responses, and the state between rounds. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fixedClock } from './support/store.ts'
import { conformanceEndpoint } from './support/conformance-profile.ts'
import { MINUTE } from '../src/base/clock.ts'
import { answerMcp } from '../src/mcp/server/exchange.ts'
import { errorOf, MODERN_META, modernPost, readAnswer, resultOf } from './fixtures/mcp-exchange.ts'
import { isJsonObject, type JsonObject } from '../src/mcp/protocol/json-rpc.ts'
import { openState, sealState } from './support/request-state.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const REMEMBERS = 'test_input_required_result_request_state'
const CONFIRMED = { confirm: { action: 'accept', content: { ok: true } } }

function createWorld() {
  const clock = fixedClock()
  const endpoint = conformanceEndpoint({ clock })
  const meta = { ...MODERN_META, [CAPABILITIES]: { elicitation: {}, sampling: {}, roots: {} } }
  const send = async (
    method: string,
    params: JsonObject,
    caller = 'ada',
    declared: JsonObject = meta,
  ) => readAnswer(await answerMcp(endpoint, caller, modernPost(method, params, {}, declared)))
  return {
    clock,
    send,
    call: (params: JsonObject, caller?: string) => send('tools/call', params, caller),
  }
}

/** The state that the first round returned. */
async function firstState(world: ReturnType<typeof createWorld>): Promise<string> {
  const result = resultOf(await world.call({ name: REMEMBERS }))
  assert.ok(isJsonObject(result) && typeof result['requestState'] === 'string')
  assert.equal(result['resultType'], 'input_required')
  return result['requestState']
}

test('a request that needs input returns input requests, and completes when it is repeated with responses', async () => {
  const world = createWorld()
  const requestState = await firstState(world)
  const again = { name: REMEMBERS, requestState, inputResponses: CONFIRMED }
  const answer = await world.call(again)
  assert.match(JSON.stringify(resultOf(answer)), /state-ok/)
})

test('state is valid only for its caller, its request and its lifetime', async () => {
  const world = createWorld()
  const requestState = await firstState(world)
  const again = { name: REMEMBERS, requestState, inputResponses: CONFIRMED }
  const refused = { status: 200, id: 1, code: -32602 }
  assert.deepEqual(errorOf(await world.call(again, 'grace')), refused)
  assert.deepEqual(errorOf(await world.call({ ...again, arguments: { other: 1 } })), refused)
  const other = 'test_input_required_result_tampered_state'
  assert.deepEqual(errorOf(await world.call({ ...again, name: other })), refused)
  world.clock.advance(16 * MINUTE)
  assert.deepEqual(errorOf(await world.call(again)), refused)
})

test('changed text cannot be unsealed', () => {
  const key = Buffer.from('a key of this test')
  const sealed = sealState(key, 'about', { n: 1 }, 0)
  assert.deepEqual(openState(key, 'about', sealed, 0), { state: { n: 1 } })
  fc.assert(
    fc.property(fc.nat(sealed.length), fc.string({ maxLength: 3 }), (at, text) => {
      const changed = sealed.slice(0, at) + text + sealed.slice(at + text.length)
      assert.equal(openState(key, 'about', changed, 0) !== undefined, changed === sealed)
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => openState(key, 'about', text, 0) === undefined))
})

test('invalid input responses are rejected before anything runs', async () => {
  const world = createWorld()
  for (const bad of [{ inputResponses: null }, { inputResponses: { a: 1 } }, { requestState: 7 }])
    assert.equal(errorOf(await world.call({ name: REMEMBERS, ...bad })).code, -32602)
})

test('a client is not asked for undeclared capabilities: -32021 names those that are missing', async () => {
  const world = createWorld()
  const params = { name: 'test_input_required_result_multiple_inputs' }
  const declared = { ...MODERN_META, [CAPABILITIES]: { elicitation: {} } }
  const answer = await world.send('tools/call', params, 'ada', declared)
  assert.deepEqual(errorOf(answer), { status: 400, id: 1, code: -32021 })
  const { error } = answer.body as { error: { data: unknown } }
  assert.deepEqual(error.data, { requiredCapabilities: { sampling: {}, roots: {} } })
})

test('prompts can request input', async () => {
  const world = createWorld()
  const name = 'test_input_required_result_prompt'
  const first = resultOf(await world.send('prompts/get', { name }))
  assert.ok(isJsonObject(first) && isJsonObject(first['inputRequests']))
  const inputResponses = { user_context: { action: 'accept', content: { context: 'a test' } } }
  const second = await world.send('prompts/get', { name, inputResponses })
  assert.match(JSON.stringify(resultOf(second)), /In this context: a test/)
})
