/** Disconnects clients that stop reading a response, which would otherwise stay in memory for as long as they like. */

import type { ServerResponse } from 'node:http'
import { SECOND } from '../../base/clock.ts'

/** How long a client may leave waiting data unread. 60 seconds is the default of nginx (send_timeout). */
export const READER_STALL_MS = 60 * SECOND

/**
 * Closes the connection if the client does not read waiting data for `milliseconds`, until the response ends or the
 * returned function is called. Takes up to twice as long: Node starts the timer again when a part was read since.
 */
export function limitStall(
  response: ServerResponse,
  milliseconds: number = READER_STALL_MS,
): () => void {
  const { socket } = response
  if (!socket || response.writableLength === 0) return () => {}
  // Without a listener for `timeout`, the HTTP server destroys the socket.
  socket.setTimeout(milliseconds)
  const end = () => {
    response.off('finish', end)
    // Node has already set the timeout for keep-alive if it waits for the next request.
    if (socket.timeout === milliseconds) socket.setTimeout(0)
  }
  response.once('finish', end)
  return end
}
