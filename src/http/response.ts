/** What a handler returns: plain data. */

import type { SignedInRequest } from './browser-request.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** If `body` is the same for everyone. */
  readonly encodings?: Encodings
  /** Instead of `body`. */
  readonly stream?: ContentStream
  /** `Set-Cookie`. */
  readonly cookies?: readonly string[]
  /** Scripts of other origins must not read it. */
  readonly page?: true
  /** The same page for a signed-in member; undefined if it is this one. */
  readonly forMember?: (browser: SignedInRequest) => Answer | undefined
}

/** Must stop when the iterator's `return` is called. */
export interface ContentStream extends AsyncIterable<string | Uint8Array> {
  /** Sent after silence, so that proxies keep the connection open. */
  readonly keepAlive?: string
  /** Ends an open-ended stream at shutdown. */
  stop?(): void
}

/** Such as server-sent events. */
export interface TextStream extends ContentStream {
  [Symbol.asyncIterator](): AsyncIterator<string>
}

type Headers = Readonly<Record<string, string>>

export const JSON_TYPE = 'application/json; charset=utf-8'
export const EVENT_STREAM_TYPE = 'text/event-stream'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** Responds with JSON. */
export function json(value: unknown, status = 200, headers: Headers = {}): Answer {
  return content(JSON.stringify(value), JSON_TYPE, status, headers)
}

/** Responds with text. `type` is the whole Content-Type. */
export function content(body: string, type: string, status = 200, headers: Headers = {}): Answer {
  return { status, headers: { 'content-type': type, ...headers }, body }
}

/** Responds with server-sent events (HTML Living Standard, section 9.2). */
export function eventStream(
  events: TextStream,
): Answer & { readonly body: undefined; readonly stream: TextStream } {
  return { status: 200, headers: EVENT_STREAM_HEADERS, body: undefined, stream: events }
}

/** Keeps proxies from buffering events (MCP 2026-07-28, Streamable HTTP). */
const EVENT_STREAM_HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/** Redirects to a GET (RFC 9110 section 15.4.4). */
export function seeOther(location: string, cookies: readonly string[] = []): Answer {
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: undefined, cookies, page: true }
}

/** Responds without a body. */
export function empty(status = 204, headers: Headers = {}): Answer {
  return { status, headers, body: undefined }
}

/** Streams have no brotli form. */
export interface Encodings {
  br?(): Uint8Array
  gzip(): Uint8Array
}
