/** Tells which keys no one has: one bit for each value of the first bits of a key, 16 to 32 of them per key at first. */

import type { KeyRun } from '../model/key-run.ts'

const MIN_BITS_LOG = 15
const BITS_PER_KEY_LOG = 4
/** With fewer bits per key, one in eight other keys seems to be there. */
const MIN_BITS_PER_KEY = 8

export class KeyFilter {
  readonly #bits: Uint32Array
  readonly #shift: number

  /** For this many keys. */
  constructor(keys: number) {
    const log = Math.max(MIN_BITS_LOG, Math.ceil(Math.log2(Math.max(keys, 1))) + BITS_PER_KEY_LOG)
    this.#bits = new Uint32Array(2 ** (log - 5))
    this.#shift = 32 - log
  }

  /** Whether it has enough bits for this many keys. */
  suffices(keys: number): boolean {
    return keys * MIN_BITS_PER_KEY <= this.#bits.length * 32
  }

  addAll({ high }: KeyRun): void {
    const bits = this.#bits
    const shift = this.#shift
    // An iterator would take several times as long until this code is optimized.
    for (let at = 0; at < high.length; at += 1) {
      const place = (high[at] ?? 0) >>> shift
      bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
    }
  }

  /** True for every key that was added, and sometimes for another. `high` is that of the key. */
  mayHave(high: number): boolean {
    const place = high >>> this.#shift
    return (((this.#bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
  }
}
