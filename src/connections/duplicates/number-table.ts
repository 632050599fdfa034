/** A map of numbers in typed arrays, by linear probing. A `Map` allocates an object for every number above 31 bits. */
export class NumberTable {
  size = 0
  /** Pairs of a number and its value; 0 for an empty slot. At most half of them are used. */
  #slots = new Float64Array(2 * MIN_SLOTS)

  /** The value of a number, which is not 0; undefined if it has none. */
  get(number: number): number | undefined {
    const slot = this.#slotOf(number)
    return this.#slots[slot] === 0 ? undefined : this.#slots[slot + 1]
  }

  has(number: number): boolean {
    return this.#slots[this.#slotOf(number)] !== 0
  }

  set(number: number, value: number): void {
    const slot = this.#slotOf(number)
    if (this.#slots[slot] === 0) this.size += 1
    this.#slots[slot] = number
    this.#slots[slot + 1] = value
    if (4 * this.size > this.#slots.length) this.#grow()
  }

  clear(): void {
    this.#slots.fill(0)
    this.size = 0
  }

  /** The slot that has the number, or the empty one where it belongs. */
  #slotOf(number: number): number {
    const last = this.#slots.length - 2
    const hash = Math.imul(number ^ (number * 2 ** -32), 0x9e3779b1)
    let slot = ((hash ^ (hash >>> 15)) << 1) & last
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== number) slot = (slot + 2) & last
    return slot
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Float64Array(2 * before.length)
    for (let slot = 0; slot < before.length; slot += 2) {
      const number = before[slot] ?? 0
      if (number === 0) continue
      const place = this.#slotOf(number)
      this.#slots[place] = number
      this.#slots[place + 1] = before[slot + 1] ?? 0
    }
  }
}

/** A power of two. */
const MIN_SLOTS = 256
