/** Working memory of searches. */

import { setLength, type PeopleSet } from './people-set.ts'
import type { WordValues } from './score-people.ts'

/** Reused by the next search. A search does not yield, so a thread needs only one. */
export class SearchScratch {
  readonly #sets: PeopleSet[] = []
  readonly #values: WordValues[] = []
  #usedSets = 0
  #size = 0
  /** The largest size so far. */
  #room = 0

  /** Makes room for so many people. Sets of earlier searches may be given out again. */
  begin(size: number): void {
    this.#usedSets = 0
    this.#size = size
    if (this.#room >= size) return
    this.#room = size
    this.#sets.length = 0
    this.#values.length = 0
  }

  /** A set for this search. */
  emptySet(): PeopleSet {
    const set = (this.#sets[this.#usedSets] ??= new Uint32Array(setLength(this.#room)))
    this.#usedSets += 1
    const part = set.subarray(0, setLength(this.#size))
    part.fill(0)
    return part
  }

  /** Values of the word with this number, all 0. Set them back to 0 after use. */
  valuesOf(word: number): WordValues {
    return (this.#values[word] ??= new Uint16Array(this.#room))
  }
}
