/** A server of node:http with this service's limits; what is not HTTP is told so in a problem document. */

import { newRequestId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { LINGER_TIMEOUT_MS } from './lingering-close.ts'
import { problem } from './problem.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// An import of node:http reads every name it has, and with `WebSocket` loads a client that nothing here uses: 40 ms, 16 MB.
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')

/** Twice what RFC 9110 section 4.1 asks for at least. Characters. */
export const MAX_URL_LENGTH = 16_000

const LIMITS = {
  /** Larger than the longest address, so that one too long is a 414 and no 431. Bytes. */
  maxHeaderSize: 32 * 1024,
  /** Headers that have not arrived by then end the connection. Milliseconds. */
  headersTimeout: 15_000,
  /** How often that is checked. Milliseconds. */
  connectionsCheckingInterval: 5_000,
  /** A body has no deadline as long as it keeps arriving: see body-pace.ts. */
  requestTimeout: 0,
  /** Longer than the minute that proxies keep theirs, so that they never send into a closing connection. */
  keepAliveTimeout: 72_000,
}

export type HeaderTimeouts = Partial<
  Pick<typeof LIMITS, 'headersTimeout' | 'connectionsCheckingInterval'>
>

export interface ServerOptions {
  /** On the answers that are written here: those to requests that are not HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly timeouts?: HeaderTimeouts | undefined
}

export function createHttpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { headers = {}, timeouts = {} }: ServerOptions = {},
): Server {
  // A missing Host is refused by the handler, in a problem document.
  const server = createServer(
    { ...LIMITS, ...timeouts, optimizeEmptyRequests: true, requireHostHeader: false },
    handler,
  )
  // Who waits to be asked for the body is asked when it is read: a refusal then costs no upload.
  server.on('checkContinue', handler)
  // The handler refuses any other expectation.
  server.on('checkExpectation', handler)
  server.on('clientError', (error, socket: ClientSocket) =>
    refuseBrokenHttp(headers, error, socket),
  )
  return server
}

type ClientSocket = Socket & { readonly _httpMessage?: ServerResponse | null }

/** Bytes that are not HTTP never become a request; RFC 9112 section 2.2. */
function refuseBrokenHttp(
  headers: Readonly<Record<string, string>>,
  error: Error & { code?: string },
  socket: ClientSocket,
): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  // Every further packet of a connection already refused comes here too.
  if (!socket.writable) return
  // As node:http itself does: nothing is written into an answer that has begun.
  if (socket._httpMessage?.headersSent === true) socket.end()
  else socket.end(brokenHttpAnswer(error.code, headers))
  const impatient = setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS)
  socket.once('close', () => clearTimeout(impatient))
}

function brokenHttpAnswer(
  code: string | undefined,
  shared: Readonly<Record<string, string>>,
): string {
  const requestId = newRequestId()
  const { status, headers, body } = problem(brokenHttp(code), requestId)
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

function brokenHttp(code: string | undefined): RequestError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new RequestError(
      'headers_too_large',
      `Address and headers take more than ${LIMITS.maxHeaderSize} bytes.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new RequestError('request_timeout', 'The request did not arrive in time.')
  return new RequestError('invalid_request', 'The bytes received are not a request of HTTP/1.1.')
}
