/**
 * Requests that may need input from the client, for both eras. A 2026-07-28 client gets the input requests as a result,
 * and repeats its request with the responses. A legacy client is asked while its request runs.
 */

import { requestFingerprint } from '../../guards/idempotency-key.ts'
import { undeclaredCapability } from '../protocol/client-capabilities.ts'
import { ClientRequestTimeout, type ClientRequests } from '../protocol/client-requests.ts'
import {
  NO_INPUTS,
  type Asking,
  type InputRequired,
  type Inputs,
} from '../protocol/input-required.ts'
import { invalidParams, invalidRequest, isJsonObject, type RpcError } from '../protocol/json-rpc.ts'
import { methodError, resultOf, type MethodCall } from '../protocol/method.ts'
import type { ModernResults } from '../protocol/modern-result.ts'
import { openState, sealState } from '../protocol/request-state.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'

/** Stops a tool that asks for input endlessly. Rounds per legacy request. */
const MAX_ROUNDS = 10

export type RunRounds<Caller> = <Outcome extends { readonly kind: string }>(
  call: MethodCall<Caller>,
  /** Identifies the request. State is bound to it. */
  about: unknown,
  attempt: (inputs: Inputs) => Promise<Outcome | InputRequired>,
  /** Called with an outcome that needs no further input. */
  finish: (outcome: Outcome) => MethodAnswer,
) => Promise<MethodAnswer>

export function roundsOf<Caller>(
  asking: Asking<Caller> | undefined,
  asked: ClientRequests,
  results: ModernResults,
): RunRounds<Caller> {
  return async (call, about, attempt, finish) => {
    const seal = asking && sealOf(asking, call, about)
    const read = readInputs(call, seal)
    if ('error' in read) return methodError(read.error)
    let { inputs } = read
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const outcome = await attempt(inputs)
      if (!isInputRequired(outcome)) return finish(outcome)
      if (!asking || !seal) throw new Error('a server that asks its clients needs `asking`')
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

function isInputRequired(outcome: { readonly kind: string }): outcome is InputRequired {
  return outcome.kind === 'input-required'
}

function askAgain<Caller>(
  { clientCapabilities = {} }: MethodCall<Caller>,
  { requests, state }: InputRequired,
  seal: Seal,
  results: ModernResults,
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
  seal: Seal | undefined,
): { readonly inputs: Inputs } | { readonly error: RpcError } {
  if (era === 'legacy' || !params) return { inputs: NO_INPUTS }
  const { inputResponses, requestState } = params
  if (inputResponses === undefined && requestState === undefined) return { inputs: NO_INPUTS }
  const responses = inputResponses === undefined ? {} : inputResponses
  if (!isMapOfObjects(responses))
    return { error: invalidParams('"inputResponses" must be an object of results') }
  if (requestState === undefined) return { inputs: { responses, state: undefined } }
  const opened = typeof requestState === 'string' ? seal?.open(requestState) : undefined
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
