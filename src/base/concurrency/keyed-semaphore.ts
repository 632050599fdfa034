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
  readonly admit: () => boolean
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

  /**
   * Waits for a permit, which the caller must `release`. Throws as `run` does. `admit` is called when a permit is free: if
   * it returns false, the permit goes to the next caller, and this one waits until another permit is released.
   */
  async acquire(key: Key, signal?: AbortSignal, admit: () => boolean = () => true): Promise<void> {
    signal?.throwIfAborted()
    const entry = this.#entryOf(key)
    if (this.#isAvailable(entry) && admit()) return this.#grant(key, entry)
    if (entry.waiting.length >= this.#waitingPerKey) {
      this.#forgetIdle(key, entry)
      throw queueFull()
    }
    await this.#wait(key, entry, { signal, admit })
  }

  /** Grants the permit to the next key that can use it. */
  release(key: Key): void {
    const entry = this.#entryOf(key)
    entry.held -= 1
    this.#free += 1
    this.#moveToEnd(key, entry)
    this.#forgetIdle(key, entry)
    this.#grantFree()
  }

  #wait(
    key: Key,
    entry: Entry,
    { signal, admit }: Pick<Waiting, 'admit'> & { readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        admit,
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

  /** More than one permit is free if callers were not admitted before. */
  #grantFree(): void {
    // A key that gets a permit moves to the end, so the loop reaches it again.
    for (const [key, entry] of this.#entries) {
      if (this.#free === 0) return
      if (!this.#isAvailable(entry)) continue
      const next = entry.waiting.findIndex(({ admit }) => admit())
      const [admitted] = next === -1 ? [] : entry.waiting.splice(next, 1)
      if (!admitted) continue
      this.#grant(key, entry)
      admitted.enter()
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
