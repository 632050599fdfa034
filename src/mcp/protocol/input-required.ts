/** What a server may ask of a client on the way to a result (MCP 2026-07-28, basic/patterns/mrtr). */

import type { Clock } from '../../base/clock.ts'
import type { JsonObject } from './json-rpc.ts'

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: JsonObject
}

/** Input requests by keys that the server chooses. The responses use the same keys. */
export type InputRequests = Readonly<Record<string, InputRequest>>

/** Results as clients wrote them: objects, and otherwise unchecked. */
export type InputResponses = Readonly<Record<string, JsonObject>>

/** What a round begins with. */
export interface Inputs {
  /** Empty in the first round. Clients may add responses that were not requested. */
  readonly responses: InputResponses
  /** The state from the previous round, if any. */
  readonly state: unknown
}

export const NO_INPUTS: Inputs = { responses: {}, state: undefined }

/** Not an outcome yet: the request is run again with the client's responses. */
export interface InputRequired {
  readonly kind: 'input-required'
  readonly requests: InputRequests
  /** JSON to have again in the next round. Clients cannot change it, but could read it. */
  readonly state?: unknown
}

/** What a server needs that asks its clients. */
export interface Asking<Caller> {
  /** Identifies the caller. Only the caller who was asked can respond. */
  principalOf(caller: Caller): string
  /** Seals what is remembered between rounds. The same on every node of a service. */
  readonly key: Uint8Array
  readonly clock: Clock
}
