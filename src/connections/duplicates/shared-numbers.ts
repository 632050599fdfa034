/** Finds the numbers that several people have. */

/** Pairs of a number and the position of a person who has it. */
export interface HeldNumbers {
  readonly numbers: number[]
  readonly positions: number[]
}

interface Holders {
  /** The index of the first pair with the number. */
  readonly first: number
  /** At least two, each once. */
  readonly positions: number[]
}

/** The holders of each number that several people have. Pairs of one person and one number follow each other. */
export function sharedNumbers({ numbers, positions }: HeldNumbers): Map<number, Holders> {
  const repeated = repeatedNumbers(new Float64Array(numbers))
  const firsts = new Map<number, number>()
  const shared = new Map<number, Holders>()
  for (const [index, number] of numbers.entries()) {
    if (!repeated.has(number)) continue
    const position = positions[index] ?? 0
    const holders = shared.get(number)
    const first = firsts.get(number)
    if (holders) {
      if (holders.positions.at(-1) !== position) holders.positions.push(position)
    } else if (first === undefined) firsts.set(number, index)
    else if (positions[first] !== position)
      shared.set(number, { first, positions: [positions[first] ?? 0, position] })
  }
  return shared
}

/** Sorting is faster than a map of numbers most of which occur once. */
function repeatedNumbers(numbers: Float64Array): Set<number> {
  const repeated = new Set<number>()
  const sorted = numbers.sort()
  for (let at = 1; at < sorted.length; at += 1) {
    const number = sorted[at] ?? 0
    if (number === sorted[at - 1]) repeated.add(number)
  }
  return repeated
}

/**
 * A hash of 32 bits, which the engine keeps without allocating. It finds candidates; of 100,000 people, a few pairs have the
 * same one by chance, and are compared in vain.
 */
export function hash32(one: number, other: number): number {
  const low = Math.imul(one ^ (one / 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b)
  const high = Math.imul(low ^ (low >>> 15) ^ other ^ (other / 2 ** 32), 0xc2b2ae35)
  return high ^ (high >>> 13)
}

const FILTER_BITS = 2 ** 22

/** A Bloom filter with one hash, of 512 kB. Of 100,000 numbers, it also accepts one in 42 others. */
export class NumberFilter {
  readonly #bits = new Uint8Array(FILTER_BITS / 8)

  /** A number of `hash32`. */
  add(number: number): void {
    const bit = number & (FILTER_BITS - 1)
    this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }

  mayHave(number: number): boolean {
    const bit = number & (FILTER_BITS - 1)
    return ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0
  }
}
