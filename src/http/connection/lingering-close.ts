/** Closes a connection whose client is still sending, so that the client can read the response first. */

import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long the rest of a request is read and discarded before the connection closes. Milliseconds. */
export const LINGER_TIMEOUT_MS = 5_000

/** node:http discards up to this much of an unread body and keeps the connection open. Bytes. */
const SMALL = 64 * 1024

/** Whether so much of the request may be outstanding that the connection should close. */
export function isStillArriving({ complete, destroyed, headers }: IncomingMessage): boolean {
  if (complete || destroyed) return false
  const announced = Number(headers['content-length'] ?? 0)
  return (
    announced > SMALL || headers['transfer-encoding'] !== undefined || headers.expect !== undefined
  )
}

/**
 * Ends the response, and with it the connection, once the client stops sending. Closing a socket with unread bytes sends
 * a TCP reset, which can discard the response before the client reads it (RFC 9112 section 9.6).
 */
export function endAfterSender(request: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => response.end(), LINGER_TIMEOUT_MS)
  request.once('close', () => {
    clearTimeout(timer)
    response.end()
  })
  request.resume()
}

/**
 * For a small body that was answered before it was read: keeps the connection if the rest arrives in time, and closes it
 * otherwise.
 */
export function closeUnlessComplete(request: IncomingMessage): void {
  const { complete, headers } = request
  if (complete || Number(headers['content-length'] ?? 0) === 0) return
  const timer = setTimeout(() => request.socket.destroy(), LINGER_TIMEOUT_MS).unref()
  request.once('close', () => clearTimeout(timer))
}
