/** `completion/complete`: suggests values for prompt arguments and resource template variables. */

import { invalidParams, isJsonObject } from '../protocol/json-rpc.ts'
import { methodError, resultOf, type Feature, type MethodHandler } from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'
import type { CompletionReference, Completion, Complete } from '../protocol/completion-messages.ts'

/** Characters. Longer values get no completions. */
const MAX_VALUE_LENGTH = 200

export function completionsFeature<Caller>(
  complete: Complete<Caller>,
  results: Results,
): Feature<Caller> {
  return {
    capabilities: { completions: {} },
    methods: { 'completion/complete': completer(complete, results) },
  }
}

function completer<Caller>(complete: Complete<Caller>, results: Results): MethodHandler<Caller> {
  return async ({ caller, params = {} }) => {
    const of = referenceOf(params['ref'])
    if (!of) return methodError(invalidParams('"ref" must name a prompt or a resource'))
    const { name, value } = isJsonObject(params['argument']) ? params['argument'] : {}
    if (typeof name !== 'string' || typeof value !== 'string')
      return methodError(invalidParams('"argument" must have a name and a value, both strings'))
    const completion =
      value.length > MAX_VALUE_LENGTH || !value.isWellFormed()
        ? NOTHING
        : await complete(caller, { of, argument: name, value })
    if (!completion) return methodError(invalidParams('"ref" names no prompt or resource template'))
    return resultOf(results.complete(JSON.stringify({ completion })))
  }
}

const NOTHING: Completion = { values: [], hasMore: false }

function referenceOf(ref: unknown): CompletionReference | undefined {
  if (!isJsonObject(ref)) return undefined
  const { type, name, uri } = ref
  if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', name }
  if (type === 'ref/resource' && typeof uri === 'string') return { kind: 'resource', uri }
  return undefined
}
