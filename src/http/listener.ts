/** Binds the address to listen on before anything answers there, so that the real port is known to all that names it. */

import { once } from 'node:events'
import { newRequestId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { problem } from './problem.ts'
import { createHttpServer, type ServerOptions } from './server.ts'
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
 * Binds a host and a port; port 0 takes a free one. `localhost` is 127.0.0.1 and, where the machine has IPv6, ::1, on the
 * same port: browsers may try either for `http://localhost`.
 *
 * @throws Error with the code of the system call, such as `EADDRINUSE`.
 */
export async function openListener(
  host: string,
  port: number,
  options: ServerOptions = {},
): Promise<Listener> {
  let answer: RequestHandler = answerStarting
  const open = async (address: string, wanted: number) => {
    const server = createHttpServer((request, response) => answer(request, response), options)
    server.listen({ host: address, port: wanted })
    await once(server, 'listening')
    return server
  }
  const servers = host === 'localhost' ? await openLoopback(open, port) : [await open(host, port)]
  const [first] = servers
  return {
    port: first ? portOf(first) : port,
    answerWith(handler) {
      answer = handler
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map(stopServer))
    },
  }
}

/** How many free ports to try: one that is free at 127.0.0.1 may be taken at ::1. */
const MAX_PORT_ATTEMPTS = 10

async function openLoopback(
  open: (address: string, port: number) => Promise<Server>,
  port: number,
): Promise<Server[]> {
  for (let attempt = 1; ; attempt++) {
    const ipv4 = await open('127.0.0.1', port)
    try {
      return [ipv4, await open('::1', portOf(ipv4))]
    } catch (error) {
      if (isWithoutIpv6(error)) return [ipv4]
      await stopServer(ipv4)
      // A given port that another program has at ::1 is an error: browsers could reach that program instead.
      if (port !== 0 || attempt === MAX_PORT_ATTEMPTS) throw error
    }
  }
}

function isWithoutIpv6(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A migration may take a while: a proxy then asks another node, and a client asks again. */
function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const refusal = new RequestError('unavailable', 'Weft is starting. Try again in a second.', {
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
