/**
 * Requests from the server to a legacy client (MCP 2025-11-25, basic/transports). They are sent on the stream of the POST
 * that needs them, and the client responds with a separate POST. They are pending in the memory of this process, so behind
 * a load balancer both must reach the same node.
 */

import { newId } from '../../base/ids.ts'
import { MINUTE } from '../../base/clock.ts'
import {
  isJsonObject,
  serializeRequest,
  type JsonObject,
  type RpcId,
  type RpcResponse,
} from '../protocol/json-rpc.ts'
import type { InputRequest, InputRequests, InputResponses } from '../protocol/input-required.ts'
import type { Reply } from '../protocol/reply.ts'

/** Long, because a person may have to answer. Milliseconds. */
const RESPONSE_TIMEOUT_MS = 5 * MINUTE

/** The client declined, disconnected or did not respond in time. The message is for the caller. */
export class ClientRequestTimeout extends Error {}

/** The pending requests of a process. */
export class ClientRequests {
  readonly #waiting = new Map<RpcId, Waiting>()

  /**
   * Sends all requests at once and waits for all responses.
   *
   * @throws {ClientRequestTimeout} when a response is missing.
   */
  async ask(principal: string, requests: InputRequests, reply: Reply): Promise<InputResponses> {
    const asked = Object.entries(requests).map(async ([key, request]) => {
      return [key, await this.#askOne(principal, request, reply)] as const
    })
    return Object.fromEntries(await Promise.all(asked))
  }

  /** Accepts a client's response. Ignores an unknown ID, or one of a request to another caller. */
  take(principal: string, { id, outcome }: RpcResponse): void {
    const waiting = id === null ? undefined : this.#waiting.get(id)
    if (waiting?.principal !== principal) return
    if (!outcome.ok)
      waiting.reject(
        new ClientRequestTimeout(`the client declined: ${outcome.message.slice(0, 200)}`),
      )
    else if (isJsonObject(outcome.result)) waiting.resolve(outcome.result)
    else waiting.reject(new ClientRequestTimeout('the client answered with no object'))
  }

  async #askOne(
    principal: string,
    { method, params }: InputRequest,
    reply: Reply,
  ): Promise<JsonObject> {
    // Unguessable, so that no one else can respond for the client.
    const id = newId('ask')
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    const giveUp = (reason: string) => () => reject(new ClientRequestTimeout(reason))
    const left = giveUp('the client left before it answered')
    const impatience = setTimeout(giveUp('the client did not answer in time'), RESPONSE_TIMEOUT_MS)
    this.#waiting.set(id, { principal, resolve, reject })
    try {
      if (!reply.say(serializeRequest(id, method, params)))
        throw new ClientRequestTimeout('the client must accept text/event-stream to be asked')
      reply.closing?.addEventListener('abort', left)
      return await promise
    } finally {
      clearTimeout(impatience)
      reply.closing?.removeEventListener('abort', left)
      this.#waiting.delete(id)
    }
  }
}

interface Waiting {
  readonly principal: string
  resolve(result: JsonObject): void
  reject(reason: ClientRequestTimeout): void
}

/** How legacy clients are asked, and who a caller is: only the caller who was asked can respond. */
export interface LegacyAsking<Caller> {
  readonly requests: ClientRequests
  principalOf(caller: Caller): string
}
