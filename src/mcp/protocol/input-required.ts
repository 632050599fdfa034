/** What a server may ask of a client on the way to a result (MCP 2026-07-28, basic/patterns/mrtr). */

import type { Clock } from '../../base/clock.ts'
import type { JsonObject } from './json-rpc.ts'

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: JsonObject
}

/** By keys of the server's own choice, which the responses come back under. */
export type InputRequests = Readonly<Record<string, InputRequest>>

/** Results as clients wrote them: objects, and otherwise unchecked. */
export type InputResponses = Readonly<Record<string, JsonObject>>

/** What a round begins with. */
export interface Inputs {
  /** Empty in the first round; whatever a client adds beyond what was asked. */
  readonly responses: InputResponses
  /** What the round before left to remember; undefined where it left nothing. */
  readonly state: unknown
}

export const NO_INPUTS: Inputs = { responses: {}, state: undefined }

/** An outcome that is none yet: the same is to be tried again once the client has answered. */
export interface InputRequired {
  readonly kind: 'input-required'
  readonly requests: InputRequests
  /** JSON to have again in the next round. Clients cannot change it, but could read it. */
  readonly state?: unknown
}

/** What a server needs that asks its clients. */
export interface Asking<Caller> {
  /** Tells callers apart: what one of them was asked, no other answers. */
  principalOf(caller: Caller): string
  /** Seals what is remembered between rounds. The same on every node of a service. */
  readonly key: Uint8Array
  readonly clock: Clock
}
