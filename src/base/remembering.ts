/** A bounded cache for results that are computed repeatedly from the same few texts. */

const MAX_REMEMBERED = 4096

/** Caches the results for the latest texts, at most `most`. `compute` must depend on nothing else. */
export function remembering<Result>(
  compute: (text: string) => Result,
  most = MAX_REMEMBERED,
): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    let result = known.get(text)
    if (result === undefined) {
      result = compute(text)
      if (known.size >= most) known.clear()
      known.set(text, result)
    }
    return result
  }
}
