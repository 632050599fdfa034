/** A counting semaphore with a FIFO queue, which can be closed. `KeyedSemaphore` shares permits fairly between keys. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []
  #isClosed = false

  constructor(count: number) {
    this.#free = count
  }

  /** Acquires a permit without waiting, if one is free. */
  tryAcquire(): boolean {
    if (this.#isClosed || this.#free === 0) return false
    this.#free -= 1
    return true
  }

  /** Waits for a permit. Resolves with false if the semaphore is closed. */
  async acquire(): Promise<boolean> {
    if (this.tryAcquire()) return true
    if (this.#isClosed) return false
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return !this.#isClosed
  }

  /** Passes the permit to the first waiting caller, or returns it. */
  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }

  /** Rejects all waiting and future callers. */
  close(): void {
    this.#isClosed = true
    for (const resume of this.#waiting.splice(0)) resume()
  }
}
