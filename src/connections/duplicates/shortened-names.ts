/** Names with initials or middle names, together with names at the same company that may be their full form. */

import { isInformative, MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'
import { EMPTY_VALUE, MAX_WORDS, pairNumber, type NameWord } from './name-words.ts'
import type { Person } from './same-person.ts'

export function shortenedNameBuckets(everyone: readonly Person[]): Bucket[] {
  const buckets: Bucket[] = []
  for (const colleagues of byCompany(everyone)) addBuckets(colleagues, buckets)
  return buckets
}

/** The people of each company with several people, one of whom has a shortened name. */
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

function isInitial({ text }: NameWord): boolean {
  return text.length === 1
}

/** A shortened name comes first in its bucket. */
function addBuckets(colleagues: readonly Person[], buckets: Bucket[]): void {
  const shortened = new Map<number, Person[]>()
  const words = new Set<number>()
  for (const person of colleagues) {
    if (!isShortened(person)) continue
    for (const { fullNumber } of person.words) words.add(fullNumber)
    for (const key of new Set(shortenedKeys(person.words))) {
      const bucket = shortened.get(key)
      if (bucket) bucket.push(person)
      else shortened.set(key, [person])
    }
  }
  for (const person of colleagues)
    if (person.words.some(({ fullNumber }) => words.has(fullNumber)))
      for (const key of fullKeys(person.words)) {
        const bucket = shortened.get(key)
        if (bucket && !bucket.includes(person) && bucket.length <= MAX_BUCKET_SIZE)
          bucket.push(person)
      }
  for (const bucket of shortened.values()) if (isInformative(bucket)) buckets.push(bucket)
}

/** Pairs of whole words, or the only whole word with each initial. */
function shortenedKeys(words: readonly NameWord[]): number[] {
  const whole = wholeWords(words)
  if (whole.length > 1) return pairsOf(whole)
  return words.filter(isInitial).map((initial) => withInitial(whole[0] ?? 0, initial))
}

/** The keys that a shortened form of this name can have. */
function fullKeys(words: readonly NameWord[]): number[] {
  const whole = wholeWords(words)
  const keys = pairsOf(whole)
  for (const number of whole)
    for (const other of words) if (other.number !== number) keys.push(withInitial(number, other))
  return keys
}

/** Words of a name that are compared. */
const MAX_COMPARED_WORDS = 4

/** The numbers of the full words. */
function wholeWords(words: readonly NameWord[]): number[] {
  const whole: number[] = []
  for (const word of words) {
    if (isInitial(word)) continue
    whole.push(word.fullNumber)
    if (whole.length === MAX_COMPARED_WORDS) break
  }
  return whole
}

function pairsOf(whole: readonly number[]): number[] {
  const pairs: number[] = []
  for (const [index, one] of whole.entries())
    for (const other of whole.slice(index + 1))
      pairs.push(pairNumber(one, other))
  return pairs
}

/** A word and an initial as one number, above those of pairs of words. */
function withInitial(word: number, { text }: NameWord): number {
  return MAX_WORDS ** 2 + word * INITIALS + text.charCodeAt(0)
}

/** UTF-16 code units. */
const INITIALS = 2 ** 16
