/**
 * Requests that may need input from the client (MCP 2026-07-28, basic/patterns/mrtr). The input requests are the
 * result, and the client repeats its request with the responses. No state is stored in between, so any node can handle
 * either request.
 */

import {
  isInputRequired,
  NO_INPUTS,
  type Inputs,
  type RunRounds,
} from '../protocol/input-required.ts'
import { invalidParams, isJsonObject } from '../protocol/json-rpc.ts'
import { methodError, resultOf, type MethodCall } from '../protocol/method.ts'
import type { ModernResults } from '../protocol/modern-result.ts'

/** For servers that only ask clients that declare the capability, which a legacy request cannot do. */
export function statelessRounds<Caller>(results: ModernResults): RunRounds<Caller> {
  return async (call, _about, attempt, finish) => {
    const inputs = readInputs(call)
    if (!inputs) return NOT_RESPONSES
    const outcome = await attempt(inputs)
    if (!isInputRequired(outcome)) return finish(outcome)
    if (call.era === 'legacy') throw new Error('input was requested from a legacy client')
    return resultOf(
      results.of('input_required', JSON.stringify({ inputRequests: outcome.requests })),
    )
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
