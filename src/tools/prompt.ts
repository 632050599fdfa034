/** A prompt is a record: instructions that a person selects and fills in, and that their agent follows with the tools. */

import type { CompleteArgument } from './completion.ts'

export interface Prompt {
  /** snake_case. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** The tools that it tells the agent to call. An agent that may not use one of them is not offered the prompt. */
  readonly uses: readonly string[]
  /** What the agent reads. Contains no member data except the arguments, so it is free. */
  write(given: Readonly<Record<string, string>>): string
}

interface PromptArgument {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly required: boolean
  readonly complete?: CompleteArgument
}

/** Checks the type of the record. */
export function definePrompt(prompt: Prompt): Prompt {
  return prompt
}

/** Quotes a value and puts it on its own line, to separate what a person typed from the instructions. */
export function given(label: string, value: string | undefined): string {
  return value === undefined || value.trim() === '' ? '' : `${label}: ${JSON.stringify(value)}\n`
}
