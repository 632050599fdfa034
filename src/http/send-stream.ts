/** Streams content with backpressure, and stops when the client disconnects. */

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECOND } from '../base/clock.ts'
import { limitStall, READER_STALL_MS } from './connection/reader-stall.ts'
import type { ContentStream } from './response.ts'

/** Proxies and load balancers commonly drop connections that are silent for 30 to 60 seconds. Milliseconds. */
const KEEP_ALIVE_AFTER = 15 * SECOND

/** Shorter in tests. Milliseconds. */
interface StreamTimes {
  readonly keepAliveAfter?: number
  readonly stallAfter?: number
}

/** Resolves when everything was sent or the client disconnected; rejects if the stream fails. */
export async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  stream: ContentStream,
  stopping: AbortSignal,
  { keepAliveAfter = KEEP_ALIVE_AFTER, stallAfter = READER_STALL_MS }: StreamTimes = {},
): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]()
  const leave = () => void pieces.return?.()
  const stop = () => stream.stop?.()
  if (request.method === 'HEAD' || response.destroyed) leave()
  response.once('close', leave)
  stopping.addEventListener('abort', stop)
  if (stopping.aborted) stop()
  const quiet = keepAlive(response, stream.keepAlive, keepAliveAfter)
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      quiet?.refresh()
      if (!response.write(next.value)) await drained(response, stallAfter)
    }
  } finally {
    clearInterval(quiet)
    stopping.removeEventListener('abort', stop)
    response.off('close', leave)
  }
  // The headers promised to keep the connection alive, before the shutdown began.
  if (stopping.aborted) response.end(() => request.socket.end())
  else response.end()
  limitStall(response, stallAfter)
}

function keepAlive(
  response: ServerResponse,
  text: string | undefined,
  milliseconds: number,
): NodeJS.Timeout | undefined {
  if (text === undefined) return undefined
  return setInterval(() => response.write(text), milliseconds)
}

/** Resolves when the buffer has drained or the connection closed. */
async function drained(response: ServerResponse, stallAfter: number): Promise<void> {
  const done = new AbortController()
  const { signal } = done
  const either = [once(response, 'drain', { signal }), once(response, 'close', { signal })]
  if (response.destroyed) done.abort()
  const endStallLimit = limitStall(response, stallAfter)
  await Promise.race(either).catch(() => {})
  endStallLimit()
  done.abort()
  await Promise.allSettled(either)
}
