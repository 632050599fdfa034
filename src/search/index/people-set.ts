/** Sets of people as bit masks: 12 kB for 100,000 people, so that several stay in the processor's cache. */

/** A bit for each person of a layout. */
export type PeopleSet = Uint32Array

export function setLength(people: number): number {
  return (people + 31) >>> 5
}

/** Adds a person; returns 1 if they are new, otherwise 0. */
export function include(set: PeopleSet, at: number): number {
  const word = set[at >>> 5] ?? 0
  const bit = 1 << (at & 31)
  if ((word & bit) !== 0) return 0
  set[at >>> 5] = word | bit
  return 1
}

/** Whether the person with this index is in the set. */
export function includes(set: PeopleSet, at: number): boolean {
  return ((set[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
}

/** Keeps those who are also in the other set; returns whether any are left. */
export function intersect(set: PeopleSet, other: PeopleSet): boolean {
  const { length } = set
  let left = 0
  for (let index = 0; index < length; index += 1) {
    const both = (set[index] ?? 0) & (other[index] ?? 0)
    set[index] = both
    left |= both
  }
  return left !== 0
}

/** Adds those who are in the other set. */
export function unite(set: PeopleSet, other: PeopleSet): void {
  const { length } = set
  for (let index = 0; index < length; index += 1)
    set[index] = (set[index] ?? 0) | (other[index] ?? 0)
}

/** Removes those who are in the other set; returns whether any are left. */
export function subtract(set: PeopleSet, other: PeopleSet): boolean {
  const { length } = set
  let left = 0
  for (let index = 0; index < length; index += 1) {
    const rest = (set[index] ?? 0) & ~(other[index] ?? 0)
    set[index] = rest
    left |= rest
  }
  return left !== 0
}

/** Number of people in the set. */
export function countPeople(set: PeopleSet): number {
  const { length } = set
  let count = 0
  for (let index = 0; index < length; index += 1) count += countBits(set[index] ?? 0)
  return count
}

/** The 32 people from `at` on. */
export function peopleFrom(set: PeopleSet, at: number): number {
  const [index, shift] = [at >>> 5, at & 31]
  const first = set[index] ?? 0
  return shift === 0 ? first : (first >>> shift) | ((set[index + 1] ?? 0) << (32 - shift))
}

/** The number of the lowest bit of a word that is not 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** The number of bits of a word. */
export function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** By person: the factor and weight of their best posting, with `IN_NAME`; 0 for those who do not match. */
export type WordValues = Uint16Array

/** Reused by the next search. A search does not yield, so a thread needs only one. */
export class SearchScratch {
  readonly #sets: PeopleSet[] = []
  readonly #values: WordValues[] = []
  #usedSets = 0
  #size = 0
  /** The largest size so far. */
  #room = 0

  /** Makes room for a number of people. Sets of earlier searches may be given out again. */
  begin(size: number): void {
    this.#usedSets = 0
    this.#size = size
    if (this.#room >= size) return
    this.#room = size
    this.#sets.length = 0
    this.#values.length = 0
  }

  emptySet(): PeopleSet {
    const set = (this.#sets[this.#usedSets] ??= new Uint32Array(setLength(this.#room)))
    this.#usedSets += 1
    const part = set.subarray(0, setLength(this.#size))
    part.fill(0)
    return part
  }

  copyOf(set: PeopleSet): PeopleSet {
    const copy = this.emptySet()
    copy.set(set)
    return copy
  }

  /** Values of the word with this number, all 0. Set them back to 0 after use. */
  valuesOf(word: number): WordValues {
    return (this.#values[word] ??= new Uint16Array(this.#room))
  }
}
