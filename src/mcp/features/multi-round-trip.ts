/**
 * Requests that may need input from the client (MCP 2026-07-28, basic/patterns/mrtr). The input requests are the
 * result, and the client repeats its request with the responses. No state is stored in between, so any node can handle
 * either request.
 */

import { ClientRequestTimeout, type LegacyAsking } from './client-requests.ts'
import {
  NO_INPUTS,
  type InputRequired,
  type InputRequests,
  type InputResponses,
  type Inputs,
  type RunRounds,
} from '../protocol/input-required.ts'
import { invalidParams, isJsonObject } from '../protocol/json-rpc.ts'
import { methodError, resultOf, type MethodCall } from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'

/** For servers that only ask clients that declare the capability. A legacy client is asked while its request runs. */
export function statelessRounds<Caller>(
  results: Results,
  asking?: LegacyAsking<Caller>,
): RunRounds<Caller> {
  return async (call, _about, attempt, finish) => {
    const inputs = readInputs(call)
    if (!inputs) return NOT_RESPONSES
    const outcome = await attempt(inputs)
    if (!isInputRequired(outcome)) return finish(outcome)
    if (call.era === 'legacy') {
      const responses = await askLegacy(call, outcome.requests, asking)
      const second = await attempt({ responses })
      if (isInputRequired(second)) throw new Error('input was requested from a client twice')
      return finish(second)
    }
    return resultOf(
      results.of('input_required', JSON.stringify({ inputRequests: outcome.requests })),
    )
  }
}

/** True if the request runs again with responses of the client. */
export function isInputRequired(outcome: { readonly kind: string }): outcome is InputRequired {
  return outcome.kind === 'input-required'
}

/** A client that does not respond counts as a person who closes each question. */
async function askLegacy<Caller>(
  { caller, reply }: MethodCall<Caller>,
  requests: InputRequests,
  asking: LegacyAsking<Caller> | undefined,
): Promise<InputResponses> {
  if (!asking) throw new Error('input was requested from a legacy client')
  try {
    return await asking.requests.ask(asking.principalOf(caller), requests, reply)
  } catch (error) {
    if (!(error instanceof ClientRequestTimeout)) throw error
    return Object.fromEntries(Object.keys(requests).map((key) => [key, { action: 'cancel' }]))
  }
}

const NOT_RESPONSES = methodError(invalidParams('"inputResponses" must be an object of results'))

/** Undefined for responses that are not objects. */
function readInputs<Caller>({ era, params }: MethodCall<Caller>): Inputs | undefined {
  const responses = era === 'modern' ? params?.['inputResponses'] : undefined
  if (responses === undefined) return NO_INPUTS
  if (!isJsonObject(responses) || !Object.values(responses).every(isJsonObject)) return undefined
  // Validated above: every member is an object.
  return { responses: responses as Inputs['responses'] }
}
