/** `prompts/list` and `prompts/get` (MCP 2025-11-25 and 2026-07-28, server/prompts). */

import { INVALID_TEXT, findInvalidText } from '../../base/schema.ts'
import { invalidParams, isJsonObject, quote } from '../protocol/json-rpc.ts'
import {
  singlePage,
  methodError,
  resultOf,
  type Feature,
  type MethodHandler,
} from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { PromptListing, PromptOutcome, PromptProvider } from '../protocol/prompt-messages.ts'
import type { RunRounds } from '../protocol/input-required.ts'

/** Characters per argument. People fill prompts in, so arguments are short. */
const MAX_ARGUMENT_LENGTH = 2_000

export function promptsFeature<Caller>(
  provider: PromptProvider<Caller>,
  results: Results,
  rounds: RunRounds<Caller>,
): Feature<Caller> {
  return {
    capabilities: { prompts: {} },
    methods: {
      'prompts/list': singlePage(results.cacheable({ prompts: provider.list })),
      'prompts/get': getPrompt(provider, results, rounds),
    },
  }
}

function getPrompt<Caller>(
  provider: PromptProvider<Caller>,
  results: Results,
  rounds: RunRounds<Caller>,
): MethodHandler<Caller> {
  const byName = new Map(provider.list.map((prompt) => [prompt.name, prompt]))
  return (call) => {
    const name = call.params?.['name']
    if (typeof name !== 'string') return methodError(invalidParams('"name" must be a string'))
    const prompt = byName.get(name)
    if (!prompt) return methodError(invalidParams(`there is no prompt named ${quote(name)}`))
    const given = call.params?.['arguments'] ?? {}
    const wrong = findArgumentError(prompt, given)
    if (wrong !== undefined) return methodError(invalidParams(wrong))
    // Validated above: an object of strings.
    const filled = given as Readonly<Record<string, string>>
    return rounds(
      call,
      ['prompts/get', name, filled],
      (inputs) => provider.get(call.caller, { name, arguments: filled, inputs }),
      (outcome) => answerOf(outcome, results),
    )
  }
}

/** The error in the arguments of a prompt, if any. */
function findArgumentError(prompt: PromptListing, given: unknown): string | undefined {
  if (!isJsonObject(given)) return '"arguments" must be an object'
  const known = new Set(prompt.arguments.map(({ name }) => name))
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name)) return `${prompt.name} has no argument ${quote(name)}`
    if (typeof value !== 'string' || value.length > MAX_ARGUMENT_LENGTH)
      return `${name} must be a string of at most ${MAX_ARGUMENT_LENGTH} characters`
    if (findInvalidText(value) !== undefined) return `${name} ${INVALID_TEXT}`
  }
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name])
  return missing && `${missing.name} is required`
}

function answerOf(
  outcome: Exclude<PromptOutcome, { kind: 'input-required' }>,
  results: Results,
): MethodAnswer {
  if (outcome.kind === 'error') return methodError(outcome.error)
  const { description, messages } = outcome
  return resultOf(results.complete(JSON.stringify({ description, messages })))
}
