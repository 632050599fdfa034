/**
 * The reply to a request: a JSON document, or server-sent events once a message is sent before the result
 * (MCP 2025-11-25 and 2026-07-28, Streamable HTTP).
 */

import { acceptsType } from '../../http/content/accept.ts'
import { EVENT_STREAM_TYPE, eventStream, type TextStream } from '../../http/response.ts'
import type { McpAnswer, McpRequest } from './http-message.ts'
import { isJsonObject, serializeNotification, type JsonObject } from './json-rpc.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** A reader this far behind misses messages other than the result. Number of messages. */
const MAX_WAITING = 256

export class Reply {
  readonly #canStream: boolean
  #events: Events | undefined
  #begun: (events: Events) => void = () => {}

  constructor(canStream: boolean) {
    this.#canStream = canStream
  }

  /** Whether messages can be sent before the result: not to a client that only reads JSON, and not in a batch. */
  get canStream(): boolean {
    return this.#canStream
  }

  /** Sends a message as JSON text before the result. False if the client cannot receive it. */
  say(message: string): boolean {
    if (!this.#canStream) return false
    if (!this.#events) {
      this.#events = new Events()
      this.#begun(this.#events)
    }
    return this.#events.say(message)
  }

  /** Once a message was sent: fires when the client disconnects or the service stops. */
  get closing(): AbortSignal | undefined {
    return this.#events?.closing
  }

  /** The response: `result` itself, or a stream that ends with it if messages were sent before. */
  settle(result: Promise<McpAnswer>): Promise<McpAnswer> {
    if (!this.#canStream) return result
    const { promise, resolve, reject } = Promise.withResolvers<McpAnswer>()
    this.#begun = (events) => resolve(eventStream(events))
    if (this.#events) this.#begun(this.#events)
    void result.then(
      (answer) => (this.#events ? this.#events.end(answer.body?.toString()) : resolve(answer)),
      reject,
    )
    return promise
  }
}

/** Whether the client accepts server-sent events, by name or by a wildcard. Without `Accept`, it does not. */
export function readsEvents(request: McpRequest): boolean {
  const accept = request.header('accept')
  // The headers of the official SDKs, which need no parsing.
  return accept === SDK_ACCEPT || acceptsType(accept, EVENT_STREAM_TYPE)
}

const SDK_ACCEPT = `application/json, ${EVENT_STREAM_TYPE}`

/** Messages that wait to be read, in order. */
class Events implements TextStream {
  /** HTML Living Standard, section 9.2.6: a line that begins with a colon is ignored. */
  readonly keepAlive = ':\n\n'
  readonly #waiting: string[] = []
  readonly #closing = new AbortController()
  #ended = false
  #wake = () => {}

  get closing(): AbortSignal {
    return this.#closing.signal
  }

  say(message: string): boolean {
    if (this.#ended || this.#waiting.length >= MAX_WAITING) return false
    this.#waiting.push(eventOf(message))
    this.#wake()
    return true
  }

  end(message: string | undefined): void {
    if (message !== undefined && !this.#ended) this.#waiting.push(eventOf(message))
    this.#ended = true
    this.#wake()
  }

  stop(): void {
    this.#closing.abort()
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () => this.#next(),
      return: async () => {
        this.#waiting.length = 0
        this.end(undefined)
        this.stop()
        return { done: true, value: undefined }
      },
    }
  }

  async #next(): Promise<IteratorResult<string>> {
    while (this.#waiting.length === 0) {
      if (this.#ended) return { done: true, value: undefined }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return { done: false, value: this.#waiting.splice(0).join('') }
  }
}

/** `JSON.stringify` leaves no line end in a message, so it takes one line. */
function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`
}

/** Undefined if no progress was requested or cannot be sent. A report without further progress is not sent. */
export function progressReporter({
  params,
  reply,
}: {
  readonly params: JsonObject | undefined
  readonly reply: Reply
}): ReportProgress | undefined {
  const meta = params?.['_meta']
  const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined
  if (!reply.canStream) return undefined
  let last = Number.NEGATIVE_INFINITY
  return (progress, total, message) => {
    if (progress <= last) return
    last = progress
    const report = { progressToken, progress, total, message }
    reply.say(serializeNotification('notifications/progress', report))
  }
}
