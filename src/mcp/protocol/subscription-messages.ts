/** The interface between `subscriptions/listen` and the server's subscriptions. */

import type { JsonObject } from './json-rpc.ts'
import type { MethodCall } from './method.ts'

/** Sends a notification on the stream. False if the client no longer reads it. */
export type Notify = (method: string, params: JsonObject) => boolean

interface Subscription {
  /** The part of the requested filter that the server honors. */
  readonly accepted: JsonObject
  /** Sends notifications until the signal fires. Resolving earlier ends the stream. */
  watch(notify: Notify, closing: AbortSignal): Promise<void>
}

export interface SubscriptionProvider<Caller> {
  /** Capabilities that list the available subscriptions, such as `{ resources: { subscribe: true } }`. */
  readonly capabilities: JsonObject
  /**
   * `filter` is the `notifications` member of the request, unchecked. Undefined if the caller has too many streams. `watch`
   * reports every change since this resolved.
   */
  open(
    call: Pick<MethodCall<Caller>, 'caller' | 'header'>,
    filter: JsonObject,
  ): Promise<Subscription | undefined>
}
