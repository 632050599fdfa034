/** Bounded caches in memory. */

const MAX_REMEMBERED = 4096

/** Characters. Longer texts, such as headers that an attacker makes long, would fill the memory and rarely repeat. */
const MAX_TEXT_LENGTH = 512

/** Caches the results for the latest values, at most `most`. `compute` must depend only on its argument. */
export function memoize<Result, Value extends string | number = string>(
  compute: (value: Value) => Result,
  most = MAX_REMEMBERED,
): (value: Value) => Result {
  const known = new Map<Value, Result>()
  return (value) => {
    let result = known.get(value)
    if (result === undefined) {
      result = compute(value)
      if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) return result
      if (known.size >= most) known.clear()
      known.set(value, result)
    }
    return result
  }
}

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
