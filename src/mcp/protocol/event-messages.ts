/** The interface between the protocol and events that wake an agent (extension io.modelcontextprotocol/events, SEP-3415). */

import type { JsonObject } from './json-rpc.ts'

export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events'

export interface EventType {
  readonly name: string
  readonly description: string
  readonly delivery: readonly ('poll' | 'webhook')[]
  readonly inputSchema: JsonObject
  readonly payloadSchema: JsonObject
}

/** What an agent subscribes to, and where messages go. */
export interface EventSubscription {
  readonly name: string
  readonly arguments: JsonObject
  readonly url: string
  /** `whsec_` and base64 of 24 to 64 bytes. */
  readonly secret: string
  /** Milliseconds; null asks for no end, undefined for the default. */
  readonly ttlMs: number | null | undefined
}

interface GrantedSubscription {
  readonly id: string
  /** RFC 3339 */
  readonly refreshBefore: string
  readonly deliveryStatus: JsonObject
}

interface EventOccurrence {
  readonly eventId: string
  readonly name: string
  /** RFC 3339 */
  readonly timestamp: string
  readonly data: JsonObject
  readonly cursor: string | null
}

export interface EventPoll {
  readonly events: readonly EventOccurrence[]
  readonly cursor: string
}

/** A request about events that cannot be served; the name selects the error number. */
export class EventError extends Error {
  readonly kind: EventErrorKind
  readonly data: JsonObject

  constructor(kind: EventErrorKind, message: string, data: JsonObject) {
    super(message)
    this.name = 'EventError'
    this.kind = kind
    this.data = data
  }
}

export type EventErrorKind =
  | 'NotFound'
  | 'Forbidden'
  | 'ResourceExhausted'
  | 'Unsupported'
  | 'CallbackEndpointError'

/** Rejects with `EventError`, or `RequestError` for arguments that are not valid. */
export interface EventProvider<Caller> {
  readonly types: readonly EventType[]
  subscribe(caller: Caller, subscription: EventSubscription): Promise<GrantedSubscription>
  /** False for an unknown subscription. */
  unsubscribe(
    caller: Caller,
    subscription: Pick<EventSubscription, 'name' | 'arguments' | 'url'>,
  ): Promise<boolean>
  /** Without a cursor, from now on. */
  poll(
    caller: Caller,
    query: {
      readonly name: string
      readonly arguments: JsonObject
      readonly cursor: string | null
    },
  ): Promise<EventPoll>
}
