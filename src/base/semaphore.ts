/** A number of places; whoever comes when all are taken waits in line. */
export class Semaphore {
  #free: number
  readonly #line: (() => void)[] = []
  #isClosed = false

  constructor(count: number) {
    this.#free = count
  }

  /** Takes a place, if one is free; nobody waits then. */
  tryTake(): boolean {
    if (this.#isClosed || this.#free === 0) return false
    this.#free -= 1
    return true
  }

  /** Waits for a place; false once they are closed. */
  async take(): Promise<boolean> {
    if (this.tryTake()) return true
    if (this.#isClosed) return false
    await new Promise<void>((resolve) => this.#line.push(resolve))
    return !this.#isClosed
  }

  /** Gives the place to who waits longest, or back. */
  free(): void {
    const next = this.#line.shift()
    if (next) next()
    else this.#free += 1
  }

  /** Sends everybody in line away; no place is given any more. */
  close(): void {
    this.#isClosed = true
    for (const leave of this.#line.splice(0)) leave()
  }
}
