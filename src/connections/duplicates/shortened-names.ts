/** Names with initials or middle names, together with names at the same company that may be their full form. */

import { isInformative, MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'
import { EMPTY_VALUE, MAX_WORDS, type NameWord } from './name-words.ts'
import type { Person } from './same-person.ts'

type Named = Pick<Person, 'connectionId' | 'words' | 'companyNumber'>

export function shortenedNameBuckets(everyone: readonly Named[]): Bucket[] {
  const buckets: Bucket[] = []
  for (const colleagues of byCompany(everyone)) addBuckets(colleagues, buckets)
  return buckets
}

/** The people of each company with several people, one of whom has a shortened name. */
function byCompany(everyone: readonly Named[]): readonly Named[][] {
  const companies: Named[][] = []
  const withShortened = new Set<number>()
  for (const person of everyone) {
    const { companyNumber, words } = person
    if (companyNumber <= EMPTY_VALUE) continue
    const colleagues = companies[companyNumber]
    if (colleagues) colleagues.push(person)
    else companies[companyNumber] = [person]
    if (isShortened(words)) withShortened.add(companyNumber)
  }
  return companies.filter(({ length }, company) => length > 1 && withShortened.has(company))
}

/** Names of two whole words are not shortened. */
function isShortened(words: readonly NameWord[]): boolean {
  return words.length > 2 || (words.length === 2 && words.some(isInitial))
}

function isInitial({ text }: NameWord): boolean {
  return text.length === 1
}

/** A shortened name comes first in its bucket. */
function addBuckets(colleagues: readonly Named[], buckets: Bucket[]): void {
  const shortened = new Map<number, number[]>()
  for (const { connectionId: id, words } of colleagues)
    if (isShortened(words))
      for (const key of new Set(shortenedKeys(words))) {
        const bucket = shortened.get(key)
        if (bucket) bucket.push(id)
        else shortened.set(key, [id])
      }
  for (const { connectionId: id, words } of colleagues)
    for (const key of fullKeys(words)) {
      const bucket = shortened.get(key)
      if (bucket && !bucket.includes(id) && bucket.length <= MAX_BUCKET_SIZE) bucket.push(id)
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
      pairs.push(Math.min(one, other) * KEYS_PER_WORD + Math.max(one, other))
  return pairs
}

/** Two words, or a word and an initial, as one number. */
function withInitial(word: number, { text }: NameWord): number {
  return word * KEYS_PER_WORD + MAX_WORDS + text.charCodeAt(0)
}

/** Numbers of words are below `MAX_WORDS`, those of initials above. */
const KEYS_PER_WORD = 2 * MAX_WORDS
