/**
 * Requests from the server to a client of the legacy era: sent on the stream of the POST that made them necessary, and
 * answered by a POST of their own. They wait in the memory of this process, so behind a load balancer both must reach
 * the same node.
 */

import { newId } from '../../base/ids.ts'
import { MINUTE } from '../../base/clock.ts'
import {
  isJsonObject,
  serializeRequest,
  type JsonObject,
  type RpcId,
  type RpcResponse,
} from './json-rpc.ts'
import type { InputRequest, InputRequests, InputResponses } from './input-required.ts'
import type { Reply } from './reply.ts'

/** A person may have to answer. Milliseconds. */
const PATIENCE = 5 * MINUTE

/** A client that refused, or left, before it answered; the message is for whoever called. */
export class ClientRequestTimeout extends Error {}

export class ClientRequests {
  readonly #waiting = new Map<RpcId, Waiting>()

  /**
   * Asks everything at once and waits for all of it.
   *
   * @throws Unanswered
   */
  async ask(principal: string, requests: InputRequests, reply: Reply): Promise<InputResponses> {
    const asked = Object.entries(requests).map(async ([key, request]) => {
      return [key, await this.#askOne(principal, request, reply)] as const
    })
    return Object.fromEntries(await Promise.all(asked))
  }

  /** Takes what a client answered. An id that nobody waits for, or another was asked, changes nothing. */
  take(principal: string, { id, outcome }: RpcResponse): void {
    const waiting = id === null ? undefined : this.#waiting.get(id)
    if (waiting?.principal !== principal) return
    if (!outcome.ok)
      waiting.reject(
        new ClientRequestTimeout(`the client refused: ${outcome.message.slice(0, 200)}`),
      )
    else if (isJsonObject(outcome.result)) waiting.resolve(outcome.result)
    else waiting.reject(new ClientRequestTimeout('the client answered with no object'))
  }

  async #askOne(
    principal: string,
    { method, params }: InputRequest,
    reply: Reply,
  ): Promise<JsonObject> {
    // Nobody else can guess it, so nobody answers in the client's place.
    const id = newId('ask')
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
    const giveUp = (reason: string) => () => reject(new ClientRequestTimeout(reason))
    const left = giveUp('the client left before it answered')
    const impatience = setTimeout(giveUp('the client did not answer in time'), PATIENCE)
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
