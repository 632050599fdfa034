/** Names with initials or middle names, together with names at the same company that may be their full form. */

import { isInformative, MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'
import { EMPTY_VALUE, isInitial, WORD_LIMIT, pairNumber, type NameWords } from './name-words.ts'
import type { Person } from './same-person.ts'

export function shortenedNameBuckets(everyone: readonly Person[], names: NameWords): Bucket[] {
  const buckets: Bucket[] = []
  for (const colleagues of byCompany(everyone)) addBuckets(colleagues, names, buckets)
  return buckets
}

/** The people of each company that has several, if at least one has a shortened name. */
function byCompany(everyone: readonly Person[]): readonly Person[][] {
  const companies: Person[][] = []
  const withShortened = new Set<number>()
  for (const person of everyone) {
    const { companyNumber } = person
    if (companyNumber <= EMPTY_VALUE) continue
    const colleagues = companies[companyNumber]
    if (colleagues) colleagues.push(person)
    else companies[companyNumber] = [person]
    if (isShortened(person)) withShortened.add(companyNumber)
  }
  return companies.filter(({ length }, company) => length > 1 && withShortened.has(company))
}

/** Names of two whole words are not shortened. */
function isShortened({ words }: Person): boolean {
  return words.length > 2 || (words.length === 2 && words.some(isInitial))
}

/** A shortened name comes first in its bucket. */
function addBuckets(colleagues: readonly Person[], names: NameWords, buckets: Bucket[]): void {
  const shortened = new Map<number, Person[]>()
  const ofShortened = new Set<number>()
  for (const person of colleagues) {
    if (!isShortened(person)) continue
    for (const word of person.fullWords) ofShortened.add(word)
    for (const key of new Set(shortenedKeys(person))) {
      const bucket = shortened.get(key)
      if (bucket) bucket.push(person)
      else shortened.set(key, [person])
    }
  }
  for (const person of colleagues)
    if (person.fullWords.some((word) => ofShortened.has(word)))
      for (const key of fullKeys(person, names)) {
        const bucket = shortened.get(key)
        if (bucket && !bucket.includes(person) && bucket.length <= MAX_BUCKET_SIZE)
          bucket.push(person)
      }
  for (const bucket of shortened.values()) if (isInformative(bucket)) buckets.push(bucket)
}

/** Pairs of whole words, or the only whole word with each initial. */
function shortenedKeys(person: Person): number[] {
  const whole = wholeWords(person)
  if (whole.length > 1) return pairsOf(whole)
  return person.words.filter(isInitial).map((initial) => withInitial(whole[0] ?? 0, initial))
}

/** The keys that a shortened form of this name can have. */
function fullKeys(person: Person, { initialOf }: NameWords): number[] {
  const whole = wholeWords(person)
  const keys = pairsOf(whole)
  for (const word of whole)
    for (const other of person.words)
      if (other !== word) keys.push(withInitial(word, initialOf(other)))
  return keys
}

/** Words of a name that are compared. */
const MAX_COMPARED_WORDS = 4

/** The full words. */
function wholeWords({ words, fullWords }: Person): number[] {
  return fullWords.filter((_, at) => !isInitial(words[at] ?? 0)).slice(0, MAX_COMPARED_WORDS)
}

function pairsOf(whole: readonly number[]): number[] {
  const pairs: number[] = []
  for (let first = 0; first < whole.length; first += 1)
    for (let second = first + 1; second < whole.length; second += 1)
      pairs.push(pairNumber(whole[first] ?? 0, whole[second] ?? 0))
  return pairs
}

/** A word and an initial as one number, above those of pairs of words. */
function withInitial(word: number, initial: number): number {
  return WORD_LIMIT ** 2 + word * INITIALS + initial
}

/** UTF-16 code units. */
const INITIALS = 2 ** 16
