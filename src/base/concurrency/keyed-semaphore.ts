/**
 * Limits concurrency in total and per key. Keys take turns, so one with a thousand callers delays another by one piece of
 * work.
 */

import { RequestError } from '../request-error.ts'

interface KeyedSemaphoreOptions {
  /** Across all keys. */
  readonly permits: number
  /** `permits` by default. */
  readonly permitsPerKey?: number
  /** Unlimited by default. */
  readonly waitingPerKey?: number
}

/** Seconds. */
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
  readonly #permits: number
  readonly #permitsPerKey: number
  readonly #waitingPerKey: number
  /** In scheduling order. A key that acquires or releases a permit moves to the end. */
  readonly #entries = new Map<Key, Entry>()

  constructor({
    permits,
    permitsPerKey = permits,
    waitingPerKey = Number.POSITIVE_INFINITY,
  }: KeyedSemaphoreOptions) {
    this.#free = permits
    this.#permits = permits
    this.#permitsPerKey = permitsPerKey
    this.#waitingPerKey = waitingPerKey
  }

  get held(): number {
    return this.#permits - this.#free
  }

  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#entries.values()) count += waiting.length
    return count
  }

  /** True if a caller waits only for the total. */
  get isExhausted(): boolean {
    if (this.#free > 0) return false
    for (const { held, waiting } of this.#entries.values())
      if (waiting.length > 0 && held < this.#permitsPerKey) return true
    return false
  }

  /**
   * Runs `work`, which must observe the signal itself. Throws the signal's reason if it aborts before.
   *
   * @throws {RequestError} `rate_limited` when too many callers of this key are waiting.
   */
  async run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.acquire(key, signal)
    try {
      return await work()
    } finally {
      this.release(key)
    }
  }

  /** Waits for a permit, which the caller must `release`. Throws as `run` does. */
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

  /** Grants the permit to the next key. */
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
    `Too many calls of this type are waiting. Try again in ${RETRY_AFTER} seconds.`,
    { retryAfter: RETRY_AFTER, hint: 'Send these calls one at a time instead of in parallel.' },
  )
}
