/** Lets the write transactions of one member run one after another, so that one member never holds a whole pool. */

export class Turns {
  readonly #last = new Map<number, Promise<void>>()

  async take<T>(memberId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(memberId)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(memberId, promise)
    await before
    try {
      return await work()
    } finally {
      resolve()
      if (this.#last.get(memberId) === promise) this.#last.delete(memberId)
    }
  }
}
