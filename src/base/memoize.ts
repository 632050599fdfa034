/** A bounded cache for results that are computed repeatedly from the same few values. */

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
