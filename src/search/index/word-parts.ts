/** Postings of parts of a word, and of compounds that end with it. */

import { FACTOR } from './match-factors.ts'
import {
  bytesOfTerm,
  findTerm,
  MAX_TYPO_LENGTH,
  type Segment,
  type Layout,
  type PlacedSegment,
} from './segment.ts'
import { codesOf, lettersOf } from './typos.ts'
import {
  SEARCHED_FIELDS,
  addRanges,
  termRange,
  hasPeople,
  type PostingRange,
} from './posting-ranges.ts'
import type { QueryWord } from './query-word.ts'

/** Letters of a part of a compound, and of a word that is looked for as a part; of Korean and the like, fewer. */
const MIN_PART = 5

const MIN_WHOLE = 8

/**
 * Returns the postings of parts of a word and of compounds that end with it (`Bezirksschornsteinfeger` for `Schornsteinfeger`,
 * `Fotograf` for `Hochzeitsfotograf`), and of words with the same beginning and another ending.
 */
export function partRanges({ segments }: Layout, { text }: QueryWord): PostingRange[] {
  const isLatin = /^[a-z]+$/.test(text)
  const [least, whole] = isLatin ? [MIN_PART, MIN_WHOLE] : [2, 3]
  const ranges: PostingRange[] = []
  if (!/^\p{L}+$/u.test(text)) return ranges
  for (const placed of segments) {
    const add = (term: number) =>
      ranges.push({
        ...termRange(placed, term),
        factor: FACTOR.part,
        fields: SEARCHED_FIELDS,
        isWhole: false,
        guess: 'part',
      })
    if (text.length > least) for (const term of findEndings(placed.segment, text)) add(term)
    if (text.length < whole) continue
    const last = isLatin ? text.length - least : 0
    for (let start = 2; start <= last; start += 1) {
      const term = findTerm(placed.segment, bytesOfTerm(text.slice(start)))
      if (term >= 0) add(term)
    }
  }
  if (text.length < whole) return ranges
  const shortest = Math.max(least, Math.ceil(text.length / 2))
  return [...ranges, ...beginningRanges(segments, text, shortest)]
}

/** The terms with the longest beginning of a word that any have. */
function beginningRanges(
  segments: readonly PlacedSegment[],
  text: string,
  shortest: number,
): readonly PostingRange[] {
  for (let length = text.length - 1; length >= shortest; length -= 1) {
    const ranges: PostingRange[] = []
    const own = { term: text.slice(0, length), factor: FACTOR.part, isPrefix: true }
    const term = { ...own, guess: 'part' as const }
    for (const placed of segments) addRanges(placed, term, bytesOfTerm(term.term), ranges)
    if (ranges.some(hasPeople)) return ranges
  }
  return []
}

/** The terms that end with a word and have at least two letters before it. */
function findEndings(segment: Segment, word: string): number[] {
  const bytes = Buffer.from(word)
  const { termBytes, termEnds, typoTerms, typoLetters, typoStarts } = segment
  const letters = lettersOf(codesOf(word))
  const found: number[] = []
  const from = typoStarts[Math.min(word.length + 2, MAX_TYPO_LENGTH + 1)] ?? 0
  const { length } = typoTerms
  for (let index = from; index < length; index += 1) {
    // Few terms have all of its letters.
    if ((letters & ~(typoLetters[index] ?? 0)) !== 0) continue
    const term = typoTerms[index] ?? 0
    const start = (termEnds[term] ?? 0) - bytes.length
    let at = 0
    while (at < bytes.length && termBytes[start + at] === bytes[at]) at += 1
    if (at === bytes.length) found.push(term)
  }
  return found
}
