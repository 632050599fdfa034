/**
 * Identical reads in the same turn of the event loop share one: an agent that sends many calls at once looks up its token
 * and balance once. What this process commits is visible to the next read; what another process commits, in the next turn
 * at the latest, a few milliseconds later.
 */
export class TurnReads {
  /** By key. Rejected reads are shared too. */
  readonly #reads = new Map<string, Promise<unknown>>()

  /** `key` names the kind of read and everything that its result depends on, so equal keys have results of one type. */
  share<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key)
    if (known) return known as Promise<T>
    if (this.#reads.size === 0) setImmediate(() => this.forget())
    const reading = read()
    this.#reads.set(key, reading)
    return reading
  }

  /** Call it after a commit, before any caller is notified. */
  forget(): void {
    this.#reads.clear()
  }
}
