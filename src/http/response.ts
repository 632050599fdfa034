/** What a handler returns: plain data that batches, tests and the HTTP writer all read. */

import type { Utf8Content } from '../base/utf8.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a response without content. */
  readonly body: string | Utf8Content | Uint8Array | undefined
  /** Compressed forms of `body`, if it is the same for everyone. */
  readonly encodings?: Encodings
  /** Streamed content; `body` is then undefined. */
  readonly stream?: ContentStream
  /** `Set-Cookie` values. */
  readonly cookies?: readonly string[]
  /** A response for the browser's own windows: scripts of other origins must not read it. */
  readonly page?: true
}

/** Chunks of content, such as those of a file. Must stop when the iterator's `return` is called. */
export interface ContentStream extends AsyncIterable<string | Uint8Array> {
  /** Sent after a silent period, so that proxies keep the connection open. */
  readonly keepAlive?: string
  /** Called at shutdown. An open-ended stream must end now. */
  stop?(): void
}

/** Chunks of text, such as server-sent events. */
export interface TextStream extends ContentStream {
  [Symbol.asyncIterator](): AsyncIterator<string>
}

type Headers = Readonly<Record<string, string>>

export const JSON_TYPE = 'application/json; charset=utf-8'
export const EVENT_STREAM_TYPE = 'text/event-stream'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** `value` must be serializable. */
export function json(value: unknown, status = 200, headers: Headers = {}): Answer {
  return content(JSON.stringify(value), JSON_TYPE, status, headers)
}

/** `type` is the whole Content-Type, with the charset if there is one. */
export function content(body: string, type: string, status = 200, headers: Headers = {}): Answer {
  return { status, headers: { 'content-type': type, ...headers }, body }
}

/** Server-sent events (HTML Living Standard, section 9.2). */
export function eventStream(
  events: TextStream,
): Answer & { readonly body: undefined; readonly stream: TextStream } {
  return { status: 200, headers: EVENT_STREAM_HEADERS, body: undefined, stream: events }
}

/** Keeps proxies from buffering events until the stream ends (MCP 2026-07-28, Streamable HTTP). */
const EVENT_STREAM_HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** 303: the browser continues with a GET, regardless of the method (RFC 9110 section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Answer {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: undefined, cookies, page: true }
}

/** Without a body and a content type. */
export function empty(status = 204, headers: Headers = {}): Answer {
  return { status, headers, body: undefined }
}

/** Streamed content has no brotli form. */
export interface Encodings {
  br?(): Uint8Array
  gzip(): Uint8Array
}
