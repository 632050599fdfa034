/** Results that are computed again and again from the same few values. */

const MAX_REMEMBERED = 4096

/** Remembers the results of the latest values, at most `most`. `compute` depends on nothing else. */
export function remembering<Result, Value extends string | number = string>(
  compute: (value: Value) => Result,
  most = MAX_REMEMBERED,
): (value: Value) => Result {
  const known = new Map<Value, Result>()
  return (value) => {
    let result = known.get(value)
    if (result === undefined) {
      result = compute(value)
      if (known.size >= most) known.clear()
      known.set(value, result)
    }
    return result
  }
}
