/** Sends content that comes bit by bit: no faster than it is read, and no longer than somebody reads. */

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECOND } from '../base/clock.ts'
import type { ContentStream } from './response.ts'

/** Proxies and load balancers commonly drop a connection that is silent for 30 to 60 seconds. Milliseconds. */
const KEEP_ALIVE_AFTER = 15 * SECOND

/** Resolves when all is sent or the reader has gone; rejects with what the stream failed by. */
export async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  stream: ContentStream,
  stopping: AbortSignal,
  keepAliveAfter = KEEP_ALIVE_AFTER,
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
      if (!response.write(next.value)) await drained(response)
    }
  } finally {
    clearInterval(quiet)
    stopping.removeEventListener('abort', stop)
    response.off('close', leave)
  }
  // Its head said that the connection would go on, before anyone knew of the stop.
  if (stopping.aborted) response.end(() => request.socket.end())
  else response.end()
}

function keepAlive(
  response: ServerResponse,
  text: string | undefined,
  milliseconds: number,
): NodeJS.Timeout | undefined {
  if (text === undefined) return undefined
  return setInterval(() => response.write(text), milliseconds)
}

/** Resolves when there is room again, or nobody left who could make any. */
async function drained(response: ServerResponse): Promise<void> {
  const done = new AbortController()
  const { signal } = done
  const either = [once(response, 'drain', { signal }), once(response, 'close', { signal })]
  if (response.destroyed) done.abort()
  await Promise.race(either).catch(() => {})
  done.abort()
  await Promise.allSettled(either)
}
