/**
 * The edit distance of two words. The search index, which compares bytes, has its own implementation: `index/typos.ts`.
 */

/** The number of bits in a JavaScript bitwise operation, and so the maximum word length that fits in one number. */
const WORD_BITS = 32

/**
 * The number of insertions, deletions, substitutions and transpositions of neighbors that turn one word into the other
 * (optimal string alignment), or `max + 1` when there are more than `max`.
 */
export function editDistance(one: string, other: string, max: number): number {
  if (one === other) return 0
  if (Math.abs(one.length - other.length) > max) return max + 1
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1
  const [rest, longRest] = [
    short.slice(start, short.length - end),
    long.slice(start, long.length - end),
  ]
  const distance = rest === '' ? longRest.length : distanceOf(rest, longRest)
  return Math.min(distance, max + 1)
}

function distanceOf(one: string, other: string): number {
  return one.length <= WORD_BITS ? bitParallel(one, other) : byRows(one, other)
}

/** One column of the distance table per step, as bit vectors of its differences (Hyyrö, 2003). */
function bitParallel(pattern: string, text: string): number {
  const masks = new Map<string, number>()
  for (let at = 0; at < pattern.length; at += 1)
    masks.set(pattern.charAt(at), (masks.get(pattern.charAt(at)) ?? 0) | (1 << at))
  const last = 1 << (pattern.length - 1)
  let distance = pattern.length
  let [increases, decreases, diagonal, previous] = [-1, 0, 0, 0]
  for (const letter of text.split('')) {
    const mask = masks.get(letter) ?? 0
    const transposed = ((~diagonal & mask) << 1) & previous
    diagonal =
      ((((mask & increases) >>> 0) + (increases >>> 0)) ^ increases) | mask | decreases | transposed
    const rises = decreases | ~(diagonal | increases)
    const falls = diagonal & increases
    if (rises & last) distance += 1
    else if (falls & last) distance -= 1
    const shifted = (rises << 1) | 1
    increases = (falls << 1) | ~(diagonal | shifted)
    decreases = shifted & diagonal
    previous = mask
  }
  return distance
}

/** For words that are longer than a bit vector. */
function byRows(one: string, other: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      let cost = Math.min(
        (row?.[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row?.[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (before?.[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    before = row
    row = next
  }
  return row?.at(-1) ?? 0
}
