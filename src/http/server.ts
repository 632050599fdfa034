/** A node:http server with this service's limits. Input that is not HTTP gets a problem document. */

import { newRequestId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { LINGER_TIMEOUT_MS } from './connection/lingering-close.ts'
import { problem } from './problem.ts'
import type { AnswerProbe } from './probes.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// A namespace import of node:http reads every export; `WebSocket` would load an unused client: 40 ms, 16 MB.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

/** Twice the minimum of RFC 9110 section 4.1. Characters. */
export const MAX_URL_LENGTH = 16_000

const LIMITS = {
  /** Larger than the longest URL, so that a URL that is too long gets a 414 instead of a 431. Bytes. */
  maxHeaderSize: 32 * 1024,
  /** Connections whose headers are not complete by then are closed. Milliseconds. */
  headersTimeout: 15_000,
  /** How often header timeouts are checked. Milliseconds. */
  connectionsCheckingInterval: 5_000,
  /** Bodies have no deadline while they keep arriving: see body-pace.ts. */
  requestTimeout: 0,
  /** Longer than the 60 seconds that proxies commonly use, so that they never send into a closing connection. */
  keepAliveTimeout: 72_000,
}

export type HeaderTimeouts = Partial<
  Pick<typeof LIMITS, 'headersTimeout' | 'connectionsCheckingInterval'>
>

export interface ServerOptions {
  /** Headers of responses to input that is not HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeouts?: HeaderTimeouts | undefined
  /** Answers `/healthz`, `/readyz` and `/metrics` before the handler. */
  readonly probes?: AnswerProbe | undefined
}

export function createHttpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { headers = {}, timeouts = {} }: ServerOptions = {},
): Server {
  // The handler rejects a missing Host with a problem document.
  const server = createServer(
    { ...LIMITS, ...timeouts, optimizeEmptyRequests: true, requireHostHeader: false },
    handler,
  )
  // 100 Continue is sent only when the body is read, so rejected requests cost no upload.
  server.on('checkContinue', handler)
  // The handler rejects any other expectation.
  server.on('checkExpectation', handler)
  server.on('clientError', (error, socket: ClientSocket) =>
    rejectInvalidHttp(headers, error, socket),
  )
  return server
}

/** `_httpMessage` is the response to the current request. */
export type ClientSocket = Socket & { readonly _httpMessage?: ServerResponse | null }

/** Invalid HTTP never becomes a request (RFC 9112 section 2.2). */
function rejectInvalidHttp(
  headers: Readonly<Record<string, string>>,
  error: Error & { code?: string },
  socket: ClientSocket,
): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  // Later packets on a rejected connection also end up here.
  if (!socket.writable) return
  // Like node:http, do not write to a response that has begun.
  if (socket._httpMessage?.headersSent === true) socket.end()
  else socket.end(invalidHttpResponse(error.code, headers))
  const timer = setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(timer))
}

function invalidHttpResponse(
  code: string | undefined,
  shared: Readonly<Record<string, string>>,
): string {
  const requestId = newRequestId()
  const { status, headers, body } = problem(invalidHttpError(code), requestId)
  const text = String(body)
  const fields = {
    ...shared,
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`
}

function invalidHttpError(code: string | undefined): RequestError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new RequestError(
      'headers_too_large',
      `The URL and headers are larger than ${LIMITS.maxHeaderSize} bytes. Send a shorter request.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new RequestError('request_timeout', 'The request did not arrive in time. Send it again.')
  return new RequestError('invalid_request', 'The request is not valid HTTP/1.1.')
}
