/** `subscriptions/listen`: a stream of changes for as long as the client reads it (MCP 2026-07-28, patterns/subscriptions). */

import type { Changes, ListKind } from '../protocol/changes.ts'
import {
  invalidParams,
  isJsonObject,
  serializeNotification,
  type JsonObject,
  type RpcId,
} from '../protocol/json-rpc.ts'
import {
  methodError,
  resultOf,
  type Feature,
  type MethodCall,
  type MethodHandler,
} from '../protocol/method.ts'
import type { ModernResults } from '../protocol/modern-result.ts'

export function subscriptionsFeature<Caller>(
  changes: Changes,
  results: ModernResults,
): Feature<Caller> {
  return {
    modern: { capabilities: {}, methods: { 'subscriptions/listen': listen(changes, results) } },
  }
}

/** The names of the list kinds in the `notifications` of a request. */
const FILTERS: Readonly<Record<ListKind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
}

const NO_STREAM = methodError({
  ...invalidParams('subscriptions/listen responds with text/event-stream; add it to Accept'),
  status: 406,
})

function listen<Caller>(changes: Changes, results: ModernResults): MethodHandler<Caller> {
  return async (call) => {
    const wanted = call.params?.['notifications']
    if (!isJsonObject(wanted))
      return methodError(invalidParams('"notifications" must be an object'))
    const kinds = changes.kinds.filter((kind) => wanted[FILTERS[kind]] === true)
    const accepted = Object.fromEntries(kinds.map((kind) => [FILTERS[kind], true]))
    const tag = tagOf(call.id)
    const say = (method: string, params: JsonObject) =>
      call.reply.say(serializeNotification(method, { ...params, _meta: tag }))
    if (!say('notifications/subscriptions/acknowledged', { notifications: accepted }))
      return NO_STREAM
    const forget = changes.onChange((kind) => {
      if (kinds.includes(kind)) say(`notifications/${kind}/list_changed`, {})
    })
    await closed(call)
    forget()
    return resultOf(results.complete('{}', JSON.stringify(tag)))
  }
}

function tagOf(id: RpcId): JsonObject {
  return { 'io.modelcontextprotocol/subscriptionId': id }
}

/** Resolves when the client disconnects or the service stops. */
async function closed<Caller>({ reply: { closing } }: MethodCall<Caller>): Promise<void> {
  if (!closing || closing.aborted) return
  await new Promise<void>((resolve) => {
    closing.addEventListener('abort', () => resolve(), { once: true })
  })
}
