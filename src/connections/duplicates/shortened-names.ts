/** Names with initials or middle names, together with names at the same company that may be their full form. */

import { fullForm } from '../../names/given-names.ts'
import { isInformative, MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'

interface Named {
  readonly id: number
  /** Normalized words of the name. */
  readonly words: readonly string[]
  /** Normalized; empty for none. */
  readonly company: string
}

export function shortenedNameBuckets(everyone: Iterable<Named>): Bucket[] {
  const keys = nameKeys()
  const buckets: Bucket[] = []
  for (const [company, colleagues] of Map.groupBy(everyone, ({ company: name }) => name))
    if (company !== '' && colleagues.length > 1) addBuckets(colleagues, keys, buckets)
  return buckets
}

/** The keys of one company. A shortened name comes first in its bucket. */
function addBuckets(colleagues: readonly Named[], keys: NameKeys, buckets: Bucket[]): void {
  const shortened = new Map<number, number[]>()
  for (const { id, words } of colleagues)
    for (const key of new Set(keys.shortened(words))) {
      const bucket = shortened.get(key)
      if (bucket) bucket.push(id)
      else shortened.set(key, [id])
    }
  if (shortened.size === 0) return
  for (const { id, words } of colleagues)
    for (const key of keys.full(words)) {
      const bucket = shortened.get(key)
      if (bucket && !bucket.includes(id) && bucket.length <= MAX_BUCKET_SIZE) bucket.push(id)
    }
  for (const bucket of shortened.values()) if (isInformative(bucket)) buckets.push(bucket)
}

/** Two words of a name, or a word and an initial, as one number. */
interface NameKeys {
  /** Pairs of whole words, or the only whole word with each initial; none for a name of two whole words. */
  shortened(words: readonly string[]): number[]
  /** The keys that a shortened form of this name can have. */
  full(words: readonly string[]): number[]
}

/** Words of a name that are compared. */
const MAX_WORDS = 4

/** Numbers are several times faster than joined words, of which a large network has hundreds of thousands. */
function nameKeys(): NameKeys {
  const numbers = new Map<string, number>()

  function numberOf(word: string): number {
    let number = numbers.get(word)
    if (number === undefined) numbers.set(word, (number = numbers.size))
    return number
  }

  function wholeWords(words: readonly string[]): string[] {
    const whole: string[] = []
    for (const word of words) {
      if (word.length === 1) continue
      whole.push(fullForm(word))
      if (whole.length === MAX_WORDS) break
    }
    return whole
  }

  function pairsOf(whole: readonly string[]): number[] {
    const all = whole.map(numberOf)
    const pairs: number[] = []
    for (const [index, one] of all.entries())
      for (let at = index + 1; at < all.length; at += 1) {
        const other = all[at] ?? 0
        pairs.push(Math.min(one, other) * WORDS + Math.max(one, other))
      }
    return pairs
  }

  function withInitial(word: string, other: string): number {
    return numberOf(word) * WORDS + INITIALS + other.charCodeAt(0)
  }

  return {
    shortened(words) {
      const initials = words.filter((word) => word.length === 1)
      if (words.length < 2 || (words.length === 2 && initials.length === 0)) return []
      const whole = wholeWords(words)
      if (whole.length > 1) return pairsOf(whole)
      return initials.map((initial) => withInitial(whole[0] ?? '', initial))
    },
    full(words) {
      const whole = wholeWords(words)
      const initials = whole.flatMap((word) =>
        words.filter((other) => other !== word).map((other) => withInitial(word, other)),
      )
      return [...initials, ...pairsOf(whole)]
    },
  }
}

/** Numbers of words are below `INITIALS`, those of initials above. */
const WORDS = 2 ** 26
const INITIALS = 2 ** 25
