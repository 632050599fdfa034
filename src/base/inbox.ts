/** A queue from callbacks to async code. */

export class Inbox<T> {
  readonly #values: T[] = []
  readonly #waiting: PromiseWithResolvers<T>[] = []
  #failure: { readonly error: unknown } | undefined

  put(value: T): void {
    const taker = this.#waiting.shift()
    if (taker) taker.resolve(value)
    else this.#values.push(value)
  }

  /** Values that were put before can still be taken; then every `take` rejects. Only the first failure counts. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    for (const taker of this.#waiting.splice(0)) taker.reject(this.#failure.error)
  }

  /** The next value, in the order they were put. */
  async take(): Promise<T> {
    const [value] = this.#values
    if (this.#values.length > 0) {
      this.#values.shift()
      return value as T
    }
    if (this.#failure) throw this.#failure.error
    const taker = Promise.withResolvers<T>()
    this.#waiting.push(taker)
    return taker.promise
  }
}
