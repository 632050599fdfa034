/** Finds the terms of a segment that differ from a word by one or two typos, and their postings. */

import { countBits } from './people-set.ts'
import { allowsTypos } from './special-terms.ts'
import {
  MAX_TYPO_LENGTH,
  termCount,
  termStart,
  termText,
  bytesOfTerm,
  type Segment,
  type Layout,
  type PlacedSegment,
} from './segment.ts'
import { FIELD } from './search-fields.ts'
import { FACTOR } from './match-factors.ts'
import { isFunctionWord } from '../questions/phrases.ts'
import { SEARCHED_FIELDS, termRange, type PostingRange } from './posting-ranges.ts'
import type { QueryWord } from './query-word.ts'

/** Shorter terms are not compared. */
const MIN_TYPO_LENGTH = 3

/** One edit from 5 letters on, two from 8: most short words are one edit away from another word. */
export function allowedEdits(length: number): number {
  return length >= 8 ? 2 : length >= 5 ? 1 : 0
}

interface TypoMatch {
  readonly term: number
  readonly edits: number
}

/**
 * Compares the letters of every term of a similar length first: an insertion or deletion changes one of them, other
 * mistakes at most two. Few terms remain to be compared letter by letter.
 */
export function findTypos(segment: Segment, word: string, maxEdits: number): TypoMatch[] {
  const { typoTerms, typoLetters, typoStarts } = segment
  const codes = codesOf(word)
  if (maxEdits < 1 || codes.length > MAX_TYPO_LENGTH) return []
  const wanted = lettersOf(codes)
  const countEditsTo = editCounter(segment, codes, maxEdits)
  const found: TypoMatch[] = []
  for (let difference = -maxEdits; difference <= maxEdits; difference += 1) {
    const length = codes.length + difference
    if (length < 0 || length > MAX_TYPO_LENGTH) continue
    const from = typoStarts[length] ?? 0
    const letters = typoLetters.subarray(from, typoStarts[length + 1] ?? 0)
    for (const index of placesNear(letters, wanted, 2 * maxEdits - Math.abs(difference))) {
      const term = typoTerms[from + index] ?? 0
      const edits = countEditsTo(term)
      if (edits > 0 && edits <= maxEdits) found.push({ term, edits })
    }
  }
  return found
}

/** The places of the bit masks that differ in at most `most` bits. Runs for most terms of the index. */
function placesNear(masks: Uint32Array, wanted: number, most: number): number[] {
  const places: number[] = []
  const { length } = masks
  for (let index = 0; index < length; index += 1) {
    let different = (masks[index] ?? 0) ^ wanted
    // Removes up to four bits, which is faster than counting them.
    different &= different - 1
    if (most > 1) different &= different - 1
    if (most > 2) different &= different - 1
    if (most > 3) different &= different - 1
    if (different === 0 || (most > 4 && countBits(different) <= most - 4)) places.push(index)
  }
  return places
}

/** Numbers of 32 bits hold the comparison with a word of so many letters. */
const MAX_PARALLEL_LENGTH = 31

/** A function that counts the edits between a word and a term; more than `maxEdits` for too many. */
function editCounter(
  segment: Segment,
  codes: readonly number[],
  maxEdits: number,
): (term: number) => number {
  const rows = new Uint8Array(3 * (MAX_TYPO_LENGTH + 2))
  const slow = (term: number) => countEdits(codes, codesAt(segment, term), maxEdits, rows)
  const isPlain = codes.length <= MAX_PARALLEL_LENGTH && codes.every((code) => code < 0x80)
  if (!isPlain || codes.length === 0) return slow
  const positions = new Uint32Array(0x80)
  for (const [at, code] of codes.entries()) positions[code] = (positions[code] ?? 0) | (1 << at)
  return (term) => {
    const edits = countParallel(segment, term, { positions, length: codes.length })
    return edits < 0 ? slow(term) : edits
  }
}

interface WordPositions {
  /** By character code, a bit mask of the places where the word has it. */
  readonly positions: Uint32Array
  readonly length: number
}

/**
 * Like `countEdits`, with one column of the comparison in the bits of a number: Hyyrö, A Bit-Vector Algorithm for Computing
 * Levenshtein and Damerau Edit Distances, 2003. -1 for a term with other letters than ASCII.
 */
function countParallel(
  { termBytes, termEnds }: Segment,
  term: number,
  { positions, length }: WordPositions,
): number {
  const last = 1 << (length - 1)
  let [more, less, diagonal, before, edits] = [-1, 0, 0, 0, length]
  const end = termEnds[term] ?? 0
  for (let at = term === 0 ? 0 : (termEnds[term - 1] ?? 0); at < end; at += 1) {
    const code = termBytes[at] ?? 0
    if (code > 0x7f) return -1
    const same = positions[code] ?? 0
    const transposed = ((~diagonal & same) << 1) & before
    diagonal = ((((same & more) + more) | 0) ^ more) | same | less | transposed
    const right = less | ~(diagonal | more)
    const left = diagonal & more
    if ((right & last) !== 0) edits += 1
    if ((left & last) !== 0) edits -= 1
    const shifted = (right << 1) | 1
    more = (left << 1) | ~(diagonal | shifted)
    less = shifted & diagonal
    before = same
  }
  return edits
}

/** Fills the arrays that `findTypos` reads. */
export function indexTypos(segment: Segment, terms: readonly (readonly number[])[]): void {
  let at = 0
  for (const [length, list] of terms.entries()) {
    segment.typoStarts[length] = at
    for (const term of list) {
      segment.typoTerms[at] = term
      segment.typoLetters[at] = lettersOf(codesAt(segment, term))
      at += 1
    }
  }
}

/** The terms that allow typos, by length. */
export function typoTermsByLength(segment: Segment): number[][] {
  const byLength: number[][] = Array.from({ length: MAX_TYPO_LENGTH + 2 }, () => [])
  for (let term = 0; term < termCount(segment); term += 1) {
    const length = typoLength(segment, term)
    if (length >= MIN_TYPO_LENGTH && length <= MAX_TYPO_LENGTH) byLength[length]?.push(term)
  }
  return byLength
}

/** Characters of a term; 0 for one that does not allow typos. */
function typoLength(segment: Segment, term: number): number {
  const start = termStart(segment, term)
  const bytes = (segment.termEnds[term] ?? 0) - start
  if (bytes > MAX_TYPO_LENGTH * 3) return 0
  if (!allowsTypos(String.fromCharCode(segment.termBytes[start] ?? 0))) return 0
  return codesAt(segment, term).length
}

/** Character codes of a term, decoded only where it has other letters than ASCII. */
function codesAt(segment: Segment, term: number): ArrayLike<number> {
  const { termBytes, termEnds } = segment
  const [start, end] = [termStart(segment, term), termEnds[term] ?? 0]
  for (let at = start; at < end; at += 1)
    if ((termBytes[at] ?? 0) > 0x7f) return codesOf(termText(segment, term))
  return termBytes.subarray(start, end)
}

export function codesOf(word: string): number[] {
  return Array.from(word, (character) => character.codePointAt(0) ?? 0)
}

const LETTER_A = 97
const LETTERS = 26

/** One bit per Latin letter; digits and other characters share the remaining six. */
export function lettersOf(codes: ArrayLike<number>): number {
  let letters = 0
  for (let at = 0; at < codes.length; at += 1) {
    const letter = (codes[at] ?? 0) - LETTER_A
    letters |= 1 << (letter >= 0 && letter < LETTERS ? letter : LETTERS + ((codes[at] ?? 0) % 6))
  }
  return letters >>> 0
}

/**
 * Insertions, deletions, substitutions and transpositions of neighbors (optimal string alignment), or `max + 1` for more
 * than `max`. Only the cells within `max` of the diagonal are computed. `rows` is scratch memory for three rows.
 */
export function countEdits(
  one: ArrayLike<number>,
  other: ArrayLike<number>,
  max: number,
  rows: Uint8Array,
): number {
  const width = other.length + 1
  const beyond = max + 1
  if (Math.abs(one.length - other.length) > max) return beyond
  let [previous, row, next] = [0, width, 2 * width]
  for (let j = 0; j < width; j += 1) rows[row + j] = Math.min(j, beyond)
  for (let i = 1; i <= one.length; i += 1) {
    const from = Math.max(1, i - max)
    const until = Math.min(width - 1, i + max)
    rows[next + from - 1] = from === 1 ? Math.min(i, beyond) : beyond
    let least: number = rows[next + from - 1] ?? beyond
    for (let j = from; j <= until; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const above = j === i + max ? beyond : (rows[row + j] ?? beyond)
      let cost = Math.min(
        above + 1,
        (rows[next + j - 1] ?? beyond) + 1,
        (rows[row + j - 1] ?? beyond) + (isSame ? 0 : 1),
        beyond,
      )
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (rows[previous + j - 2] ?? beyond) + 1)
      rows[next + j] = cost
      if (cost < least) least = cost
    }
    if (least > max) return beyond
    ;[previous, row, next] = [row, next, previous]
  }
  return Math.min(rows[row + width - 1] ?? beyond, beyond)
}

/** Returns the postings of terms that match the word with typos; `more` typos than are usual for its length. */
export function typoRanges({ segments }: Layout, word: QueryWord, more = 0): PostingRange[] {
  const ranges: PostingRange[] = []
  for (const { term, edits = 0, fields = SEARCHED_FIELDS } of word.terms) {
    if (edits === 0) continue
    for (const placed of segments)
      for (const typo of findTypos(placed.segment, term, edits + more)) {
        const own = more > 0 ? fields & NAME : fields
        const isPlausible = mayBeMisspelled(placed, typo.term, term)
        const factor = typo.edits === 1 ? FACTOR.oneEdit : FACTOR.twoEdits
        const range = { ...termRange(placed, typo.term), factor, guess: 'spelling' as const }
        // Similar names count only for whole names, unlike similar words.
        // A text with another first letter, and grammar, is rather another word, and so is a name with more typos than usual.
        const isLikeName = typo.edits <= edits || isPlausible
        for (const some of [isLikeName ? own & NAME : 0, isPlausible ? own & ~NAME : 0])
          if (some !== 0) ranges.push({ ...range, fields: some, isWhole: false })
      }
  }
  return ranges
}

const NAME = 1 << FIELD.name

/** Whether a term begins like the word, and is no function word. */
function mayBeMisspelled({ segment }: PlacedSegment, term: number, word: string): boolean {
  const isAlike = segment.termBytes[termStart(segment, term)] === bytesOfTerm(word)[0]
  return isAlike && !isFunctionWord(termText(segment, term))
}
