/** `subscriptions/listen`: a stream of changes for as long as the client reads it (MCP 2026-07-28, patterns/subscriptions). */

import {
  invalidParams,
  isJsonObject,
  rateLimited,
  serializeNotification,
  type JsonObject,
  type RpcId,
} from '../protocol/json-rpc.ts'
import { methodError, resultOf, type Feature, type MethodHandler } from '../protocol/method.ts'
import type { Results } from '../protocol/results.ts'
import type { SubscriptionProvider } from '../protocol/subscription-messages.ts'

/** Only in the modern era: legacy subscriptions need a session. */
export function subscriptionsFeature<Caller>(
  provider: SubscriptionProvider<Caller>,
  results: Results,
): Feature<Caller> {
  const methods = { 'subscriptions/listen': listen(provider, results) }
  return { capabilities: provider.capabilities, methods }
}

const NO_STREAM = methodError({
  ...invalidParams('subscriptions/listen responds with text/event-stream; add it to Accept'),
  status: 406,
})

/** Streams stay open for a long time, so retrying soon is useless. Seconds. */
const TOO_MANY = methodError(rateLimited(60))

function listen<Caller>(
  provider: SubscriptionProvider<Caller>,
  results: Results,
): MethodHandler<Caller> {
  return async (call) => {
    const filter = call.params?.['notifications']
    if (!isJsonObject(filter))
      return methodError(invalidParams('"notifications" must be an object'))
    if (!call.reply.canStream) return NO_STREAM
    const subscription = await provider.open(call, filter)
    if (!subscription) return TOO_MANY
    const tag = tagOf(call.id)
    const notify = (method: string, params: JsonObject) =>
      call.reply.say(serializeNotification(method, { ...params, _meta: tag }))
    notify('notifications/subscriptions/acknowledged', { notifications: subscription.accepted })
    const { closing } = call.reply
    if (closing) await subscription.watch(notify, closing)
    return resultOf(results.complete('{}', JSON.stringify(tag)))
  }
}

function tagOf(id: RpcId): JsonObject {
  return { 'io.modelcontextprotocol/subscriptionId': id }
}
