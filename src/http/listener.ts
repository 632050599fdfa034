/** Binds the address to listen on before anything answers there, so that the real port is known to all that names it. */

import { once } from 'node:events'
import { newRequestId } from '../base/ids.ts'
import { Refusal } from '../base/refusal.ts'
import { problem } from './problem.ts'
import { createHttpServer } from './server.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A bound address. Disposing it stops gracefully: see `stopServer`. */
export interface Listener extends AsyncDisposable {
  /** The port that was bound. */
  readonly port: number
  /** Every request from now on goes to this handler; until then each is answered 503. */
  answerWith(handler: RequestHandler): void
}

/** How long a graceful stop waits for requests in progress; milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000

/**
 * Binds a host and a port; port 0 takes a free one.
 *
 * @throws Error with the code of the system call, such as `EADDRINUSE`.
 */
export async function openListener(host: string, port: number): Promise<Listener> {
  let answer: RequestHandler = answerStarting
  const server = createHttpServer((request, response) => answer(request, response))
  server.listen({ host, port })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    answerWith(handler) {
      answer = handler
    },
    [Symbol.asyncDispose]: () => stopServer(server),
  }
}

/** A migration may take a while: a proxy then asks another node, and a client asks again. */
function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const refusal = new Refusal('unavailable', 'Weft is starting. Try again in a second.', {
    retryAfter: 1,
  })
  const requestId = newRequestId()
  const { status, headers, body } = problem(refusal, requestId)
  response.writeHead(status, { ...headers, 'x-request-id': requestId, connection: 'close' })
  response.end(request.method === 'HEAD' ? undefined : String(body))
}

/** No new connections; those without a request are closed, the others once theirs is answered. */
async function stopServer(server: Server): Promise<void> {
  if (!server.listening) return
  const timeout = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
  const closed = once(server, 'close')
  server.close()
  await closed
  clearTimeout(timeout)
}
