/** What a handler returns: plain data, so that a batch, a test and the wire all read the same thing. */

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for an answer without content. */
  readonly body: string | Uint8Array | undefined
  /** Of `body`, where it is the same for everybody. */
  readonly encodings?: Encodings
  /** Content that is sent as it comes; `body` is undefined then. */
  readonly stream?: ContentStream
  /** `Set-Cookie` lines. */
  readonly cookies?: readonly string[]
  /** For a person's own browser window: no script of another origin may read it. */
  readonly page?: true
}

/** Pieces of content as they come, such as the chunks of a file. Once its iterator's `return` is called it ends. */
export interface ContentStream extends AsyncIterable<string | Uint8Array> {
  /** Sent when there was nothing to send for a while, so that nobody on the way takes the connection for dead. */
  readonly keepAlive?: string
  /** The service is stopping: what has no end of its own comes to one now. */
  stop?(): void
}

/** Pieces of text, such as server-sent events. */
export interface TextStream extends ContentStream {
  [Symbol.asyncIterator](): AsyncIterator<string>
}

type Headers = Readonly<Record<string, string>>

export const JSON_TYPE = 'application/json; charset=utf-8'
export const EVENT_STREAM_TYPE = 'text/event-stream'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

export function json(value: unknown, status = 200, headers: Headers = {}): Answer {
  return content(JSON.stringify(value), JSON_TYPE, status, headers)
}

export function content(body: string, type: string, status = 200, headers: Headers = {}): Answer {
  return { status, headers: { 'content-type': type, ...headers }, body }
}

/** Server-sent events, each as it happens (HTML Living Standard, section 9.2). */
export function eventStream(
  events: TextStream,
): Answer & { readonly body: undefined; readonly stream: TextStream } {
  return { status: 200, headers: EVENT_STREAM_HEADERS, body: undefined, stream: events }
}

/** A proxy that buffers would hold events back until the stream ends (MCP 2026-07-28, Streamable HTTP). */
const EVENT_STREAM_HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** 303: whatever the method was, the browser goes on with a GET (RFC 9110 section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Answer {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: undefined, cookies, page: true }
}

export function empty(status = 204, headers: Headers = {}): Answer {
  return { status, headers, body: undefined }
}

/** What is made in parts has no brotli. */
export interface Encodings {
  br?(): Uint8Array
  gzip(): Uint8Array
}
