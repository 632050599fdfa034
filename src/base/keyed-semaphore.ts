/**
 * Limits how much runs at the same time, in all and per key, and shares the permits fairly: keys that wait take turns,
 * so a key with a thousand waiting callers delays a key with one by no more than one piece of work.
 */

import { RequestError } from './request-error.ts'

export interface KeyedSemaphoreOptions {
  /** Held at a time by all keys together. */
  readonly permits: number
  /** Held at a time by one key; all of them unless given. */
  readonly permitsPerKey?: number
  /** Callers of one key that may wait; any number unless given. */
  readonly waitingPerKey?: number
}

/** What a caller is told whose queue is full; seconds. */
const RETRY_AFTER = 5

interface Waiting {
  readonly enter: () => void
}

interface Entry {
  held: number
  readonly waiting: Waiting[]
}

export class KeyedSemaphore<Key> {
  #free: number
  readonly #permitsPerKey: number
  readonly #waitingPerKey: number
  /** In the order of their turns: a key that took or gave back a permit goes to the end. */
  readonly #entries = new Map<Key, Entry>()

  constructor({
    permits,
    permitsPerKey = permits,
    waitingPerKey = Number.POSITIVE_INFINITY,
  }: KeyedSemaphoreOptions) {
    this.#free = permits
    this.#permitsPerKey = permitsPerKey
    this.#waitingPerKey = waitingPerKey
  }

  /**
   * Runs `work` while it holds a permit.
   *
   * @throws Refusal `rate_limited` when too many callers of this key wait already; the signal's reason when it aborts
   *   before `work` begins. `work` itself has to heed the signal.
   */
  async run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.acquire(key, signal)
    try {
      return await work()
    } finally {
      this.release(key)
    }
  }

  /** Waits for a permit, which must be given back with `release`. Throws as `run` does. */
  async acquire(key: Key, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const entry = this.#entryOf(key)
    if (this.#isAvailable(entry) && entry.waiting.length === 0) return this.#grant(key, entry)
    if (entry.waiting.length >= this.#waitingPerKey) {
      this.#forgetIdle(key, entry)
      throw queueFull()
    }
    await this.#wait(key, entry, signal)
  }

  /** Gives a permit back, and with it to the key whose turn it is. */
  release(key: Key): void {
    const entry = this.#entryOf(key)
    entry.held -= 1
    this.#free += 1
    this.#moveToEnd(key, entry)
    this.#forgetIdle(key, entry)
    this.#grantNext()
  }

  #wait(key: Key, entry: Entry, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        enter: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      const leave = () => {
        entry.waiting.splice(entry.waiting.indexOf(waiting), 1)
        this.#forgetIdle(key, entry)
        reject(signal?.reason as Error)
      }
      entry.waiting.push(waiting)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #grantNext(): void {
    for (const [key, entry] of this.#entries) {
      if (!this.#isAvailable(entry)) continue
      const next = entry.waiting.shift()
      if (!next) continue
      this.#grant(key, entry)
      next.enter()
      return
    }
  }

  #isAvailable({ held }: Entry): boolean {
    return this.#free > 0 && held < this.#permitsPerKey
  }

  #grant(key: Key, entry: Entry): void {
    this.#free -= 1
    entry.held += 1
    this.#moveToEnd(key, entry)
  }

  #moveToEnd(key: Key, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  #entryOf(key: Key): Entry {
    const known = this.#entries.get(key)
    if (known) return known
    const entry: Entry = { held: 0, waiting: [] }
    this.#entries.set(key, entry)
    return entry
  }

  #forgetIdle(key: Key, { held, waiting }: Entry): void {
    if (held === 0 && waiting.length === 0) this.#entries.delete(key)
  }
}

function queueFull(): RequestError {
  return new RequestError(
    'rate_limited',
    `Too many calls of this kind are waiting. Try again in ${RETRY_AFTER} seconds.`,
    { retryAfter: RETRY_AFTER, hint: 'Send such calls one after another instead of in parallel.' },
  )
}
