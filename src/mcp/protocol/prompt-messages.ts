/** The interface between the protocol and prompts: listing, request and result. */

import type { JsonObject, RpcError } from './json-rpc.ts'
import type { InputRequired, Inputs } from './input-required.ts'

/** MCP 2026-07-28, schema: Prompt. */
export interface PromptListing {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
}

interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly required: boolean
}

export interface PromptRequest {
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
  readonly inputs: Inputs
}

/** MCP 2026-07-28, schema: PromptMessage. */
interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject
}

export type PromptOutcome =
  | InputRequired
  | {
      readonly kind: 'messages'
      readonly description?: string
      readonly messages: readonly PromptMessage[]
    }
  | { readonly kind: 'error'; readonly error: RpcError }

/** The prompts of a server. The list is the same for every caller. */
export interface PromptProvider<Caller> {
  readonly list: readonly PromptListing[]
  /** Called only for listed prompts, with all required arguments and no unknown ones. */
  get(caller: Caller, request: PromptRequest): Promise<PromptOutcome>
}
