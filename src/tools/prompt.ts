/** A prompt is a record: instructions that a person picks and fills in, and their agent follows with the tools. */

import type { CompleteArgument } from './completion.ts'

export interface Prompt {
  /** snake_case. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** What the agent reads. It holds nothing of the member's but the arguments, so it costs nothing. */
  write(given: Readonly<Record<string, string>>): string
}

export interface PromptArgument {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly required: boolean
  readonly complete?: CompleteArgument
}

export function definePrompt(prompt: Prompt): Prompt {
  return prompt
}

/** A value on a line of its own, in quotes: where what a person typed ends, instructions go on. */
export function given(label: string, value: string | undefined): string {
  return value === undefined || value.trim() === '' ? '' : `${label}: ${JSON.stringify(value)}\n`
}
