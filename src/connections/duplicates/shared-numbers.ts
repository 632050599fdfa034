/** Finds the numbers that several people have. */

/** Pairs of a number and the position of a person who has it. Pairs of one person and one number follow each other. */
export class HeldNumbers {
  length = 0
  #numbers = new Float64Array(1024)
  #positions = new Uint32Array(1024)

  push(number: number, position: number): void {
    if (this.length === this.#numbers.length) this.#grow()
    this.#numbers[this.length] = number
    this.#positions[this.length++] = position
  }

  /** The holders of each number that several people have, in the order in which the second of them comes. */
  shared(): Holders[] {
    const slots = new Int32Array(slotsFor(this.length)).fill(NONE)
    const placeOf = new Int32Array(this.length).fill(NONE)
    const shared: Holders[] = []
    for (let index = 0; index < this.length; index += 1) {
      const slot = this.#slotOf(index, slots)
      const first = slots[slot] ?? NONE
      if (first === NONE) {
        slots[slot] = index
        continue
      }
      const [position, other] = [this.#positions[index] ?? 0, this.#positions[first] ?? 0]
      const holders = shared[placeOf[first] ?? NONE]
      if (holders) {
        if (holders.positions.at(-1) !== position) holders.positions.push(position)
      } else if (position !== other) {
        placeOf[first] = shared.length
        shared.push({ first, number: this.#numbers[index] ?? 0, positions: [other, position] })
      }
    }
    return shared
  }

  /** The slot of the number, by linear probing. */
  #slotOf(index: number, slots: Int32Array): number {
    const number = this.#numbers[index] ?? 0
    const mask = slots.length - 1
    let slot = Math.imul(number ^ (number * 2 ** -32), 0x9e3779b1)
    for (slot = (slot ^ (slot >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const first = slots[slot] ?? NONE
      if (first === NONE || this.#numbers[first] === number) return slot
    }
  }

  #grow(): void {
    const numbers = new Float64Array(2 * this.length)
    numbers.set(this.#numbers)
    this.#numbers = numbers
    const positions = new Uint32Array(2 * this.length)
    positions.set(this.#positions)
    this.#positions = positions
  }
}

interface Holders {
  /** The index of the first pair with the number. */
  readonly first: number
  readonly number: number
  /** At least two, each once. */
  readonly positions: number[]
}

const NONE = -1

/** A power of two, so that at most half of the slots are used. */
function slotsFor(count: number): number {
  let slots = 2
  while (slots < 2 * count) slots *= 2
  return slots
}

/**
 * A hash of 32 bits, which the engine keeps without allocating. It finds candidates; of 100,000 people, a few pairs have the
 * same one by chance, and are compared in vain.
 */
export function hash32(one: number, other: number): number {
  const low = Math.imul(one ^ (one * 2 ** -32) ^ 0x9e3779b9, 0x85ebca6b)
  const high = Math.imul(low ^ (low >>> 15) ^ other ^ (other * 2 ** -32), 0xc2b2ae35)
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
