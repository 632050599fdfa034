/**
 * Bounds memory and time of large request bodies, which are in memory several times and block the main thread while parsed.
 */

import { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import { SECOND } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'

/** Only files and long texts in JSON are larger. */
export const LARGE_BODY_BYTES = 256 * 1024

/** 16 bodies of 16 MB take about a gigabyte while they are parsed. */
const MAX_LARGE_BODIES = 16
/** More get a 429. */
const MAX_WAITING_PER_MEMBER = 16
/** Limit while other senders wait, so that a few slow senders do not stop the service. Milliseconds. */
const MAX_READING_MS = 10 * SECOND

/** Large bodies of one process, one per sender at a time. */
export class LargeBodies {
  readonly #maxReadingMs: number
  readonly #turns = new KeyedSemaphore<number | string>({
    permits: MAX_LARGE_BODIES,
    permitsPerKey: 1,
    waitingPerKey: MAX_WAITING_PER_MEMBER,
  })

  constructor(maxReadingMs: number = MAX_READING_MS) {
    this.#maxReadingMs = maxReadingMs
  }

  /** `sender` is a member or a client address. */
  permitFor(sender: number | string): LargeBodyPermit {
    return new LargeBodyPermit(this.#turns, sender, this.#maxReadingMs)
  }
}

/** Disposing it returns the permit. */
class LargeBodyPermit implements Disposable {
  readonly #turns: KeyedSemaphore<number | string>
  readonly #sender: number | string
  readonly #maxReadingMs: number
  #reading: NodeJS.Timeout | undefined
  #isHeld = false
  #isDisposed = false

  constructor(
    turns: KeyedSemaphore<number | string>,
    sender: number | string,
    maxReadingMs: number,
  ) {
    this.#turns = turns
    this.#sender = sender
    this.#maxReadingMs = maxReadingMs
  }

  /**
   * Waits for a permit, or throws the reason of the signal. Calls `onOverdue` if reading takes too long; see `bodyRead`.
   *
   * @throws {RequestError} `rate_limited` when too many large bodies of the sender are waiting.
   */
  async acquire(signal: AbortSignal, onOverdue: (error: RequestError) => void): Promise<void> {
    await this.#turns.acquire(this.#sender, signal)
    // The request failed while it waited.
    if (this.#isDisposed) {
      this.#turns.release(this.#sender)
      return
    }
    this.#isHeld = true
    this.#reading = setInterval(() => {
      if (this.#turns.isExhausted) onOverdue(overdue())
    }, this.#maxReadingMs)
  }

  /** Ends the time limit. */
  bodyRead(): void {
    clearInterval(this.#reading)
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.bodyRead()
    if (this.#isHeld) this.#turns.release(this.#sender)
    this.#isHeld = false
  }
}

function overdue(): RequestError {
  return new RequestError(
    'request_timeout',
    'The body arrived too slowly while other requests were waiting.',
    { hint: 'Try again later, or send the file to POST /api/uploads instead.' },
  )
}
