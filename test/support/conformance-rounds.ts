/**
 * Requests that may need input from the client, for both eras. A 2026-07-28 client gets the input requests as a result,
 * and repeats its request with the responses. A legacy client is asked while its request runs.
 */

import { requestFingerprint } from '../../src/guards/idempotency-key.ts'
import { missingCapability } from '../../src/mcp/protocol/client-capabilities.ts'
import { isInputRequired } from '../../src/mcp/features/multi-round-trip.ts'
import {
  ClientRequestTimeout,
  type ClientRequests,
} from '../../src/mcp/features/client-requests.ts'
import {
  NO_INPUTS,
  type InputRequests,
  type InputRequired,
  type Inputs,
  type RunRounds,
} from '../../src/mcp/protocol/input-required.ts'
import {
  invalidParams,
  invalidRequest,
  isJsonObject,
  type JsonObject,
  type RpcError,
} from '../../src/mcp/protocol/json-rpc.ts'
import { methodError, resultOf, type MethodCall } from '../../src/mcp/protocol/method.ts'
import type { Results } from '../../src/mcp/protocol/results.ts'
import { openState, sealState } from './request-state.ts'
import type { MethodAnswer } from '../../src/mcp/protocol/http-message.ts'
import type { Clock } from '../../src/base/clock.ts'

/** Stops a tool that asks for input endlessly. Rounds per legacy request. */
const MAX_ROUNDS = 10

/** Dependencies of a server that asks its clients in several rounds, including legacy clients. */
interface Asking<Caller> {
  /** Identifies the caller. Only the caller who was asked can respond. */
  principalOf(caller: Caller): string
  /** Seals the state between rounds. The same key on every node of a service. */
  readonly key: Uint8Array
  readonly clock: Clock
}

export function roundsOf<Caller>(
  asking: Asking<Caller>,
  asked: ClientRequests,
  results: Results,
): RunRounds<Caller> {
  return async (call, about, attempt, finish) => {
    const seal = sealOf(asking, call, about)
    const read = readInputs(call, seal)
    if ('error' in read) return methodError(read.error)
    let { inputs } = read
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const outcome = await attempt(inputs)
      if (!isInputRequired(outcome)) return finish(outcome)
      if (call.era === 'modern') return askAgain(call, outcome, seal, results)
      try {
        const principal = asking.principalOf(call.caller)
        const responses = await asked.ask(principal, outcome.requests, call.reply)
        inputs = { responses, state: outcome.state }
      } catch (error) {
        if (error instanceof ClientRequestTimeout) return methodError(unanswered(error))
        throw error
      }
    }
    throw new Error(`a request asked the client for input ${MAX_ROUNDS} times`)
  }
}

function askAgain<Caller>(
  { clientCapabilities = {} }: MethodCall<Caller>,
  { requests, state }: InputRequired,
  seal: Seal,
  results: Results,
): MethodAnswer {
  const missing = undeclaredCapability(requests, clientCapabilities)
  if (missing) return methodError(missing)
  return resultOf(
    results.of(
      'input_required',
      JSON.stringify({
        ...(Object.keys(requests).length > 0 && { inputRequests: requests }),
        ...(state !== undefined && { requestState: seal.close(state) }),
      }),
    ),
  )
}

interface Seal {
  close(state: unknown): string
  open(sealed: string): { readonly state: unknown } | undefined
}

function sealOf<Caller>(
  asking: Asking<Caller>,
  { caller }: MethodCall<Caller>,
  about: unknown,
): Seal {
  const { key, clock } = asking
  const whose = () => requestFingerprint([asking.principalOf(caller), about])
  return {
    close: (state) => sealState(key, whose(), state, clock.now()),
    open: (sealed) => openState(key, whose(), sealed, clock.now()),
  }
}

/** The input in the request: none in the first round, and never any in the legacy era. */
function readInputs<Caller>(
  { era, params }: MethodCall<Caller>,
  seal: Seal,
): { readonly inputs: Inputs } | { readonly error: RpcError } {
  if (era === 'legacy' || !params) return { inputs: NO_INPUTS }
  const { inputResponses, requestState } = params
  if (inputResponses === undefined && requestState === undefined) return { inputs: NO_INPUTS }
  const responses = inputResponses === undefined ? {} : inputResponses
  if (!isMapOfObjects(responses))
    return { error: invalidParams('"inputResponses" must be an object of results') }
  if (requestState === undefined) return { inputs: { responses, state: undefined } }
  const opened = typeof requestState === 'string' ? seal.open(requestState) : undefined
  if (!opened)
    return {
      error: invalidParams('"requestState" was not issued for this request, or has expired'),
    }
  return { inputs: { responses, state: opened.state } }
}

function isMapOfObjects(value: unknown): value is Inputs['responses'] {
  return isJsonObject(value) && Object.values(value).every(isJsonObject)
}

function unanswered({ message }: ClientRequestTimeout): RpcError {
  return { ...invalidRequest(message), status: 200 }
}

/** The error for capabilities that these requests need and the client does not declare; undefined if there are none. */
function undeclaredCapability(requests: InputRequests, declared: JsonObject): RpcError | undefined {
  const needed = Object.values(requests).map(({ method, params }) => neededBy(method, params))
  const missing = needed.filter(({ name, mode }) => !declares(declared[name], mode))
  if (missing.length === 0) return undefined
  return missingCapability(
    Object.fromEntries(
      missing.map(({ name, mode }) => [name, mode === undefined ? {} : { [mode]: {} }]),
    ),
  )
}

interface Capability {
  readonly name: string
  readonly mode?: 'url'
}

function neededBy(method: string, params: JsonObject): Capability {
  if (method === 'sampling/createMessage') return { name: 'sampling' }
  if (method === 'roots/list') return { name: 'roots' }
  return params['mode'] === 'url' ? { name: 'elicitation', mode: 'url' } : { name: 'elicitation' }
}

/** Elicitation that names no mode is by form (MCP 2026-07-28, client/elicitation: Capabilities). */
function declares(capability: unknown, mode: string | undefined): boolean {
  if (!isJsonObject(capability)) return false
  return mode === undefined || isJsonObject(capability[mode])
}
