/** Overlaps reading with the work on what was read. */

/** The same values; the next one is read while the caller works on the last one. */
export class ReadAhead<T> implements AsyncDisposable {
  readonly #values: AsyncGenerator<T, void>
  #next: Promise<IteratorResult<T, void>>
  /** The next value, once it has been read. */
  #ready: { readonly value: T } | undefined

  constructor(values: AsyncGenerator<T, void>) {
    this.#values = values
    this.#next = this.#read()
  }

  /** The next value; undefined after the last one. Rejects as the reading did, after the values before. */
  async take(): Promise<T | undefined> {
    const { done, value } = await this.#next
    if (done === true) return undefined
    this.#next = this.#read()
    return value
  }

  /** The next value if it has been read already and is `wanted`; otherwise undefined, and `take` returns it later. */
  takeReady(wanted: (value: T) => boolean): T | undefined {
    const ready = this.#ready
    if (!ready || !wanted(ready.value)) return undefined
    this.#next = this.#read()
    return ready.value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#values.return()
  }

  #read(): Promise<IteratorResult<T, void>> {
    this.#ready = undefined
    const next = this.#readNext()
    // `take` rejects with the error, unless the caller stops first.
    next.catch(() => {})
    return next
  }

  async #readNext(): Promise<IteratorResult<T, void>> {
    const next = await this.#values.next()
    if (next.done !== true) this.#ready = { value: next.value }
    return next
  }
}
