/** Disconnects clients that send a request body too slowly. */

import { RequestError } from '../../base/request-error.ts'
import type { ServerResponse } from 'node:http'

export interface BodyPace {
  /** The maximum pause between chunks, and how far the sender may fall behind the minimum rate. Milliseconds. */
  readonly timeoutMs: number
  /** Minimum average rate. */
  readonly bytesPerSecond: number
}

/** A phone on a poor connection sends several kilobytes per second. 500 bytes is the default of Apache httpd (mod_reqtimeout). */
export const BODY_PACE: BodyPace = { timeoutMs: 30_000, bytesPerSecond: 500 }

/**
 * Tracks the pace of one body. Only time spent waiting for the sender counts; time in which the service processes
 * received data does not.
 */
export class BodyWatch {
  readonly #pace: BodyPace
  readonly #response: ServerResponse
  #waited = 0
  #bytes = 0

  constructor(pace: BodyPace, response: ServerResponse) {
    this.#pace = pace
    this.#response = response
  }

  /**
   * Starts waiting for the next chunk. Calls `onStall` once if it takes too long; the connection then closes with the response.
   * Call the returned function with the number of bytes received, or with 0 to stop waiting.
   */
  expect(onStall: (error: RequestError) => void): (bytes: number) => void {
    const { timeoutMs, bytesPerSecond } = this.#pace
    const earned = (this.#bytes / bytesPerSecond) * 1_000
    const allowed = Math.min(timeoutMs, timeoutMs + earned - this.#waited)
    const started = performance.now()
    const timer = setTimeout(() => {
      this.#response.shouldKeepAlive = false
      onStall(tooSlow(this.#pace))
    }, allowed)
    return (bytes) => {
      clearTimeout(timer)
      this.#waited += performance.now() - started
      this.#bytes += bytes
    }
  }
}

/**
 * Yields the same chunks.
 *
 * @throws {RequestError} `request_timeout` when the sender stops or is too slow.
 */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  watch: BodyWatch,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await nextWithin(iterator, watch)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: after a stall, the iterator ends only when the connection closes.
    iterator.return?.().catch(() => {})
  }
}

async function nextWithin(
  iterator: AsyncIterator<Uint8Array>,
  watch: BodyWatch,
): Promise<IteratorResult<Uint8Array>> {
  const stall = Promise.withResolvers<never>()
  const received = watch.expect(stall.reject)
  let bytes = 0
  try {
    const next = await Promise.race([iterator.next(), stall.promise])
    if (next.done !== true) bytes = next.value.byteLength
    return next
  } finally {
    received(bytes)
  }
}

function tooSlow({ timeoutMs, bytesPerSecond }: BodyPace): RequestError {
  return new RequestError(
    'request_timeout',
    `The body paused for ${Math.round(timeoutMs / 1_000)} seconds or received at less than ${bytesPerSecond} bytes per second.`,
    { hint: 'Send the request again on a new connection.' },
  )
}
