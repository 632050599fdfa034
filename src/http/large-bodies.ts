/**
 * Bounds the memory and time that large request bodies take: each is in memory as a whole, several times while it is parsed,
 * and parsing it blocks the main thread.
 */

import { KeyedSemaphore } from '../base/keyed-semaphore.ts'

/** Smaller bodies need no permit. Only files and long texts inside JSON are larger. */
export const LARGE_BODY_BYTES = 256 * 1024

/** Of all members together: 16 bodies of 16 MB take about a gigabyte while they are parsed. */
const MAX_LARGE_BODIES = 16
/** Further requests of a member get a 429. */
const MAX_WAITING_PER_MEMBER = 16

/** The large bodies of one process. Each member has one at a time; the others wait unread. */
export class LargeBodies {
  readonly #turns = new KeyedSemaphore<number | string>({
    permits: MAX_LARGE_BODIES,
    permitsPerKey: 1,
    waitingPerKey: MAX_WAITING_PER_MEMBER,
  })

  /** `sender` is a member, or a client address. */
  permitFor(sender: number | string): LargeBodyPermit {
    return new LargeBodyPermit(this.#turns, sender)
  }
}

/** The permit of one request. Disposing it returns the permit, if it was acquired. */
class LargeBodyPermit implements Disposable {
  readonly #turns: KeyedSemaphore<number | string>
  readonly #sender: number | string
  #isHeld = false
  #isDisposed = false

  constructor(turns: KeyedSemaphore<number | string>, sender: number | string) {
    this.#turns = turns
    this.#sender = sender
  }

  /**
   * Waits for the sender's turn, or throws the reason of the signal.
   *
   * @throws {RequestError} `rate_limited` when too many large bodies of the sender are waiting.
   */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#turns.acquire(this.#sender, signal)
    // The request may have failed while it waited.
    if (this.#isDisposed) this.#turns.release(this.#sender)
    else this.#isHeld = true
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    if (this.#isHeld) this.#turns.release(this.#sender)
    this.#isHeld = false
  }
}
