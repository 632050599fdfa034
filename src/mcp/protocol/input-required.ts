/** Input that a server can request from a client before a result (MCP 2026-07-28, basic/patterns/mrtr). */

import type { JsonObject } from './json-rpc.ts'
import type { MethodCall } from './method.ts'
import type { MethodAnswer } from './http-message.ts'

export interface InputRequest {
  readonly method: string
  readonly params: JsonObject
}

/** Input requests by keys that the server chooses. The responses use the same keys. */
export type InputRequests = Readonly<Record<string, InputRequest>>

/** Results as clients sent them: objects, otherwise unchecked. */
export type InputResponses = Readonly<Record<string, JsonObject>>

export interface Inputs {
  /** Empty in the first round. Clients may add responses that were not requested. */
  readonly responses: InputResponses
  /** The state from the previous round, if any. */
  readonly state?: unknown
}

export const NO_INPUTS: Inputs = { responses: {} }

/** Not an outcome yet: the request runs again with the client's responses. */
export interface InputRequired {
  readonly kind: 'input-required'
  readonly requests: InputRequests
  /** JSON that is returned in the next round. */
  readonly state?: unknown
}

/** Runs a request that may need input from the client. */
export type RunRounds<Caller> = <Outcome extends { readonly kind: string }>(
  call: MethodCall<Caller>,
  /** Identifies the request. */
  about: unknown,
  attempt: (inputs: Inputs) => Promise<Outcome | InputRequired>,
  /** Called with an outcome that needs no further input. */
  finish: (outcome: Outcome) => MethodAnswer,
) => Promise<MethodAnswer>
