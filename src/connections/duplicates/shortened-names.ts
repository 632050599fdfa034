/** Names with initials or middle names, together with names at the same company that may be their full form. */

import { isInformative, type Bucket } from './buckets.ts'
import { EMPTY_VALUE, initialOf, isInitial } from './name-words.ts'
import {
  COLUMN,
  columnOf,
  fullList,
  LIST,
  listEnd,
  listLength,
  listStart,
  type PeopleTable,
} from './people-table.ts'
import { hash32, HeldNumbers, NumberFilter } from './shared-numbers.ts'

/** A shortened name comes first in its bucket. */
export function shortenedNameBuckets(table: PeopleTable): Bucket[] {
  const names = new ShortenedNames(table)
  for (let position = 0; position < table.ids.length; position += 1) names.addShortened(position)
  const shortened = names.held.length
  for (let position = 0; position < table.ids.length; position += 1) names.addFull(position)
  const buckets: Bucket[] = []
  for (const { first, positions } of names.held.shared())
    if (first < shortened && isInformative(positions)) buckets.push(positions)
  return buckets
}

/** Words of a name that are compared. */
const MAX_COMPARED_WORDS = 4

class ShortenedNames {
  /** The keys of shortened names, then those of names that may be their full form: hashes, also of the company. */
  readonly held = new HeldNumbers()
  readonly #table: PeopleTable
  /** The whole words of shortened names, with the company. */
  readonly #words = new NumberFilter()
  /** The keys of shortened names. */
  readonly #keys = new NumberFilter()
  /** The full words of the current name, without initials; the first `#count`. */
  readonly #whole = new Float64Array(MAX_COMPARED_WORDS)
  #count = 0

  constructor(table: PeopleTable) {
    this.#table = table
  }

  /** Adds the keys of a shortened name; other names have none. */
  addShortened(position: number): void {
    const company = columnOf(this.#table, position, COLUMN.company)
    if (company <= EMPTY_VALUE || !isShortened(this.#table, position)) return
    this.#findWhole(position)
    for (let at = 0; at < this.#count; at += 1)
      this.#words.add(hash32(company, this.#whole[at] ?? 0))
    for (const key of this.#shortenedKeys(position, company)) {
      this.#keys.add(key)
      this.held.push(key, position)
    }
  }

  /** Adds the keys that a shortened form of this name can have, if one with such a key exists. */
  addFull(position: number): void {
    const table = this.#table
    const company = columnOf(table, position, COLUMN.company)
    if (company <= EMPTY_VALUE || !this.#hasKnownWord(position, company)) return
    this.#findWhole(position)
    const own = isShortened(table, position) ? this.#shortenedKeys(position, company) : NO_KEYS
    for (const key of this.#pairKeys(company)) this.#pushFull(key, own, position)
    const [start, end] = [
      listStart(table, position, LIST.words),
      listEnd(table, position, LIST.words),
    ]
    for (let at = 0; at < this.#count; at += 1) {
      const word = this.#whole[at] ?? 0
      for (let otherAt = start; otherAt < end; otherAt += 1) {
        const other = table.numbers[otherAt] ?? 0
        if (other !== word) this.#pushFull(pairKey(company, word, initialOf(other)), own, position)
      }
    }
  }

  #pushFull(key: number, own: readonly number[], position: number): void {
    if (this.#keys.mayHave(key) && !own.includes(key)) this.held.push(key, position)
  }

  #hasKnownWord(position: number, company: number): boolean {
    const { numbers } = this.#table
    const list = fullList(this.#table, position)
    const end = listEnd(this.#table, position, list)
    for (let at = listStart(this.#table, position, list); at < end; at += 1)
      if (this.#words.mayHave(hash32(company, numbers[at] ?? 0))) return true
    return false
  }

  #findWhole(position: number): void {
    const { numbers } = this.#table
    const start = listStart(this.#table, position, LIST.words)
    const fullStart = listStart(this.#table, position, fullList(this.#table, position))
    const count = listLength(this.#table, position, LIST.words)
    this.#count = 0
    for (let at = 0; at < count && this.#count < MAX_COMPARED_WORDS; at += 1)
      if (!isInitial(numbers[start + at] ?? 0))
        this.#whole[this.#count++] = numbers[fullStart + at] ?? 0
  }

  /** Of pairs of whole words, or of the only whole word with each initial. */
  #shortenedKeys(position: number, company: number): readonly number[] {
    if (this.#count > 1) return this.#pairKeys(company)
    const { numbers } = this.#table
    const whole = this.#count === 0 ? 0 : (this.#whole[0] ?? 0)
    const keys: number[] = []
    const end = listEnd(this.#table, position, LIST.words)
    for (let at = listStart(this.#table, position, LIST.words); at < end; at += 1) {
      const word = numbers[at] ?? 0
      if (isInitial(word)) keys.push(pairKey(company, whole, word))
    }
    return keys
  }

  #pairKeys(company: number): readonly number[] {
    const keys: number[] = []
    for (let first = 0; first < this.#count; first += 1)
      for (let second = first + 1; second < this.#count; second += 1)
        keys.push(pairKey(company, this.#whole[first] ?? 0, this.#whole[second] ?? 0))
    return keys
  }
}

const NO_KEYS: readonly number[] = []

/** Names of two whole words are not shortened. */
function isShortened(table: PeopleTable, position: number): boolean {
  const start = listStart(table, position, LIST.words)
  const end = listEnd(table, position, LIST.words)
  if (end - start !== 2) return end - start > 2
  return isInitial(table.numbers[start] ?? 0) || isInitial(table.numbers[start + 1] ?? 0)
}

/** The same for two words in either order. */
function pairKey(company: number, one: number, other: number): number {
  const [low, high] = one < other ? [one, other] : [other, one]
  return hash32(hash32(company, low), high)
}
