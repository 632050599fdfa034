/** Prompts of Weft as the protocol has them, and what completes their arguments and those of resources. */

import { MAX_COMPLETIONS, type CompleteArgument } from '../../tools/completion.ts'
import type { Database } from '../../db/database.ts'
import type { Prompt } from '../../tools/prompt.ts'
import type { Resource } from '../../tools/resource.ts'
import type { Complete, CompletionRequest } from '../protocol/completion-messages.ts'
import type { PromptProvider } from '../protocol/prompt-messages.ts'
import type { ToolCaller } from './tool-caller.ts'

export function recordPrompts(prompts: readonly Prompt[]): PromptProvider<ToolCaller> {
  return {
    list: prompts.map(({ name, title, description, arguments: all }) => ({
      name,
      title,
      description,
      arguments: all.map(({ complete: _complete, ...argument }) => argument),
    })),
    async get(_by, { name, arguments: given }) {
      const prompt = prompts.find((one) => one.name === name)
      if (!prompt) throw new Error(`${name} is not listed`)
      const content = { type: 'text', text: prompt.write(given) }
      const { description } = prompt
      return { kind: 'messages', description, messages: [{ role: 'user', content }] }
    },
  }
}

interface CompletionDeps {
  readonly database: Database
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
}

/** Completes arguments from the member's own network, free of charge. See `CompleteArgument` for what it returns. */
export function recordCompletions(deps: CompletionDeps): Complete<ToolCaller> {
  return async ({ caller }, request) => {
    const complete = completerOf(deps, request)
    if (complete === undefined) return undefined
    const db = deps.database.member(caller.memberId)
    const values = complete === null ? [] : await complete(db, request.value, caller.limits)
    return { values, hasMore: values.length >= MAX_COMPLETIONS }
  }
}

/** Null for an argument without suggestions, or that is not there; undefined for no such prompt or resource. */
function completerOf(
  { prompts, resources }: CompletionDeps,
  { of, argument }: CompletionRequest,
): CompleteArgument | null | undefined {
  if (of.kind === 'prompt') {
    const found = prompts.find(({ name }) => name === of.name)
    return found && (found.arguments.find(({ name }) => name === argument)?.complete ?? null)
  }
  const found = resources.find(({ uri }) => uri === of.uri)
  if (!found) return undefined
  const { complete = {} } = found
  // The name is the caller's: `constructor` is no argument.
  return Object.hasOwn(complete, argument) ? complete[argument] : null
}
