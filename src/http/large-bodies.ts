/**
 * Bounds the memory and time that large request bodies take: each is in memory as a whole, several times while it is parsed,
 * and parsing it blocks the main thread.
 */

import { KeyedSemaphore } from '../base/keyed-semaphore.ts'
import { SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'

/** Smaller bodies need no permit. Only files and long texts inside JSON are larger. */
export const LARGE_BODY_BYTES = 256 * 1024

/** Of all members together: 16 bodies of 16 MB take about a gigabyte while they are parsed. */
const MAX_LARGE_BODIES = 16
/** Further requests of a member get a 429. */
const MAX_WAITING_PER_MEMBER = 16
/**
 * How long a body may be read while other senders wait for its permit: a few slow senders must not stop all others.
 * Milliseconds.
 */
const MAX_READING_MS = 10 * SECOND

/** The large bodies of one process. Each member has one at a time; the others wait unread. */
export class LargeBodies {
  readonly #maxReadingMs: number
  readonly #turns = new KeyedSemaphore<number | string>({
    permits: MAX_LARGE_BODIES,
    permitsPerKey: 1,
    waitingPerKey: MAX_WAITING_PER_MEMBER,
  })

  /** `maxReadingMs` is shorter in tests. */
  constructor(maxReadingMs: number = MAX_READING_MS) {
    this.#maxReadingMs = maxReadingMs
  }

  /** `sender` is a member, or a client address. */
  permitFor(sender: number | string): LargeBodyPermit {
    return new LargeBodyPermit(this.#turns, sender, this.#maxReadingMs)
  }
}

/** The permit of one request. Disposing it returns the permit, if it was acquired. */
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
   * Waits for the sender's turn, or throws the reason of the signal. Calls `onOverdue` if reading the body takes too long
   * while other senders wait; see `bodyRead`.
   *
   * @throws {RequestError} `rate_limited` when too many large bodies of the sender are waiting.
   */
  async acquire(signal: AbortSignal, onOverdue: (error: RequestError) => void): Promise<void> {
    await this.#turns.acquire(this.#sender, signal)
    // The request may have failed while it waited.
    if (this.#isDisposed) {
      this.#turns.release(this.#sender)
      return
    }
    this.#isHeld = true
    this.#reading = setInterval(() => {
      if (this.#turns.isExhausted) onOverdue(overdue())
    }, this.#maxReadingMs)
  }

  /** Ends the limit on the time for reading. */
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
