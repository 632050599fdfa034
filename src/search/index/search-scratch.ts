/** Working memory of searches. */

import { lowestBit, setLength, type PeopleSet } from './people-set.ts'

/** By person: the factor and weight of their best posting, with `IN_NAME`; 0 for those who do not match. */
export type WordValues = Uint16Array

/** Reused by the next search. A search does not yield, so a thread needs only one. */
export class SearchScratch {
  readonly #sets: PeopleSet[] = []
  readonly #values: WordValues[] = []
  #list = new Uint32Array(0)
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
    this.#list = new Uint32Array(size)
  }

  /** A set for this search. */
  emptySet(): PeopleSet {
    const set = (this.#sets[this.#usedSets] ??= new Uint32Array(setLength(this.#room)))
    this.#usedSets += 1
    const part = set.subarray(0, setLength(this.#size))
    part.fill(0)
    return part
  }

  /** The people of a set, ascending. Only the latest list is valid. */
  listOf(set: PeopleSet): Uint32Array {
    const list = this.#list
    const { length } = set
    let count = 0
    for (let word = 0; word < length; word += 1)
      for (let rest = set[word] ?? 0; rest !== 0; rest &= rest - 1)
        list[count++] = 32 * word + lowestBit(rest)
    return list.subarray(0, count)
  }

  /** Values of the word with this number, all 0. Set them back to 0 after use. */
  valuesOf(word: number): WordValues {
    return (this.#values[word] ??= new Uint16Array(this.#room))
  }
}
