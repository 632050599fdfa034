/** A map that forgets. */

/** Holds at most `most` entries: those that were set last. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const { value: oldest, done } = this.keys().next()
    if (this.size > this.#most && done !== true) this.delete(oldest)
    return this
  }
}
