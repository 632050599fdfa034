/** Writes answers to the socket: shared headers, conditional requests, HEAD. Nothing else writes responses. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodedAnswer } from './content-encoding.ts'
import {
  closeUnlessComplete,
  endAfterSender,
  isStillArriving,
} from './connection/lingering-close.ts'
import { limitStall } from './connection/reader-stall.ts'
import type { Answer } from './response.ts'
import type { Exchange } from './route-request.ts'

/** Response headers that cross-origin scripts may read (Fetch standard, CORS-safelisting). */
const EXPOSED = [
  'X-Request-Id',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
].join(', ')

/** Request headers that cross-origin scripts may send beyond the safelisted ones. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Weft-Tools',
  'Mcp-Session-Id',
].join(', ')

/** How long browsers may cache a preflight; Chromium's maximum. Seconds. */
const PREFLIGHT_MAX_AGE = '7200'

/** For a stream, writes only the headers: `sendStream` sends the content. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  plain: Answer,
  exchange: Exchange,
): void {
  if (response.headersSent || response.destroyed) return
  const lingers = !request.complete && isStillArriving(request)
  if (lingers) response.shouldKeepAlive = false
  const { encodings } = plain
  const answer = encodings
    ? encodedAnswer({ ...plain, encodings }, request.headers['accept-encoding'])
    : plain
  const unchanged = isUnchanged(request, answer)
  const status = unchanged ? 304 : answer.status
  const length = lengthOf(answer.body)
  response.writeHead(status, headerList(answer, length, { status, exchange }))
  if (answer.stream) return response.flushHeaders()
  const content = unchanged || request.method === 'HEAD' ? undefined : answer.body
  if (lingers) {
    if (content === undefined) response.flushHeaders()
    else response.write(content, encodingOf(content, length))
    endAfterSender(request, response)
    return
  }
  if (!request.complete) closeUnlessComplete(request)
  if (content === undefined) response.end()
  else response.end(content, encodingOf(content, length))
  if (response.writableLength > 0) limitStall(response)
}

/** Headers of an `OPTIONS` response, preflight or not. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  const allow = methods.join(', ')
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': PREFLIGHT_MAX_AGE,
  }
}

/** RFC 9110 section 13.1.2: If-None-Match on a GET or HEAD that would answer 200; weak comparison. */
function isUnchanged(request: IncomingMessage, answer: Answer): boolean {
  const etag = answer.headers['etag']
  if (etag === undefined || answer.status !== 200) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

/** Alternating names and values: the fastest form for node:http. */
function headerList(
  answer: Answer,
  length: number,
  { status, exchange }: { readonly status: number; readonly exchange: Exchange },
): string[] {
  const { headers, stream, cookies, page } = answer
  const list = ['x-request-id', exchange.requestId, 'x-content-type-options', 'nosniff']
  if (page !== true)
    list.push('access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED)
  for (const cookie of cookies ?? []) list.push('set-cookie', cookie)
  for (const name in exchange.headers)
    if (name === 'link' || !(name in headers)) list.push(name, exchange.headers[name] ?? '')
  for (const name in headers) {
    // A 304 describes no content (RFC 9110 section 15.4.5).
    if (status === 304 && name === 'content-type') continue
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
  // A 204 or 304 has no Content-Length (RFC 9110 section 8.6), and a stream's length is unknown.
  if (status !== 204 && status !== 304 && !stream) list.push('content-length', String(length))
  return list
}

/** Bytes. */
function lengthOf(body: Answer['body']): number {
  if (body === undefined) return 0
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** ASCII text is the same in both encodings, and Latin-1 is copied where UTF-8 is encoded. */
function encodingOf(body: string | Uint8Array, length: number): 'latin1' | 'utf8' {
  return body.length === length ? 'latin1' : 'utf8'
}
