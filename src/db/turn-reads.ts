/**
 * Reads that are asked for again in the same turn of the event loop share one: an agent that sends many calls at once looks
 * up one token and one balance. No caller sees an older state for it, because nothing that it could have learned in
 * between was sent yet, and whatever this process commits is read anew.
 */
export class TurnReads {
  /** By key. Rejected reads are shared too. */
  readonly #reads = new Map<string, Promise<unknown>>()

  /** `key` names the kind of read and all that its result depends on, so that equal keys have results of one type. */
  share<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#reads.get(key)
    if (known) return known as Promise<T>
    if (this.#reads.size === 0) setImmediate(() => this.forget())
    const reading = read()
    this.#reads.set(key, reading)
    return reading
  }

  /** Call it after a commit, before anyone learns of it. */
  forget(): void {
    this.#reads.clear()
  }
}
