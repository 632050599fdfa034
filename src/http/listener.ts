/** Binds the listening address before the service can handle requests, so that the actual port is known during startup. */

import { once } from 'node:events'
import { newRequestId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { problem } from './problem.ts'
import { createHttpServer, type ClientSocket, type ServerOptions } from './server.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const { Server: NetServer } = process.getBuiltinModule('node:net')

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

interface ListenerOptions extends ServerOptions {
  /**
   * How long a connection must be idle before a shutdown closes it. 0 closes idle connections at once, which resets those
   * on which a request is on its way. Milliseconds.
   */
  readonly idleGraceMs?: number | undefined
}

/** A bound address. Disposing it shuts down gracefully: see `stopServer`. */
export interface Listener extends AsyncDisposable {
  readonly port: number
  /**
   * Sends all further requests to this handler. Before that, every request gets a 503. Calls `onConnection` for each
   * connection that is accepted from then on.
   */
  answerWith(handler: RequestHandler, onConnection?: () => void): void
}

/** Between two looks for idle connections. */
const MIN_INTERVAL_MS = 50

/** How long a graceful shutdown waits for requests in progress. Milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000

/**
 * Binds a host and a port. Port 0 selects a free port. `localhost` binds 127.0.0.1 and, if the machine has IPv6, ::1 on
 * the same port, because browsers may try either.
 *
 * @throws {Error} when the address cannot be bound, with the system error code, such as `EADDRINUSE`.
 */
export async function openListener(
  host: string,
  port: number,
  options: ListenerOptions = {},
): Promise<Listener> {
  let answer: RequestHandler = answerStarting
  let isStopping = false
  const sockets = new Set<ClientSocket>()
  const open = async (address: string, wanted: number) => {
    const server = createHttpServer((request, response) => {
      if (isStopping) {
        // Its connection was already closed, so the client would not get the response, and sends the request again.
        if (!request.socket.writable) return
        response.shouldKeepAlive = false
      }
      if (options.probes?.(request, response) !== true) answer(request, response)
    }, options)
    server.on('connection', (socket: ClientSocket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen({ host: address, port: wanted })
    await once(server, 'listening')
    return server
  }
  const servers = host === 'localhost' ? await openLoopback(open, port) : [await open(host, port)]
  const [first] = servers
  return {
    port: first ? portOf(first) : port,
    answerWith(handler, onConnection) {
      answer = handler
      if (onConnection) for (const server of servers) server.on('connection', onConnection)
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      const closing = closeIdleSockets(sockets, options.idleGraceMs ?? 0)
      await Promise.all(servers.map(stopServer))
      clearInterval(closing)
    },
  }
}

/** How many free ports to try: a port that is free on 127.0.0.1 may be in use on ::1. */
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
      // If another program uses the requested port on ::1, fail: browsers could reach that program instead.
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

/** Migrations may take a while. The 503 lets a proxy try another node, and clients retry. */
function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const error = new RequestError('unavailable', 'Weft is starting. Try again in a second.', {
    retryAfter: 1,
  })
  const requestId = newRequestId()
  const { status, headers, body } = problem(error, requestId)
  response.writeHead(status, { ...headers, 'x-request-id': requestId, connection: 'close' })
  response.end(request.method === 'HEAD' ? undefined : String(body))
}

/** Accepts no new connections, and resolves when all are closed. Those in use close after their response. */
async function stopServer(server: Server): Promise<void> {
  if (!server.listening) return
  const timeout = setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
  const closed = once(server, 'close')
  // `close` of node:http would also close idle connections at once.
  NetServer.prototype.close.call(server)
  await closed
  // Ends its timers.
  server.close()
  clearTimeout(timeout)
}

/**
 * Closes each connection that was idle for the grace period. A request that arrives in this time is answered with
 * `Connection: close`, so only clients that were silent for longer can send one into a closing connection.
 */
function closeIdleSockets(
  sockets: ReadonlySet<ClientSocket>,
  graceMs: number,
): NodeJS.Timeout | undefined {
  const received = new WeakMap<ClientSocket, number>()
  const ended = new WeakSet<ClientSocket>()
  const closeIdle = () => {
    for (const socket of sockets) {
      const isSilent = graceMs === 0 || received.get(socket) === socket.bytesRead
      if (socket._httpMessage) received.delete(socket)
      else received.set(socket, socket.bytesRead)
      // The client has not closed its side in the meantime.
      if (ended.has(socket)) socket.destroy()
      else if (isSilent && socket.writable && !socket._httpMessage) {
        ended.add(socket)
        socket.end()
      }
    }
  }
  closeIdle()
  return setInterval(closeIdle, Math.max(graceMs, MIN_INTERVAL_MS))
}
