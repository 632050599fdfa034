/** How slowly a request's body may arrive before its sender is disconnected. */

import { RequestError } from '../base/request-error.ts'
import type { ServerResponse } from 'node:http'

export interface BodyPace {
  /** How long a sender may send nothing, and how far it may fall behind the rate. Milliseconds. */
  readonly patience: number
  /** The lowest average rate. */
  readonly bytesPerSecond: number
}

/** A phone on a poor line sends several kilobytes a second; 500 bytes are what Apache httpd asks for (mod_reqtimeout). */
export const BODY_PACE: BodyPace = { patience: 30_000, bytesPerSecond: 500 }

/**
 * Watches one body. Only time spent waiting for its sender counts: while the service works on what has arrived, it may
 * leave the rest unread for as long as it likes.
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
   * Waits for the next piece. `onStall` is called once if it takes too long; the connection then ends with the answer.
   * Returns what to call when `bytes` have arrived, or with 0 when nothing more is waited for.
   */
  expect(onStall: (error: RequestError) => void): (bytes: number) => void {
    const { patience, bytesPerSecond } = this.#pace
    const earned = (this.#bytes / bytesPerSecond) * 1_000
    const allowed = Math.min(patience, patience + earned - this.#waited)
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

/** The same pieces. @throws Refusal `request_timeout` where the sender stops or is too slow. */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  watch: BodyWatch,
): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await nextWithin(iterator, watch)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Not waited for: after a stall the iterator ends only with the connection.
    iterator.return?.().catch(() => {})
  }
}

async function nextWithin(
  iterator: AsyncIterator<Uint8Array>,
  watch: BodyWatch,
): Promise<IteratorResult<Uint8Array>> {
  const stall = Promise.withResolvers<never>()
  const arrived = watch.expect(stall.reject)
  let bytes = 0
  try {
    const next = await Promise.race([iterator.next(), stall.promise])
    if (next.done !== true) bytes = next.value.byteLength
    return next
  } finally {
    arrived(bytes)
  }
}

function tooSlow({ patience, bytesPerSecond }: BodyPace): RequestError {
  return new RequestError(
    'request_timeout',
    `The body stopped arriving for ${Math.round(patience / 1_000)} s, or came slower than ${bytesPerSecond} bytes a second.`,
    { hint: 'Send the request again on a new connection.' },
  )
}
