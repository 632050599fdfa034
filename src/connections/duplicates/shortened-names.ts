/** Names with initials or middle names, together with names at the same company that may be their full form. */

import { isInformative, type Bucket } from './buckets.ts'
import { EMPTY_VALUE, initialOf, isInitial } from './name-words.ts'
import { columnOf, wordRange, nameWordsAt, type PeopleTable } from './people-table.ts'
import { hash32, HeldNumbers, NumberFilter } from './shared-numbers.ts'

/** A shortened name comes first in its bucket. */
export function shortenedNameBuckets(table: PeopleTable): Bucket[] {
  const names = { held: new HeldNumbers(), words: new NumberFilter(), keys: new NumberFilter() }
  for (let position = 0; position < table.ids.length; position += 1)
    addShortened(table, position, names)
  const shortened = names.held.length
  for (let position = 0; position < table.ids.length; position += 1) addFull(table, position, names)
  const buckets: Bucket[] = []
  for (const { first, positions } of names.held.shared())
    if (first < shortened && isInformative(positions)) buckets.push(positions)
  return buckets
}

interface ShortenedNames {
  /** The keys of shortened names, then those of names that may be their full form: hashes, also of the company. */
  readonly held: HeldNumbers
  /** The whole words of shortened names, with the company. */
  readonly words: NumberFilter
  /** The keys of shortened names. */
  readonly keys: NumberFilter
}

/** Adds the keys of a shortened name; other names have none. */
function addShortened(
  table: PeopleTable,
  position: number,
  { held, words, keys }: ShortenedNames,
): void {
  const company = columnOf(table, position, 'company')
  if (company <= EMPTY_VALUE || !isShortened(table, position)) return
  const name = nameAt(table, position)
  for (const word of name.whole) words.add(hash32(company, word))
  for (const key of shortenedKeys(company, name)) {
    keys.add(key)
    held.push(key, position)
  }
}

/** Names of two whole words are not shortened. */
function isShortened(table: PeopleTable, position: number): boolean {
  const { start, end } = wordRange(table, position, 'words')
  if (end - start !== 2) return end - start > 2
  return isInitial(table.numbers[start] ?? 0) || isInitial(table.numbers[start + 1] ?? 0)
}

/** Adds the keys that a shortened form of this name can have, if one with such a key exists. */
function addFull(
  table: PeopleTable,
  position: number,
  { held, words, keys }: ShortenedNames,
): void {
  const company = columnOf(table, position, 'company')
  if (company <= EMPTY_VALUE || !hasKnownWord(table, position, words)) return
  const name = nameAt(table, position)
  const own = isShortened(table, position) ? shortenedKeys(company, name) : NO_KEYS
  for (const key of fullKeys(company, name)) {
    if (!keys.mayHave(key) || own.includes(key)) continue
    held.push(key, position)
  }
}

const NO_KEYS: readonly number[] = []

function hasKnownWord(table: PeopleTable, position: number, words: NumberFilter): boolean {
  const company = columnOf(table, position, 'company')
  const { start, end } = wordRange(table, position, 'fullWords')
  for (let at = start; at < end; at += 1)
    if (words.mayHave(hash32(company, table.numbers[at] ?? 0))) return true
  return false
}

interface Name {
  readonly words: readonly number[]
  /** The full words of those that are not initials. */
  readonly whole: readonly number[]
}

/** Words of a name that are compared. */
const MAX_COMPARED_WORDS = 4

function nameAt(table: PeopleTable, position: number): Name {
  const words = nameWordsAt(table, position, 'words')
  const whole = nameWordsAt(table, position, 'fullWords').filter(
    (_, at) => !isInitial(words[at] ?? 0),
  )
  return {
    words,
    whole: whole.length > MAX_COMPARED_WORDS ? whole.slice(0, MAX_COMPARED_WORDS) : whole,
  }
}

/** Pairs of whole words, or the only whole word with each initial. */
function shortenedKeys(company: number, { words, whole }: Name): number[] {
  if (whole.length > 1) return pairKeys(company, whole)
  return words.filter(isInitial).map((initial) => pairKey(company, whole[0] ?? 0, initial))
}

function fullKeys(company: number, { words, whole }: Name): number[] {
  const keys = pairKeys(company, whole)
  for (const word of whole)
    for (const other of words)
      if (other !== word) keys.push(pairKey(company, word, initialOf(other)))
  return keys
}

function pairKeys(company: number, whole: readonly number[]): number[] {
  const pairs: number[] = []
  for (let first = 0; first < whole.length; first += 1)
    for (let second = first + 1; second < whole.length; second += 1)
      pairs.push(pairKey(company, whole[first] ?? 0, whole[second] ?? 0))
  return pairs
}

/** The same for two words in either order. */
function pairKey(company: number, one: number, other: number): number {
  const [low, high] = one < other ? [one, other] : [other, one]
  return hash32(hash32(company, low), high)
}
