/** The types that connect `completion/complete` to the code that computes suggestions. */

/** MCP 2026-07-28, server/utilities/completion: Reference Types. */
export type CompletionReference =
  | { readonly kind: 'prompt'; readonly name: string }
  | { readonly kind: 'resource'; readonly uri: string }

export interface CompletionRequest {
  readonly of: CompletionReference
  readonly argument: string
  /** The text typed so far. */
  readonly value: string
}

export interface Completion {
  /** At most 100, best first. */
  readonly values: readonly string[]
  readonly hasMore: boolean
}

/** Undefined for an unknown prompt or resource template. An unknown argument gets an empty list. */
export type Complete<Caller> = (
  caller: Caller,
  request: CompletionRequest,
) => Promise<Completion | undefined>
