/** Closing a connection whose sender has more to say, so that it still gets to read the answer. */

import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long the rest of a request is read and dropped before its connection is closed. Milliseconds. */
export const LINGER_TIMEOUT_MS = 5_000

/** What is left of a body this small is read over by node:http, and its connection goes on. Bytes. */
const SMALL = 64 * 1024

/** Whether so much of the request may still come that its connection is better closed. */
export function isStillArriving({ complete, destroyed, headers }: IncomingMessage): boolean {
  if (complete || destroyed) return false
  const announced = Number(headers['content-length'] ?? 0)
  return (
    announced > SMALL || headers['transfer-encoding'] !== undefined || headers.expect !== undefined
  )
}

/**
 * Ends the answer, and with it the connection, once the sender has stopped. Closing a socket with unread bytes resets
 * it, and a reset takes the answer away from a sender who has not read it yet (RFC 9112 section 9.6).
 */
export function endAfterSender(request: IncomingMessage, response: ServerResponse): void {
  const impatient = setTimeout(() => response.end(), LINGER_TIMEOUT_MS)
  request.once('close', () => {
    clearTimeout(impatient)
    response.end()
  })
  request.resume()
}

/**
 * For a small body that is answered before it was read: its connection goes on once the rest has arrived, and ends when
 * that does not happen.
 */
export function closeUnlessComplete(request: IncomingMessage): void {
  const { complete, headers } = request
  if (complete || Number(headers['content-length'] ?? 0) === 0) return
  const impatient = setTimeout(() => request.socket.destroy(), LINGER_TIMEOUT_MS).unref()
  request.once('close', () => clearTimeout(impatient))
}
