/** The postings that match a word of a query, as ranges of neighboring postings. */

import { FIELD, FIELD_BITS, FIELD_MASK } from './search-fields.ts'
import { FACTOR } from './match-factors.ts'
import { include, lowestBit, unite, type PeopleSet } from './people-set.ts'
import {
  bytesOfTerm,
  isTerm,
  lowerBound,
  postingStart,
  prefixEnd,
  termStart,
  termText,
  type Layout,
  type PlacedSegment,
} from './segment.ts'
import { isFormOf } from '../questions/word-forms.ts'
import { isHan, namesLike } from './script-names.ts'
import type { LatinPattern } from '../../identity/latin-patterns.ts'
import type { Guess, QueryTerm, QueryWord } from './query-word.ts'
import type { MergedPostings } from './merged-postings.ts'

/** Postings of one term, or of all terms with a prefix, which are neighbors because terms are sorted. */
export interface PostingRange {
  readonly placed: PlacedSegment
  readonly start: number
  /** After the last posting. */
  readonly end: number
  /** How well they match, in hundredths: see `FACTOR`. */
  readonly factor: number
  /** A bit mask of the fields that count. */
  readonly fields: number
  /** A bit mask of the fields that it has postings in, or may have: see `addPeople`. */
  present: number
  /** Whether they are postings of the word itself, not of a longer or similar one. */
  readonly isWhole: boolean
  /** How the postings stand for the word, if they are not of the word itself. */
  readonly guess?: Guess | undefined
  /** The number of the term, of a range of one term. */
  readonly term?: number
  /** Whether they are postings of one term, which are sorted by person. */
  readonly isSorted: boolean
  /** The same by person, of long ranges. */
  readonly merged?: MergedPostings | undefined
}

/** Shorter prefixes say less. */
const MIN_PREFIX_LENGTH = 3

/** As a prefix of anything, one letter would match everyone. */
const INITIAL_FIELDS = 1 << FIELD.name

/** All fields except the one that only filters and counts use. */
export const SEARCHED_FIELDS = 0xffff & ~(1 << FIELD.value)

/** Ranges of exact words, prefixes and other spellings: either the weak terms of the word or all others. */
export function termRanges({ segments }: Layout, word: QueryWord, isWeak = false): PostingRange[] {
  const ranges: PostingRange[] = []
  const own = word.terms.filter((term) => (term.isWeak === true) === isWeak)
  for (const term of own) {
    if (term.forms) continue
    if (term.latin) for (const placed of segments) addLatin(placed, term, term.latin, ranges)
    if (term.isLatin) for (const placed of segments) addScriptNames(placed, term, ranges)
    if (term.latin || term.isLatin) continue
    const bytes = bytesOfTerm(term.term)
    for (const placed of segments) addRanges(placed, term, bytes, ranges)
  }
  const withForms = own.filter(({ forms }) => forms !== undefined)
  if (withForms.length === 0 || ranges.some(isName)) return ranges
  for (const term of withForms)
    for (const placed of segments) addForms(placed, term, word.text, ranges)
  return ranges
}

/** Whether a range has the word itself in the name of a current person. */
function isName(range: PostingRange): boolean {
  return (
    range.isWhole &&
    range.factor === FACTOR.exact &&
    hasPeople({ ...range, fields: 1 << FIELD.name })
  )
}

/** Longer words that begin with the stem of a word are no forms of it. */
const MAX_ENDING_BYTES = 10

/** Adds the terms that are forms of the word, except the ones that begin with it, unless the term asks for them: they match as prefixes. */
function addForms(
  placed: PlacedSegment,
  { term: root, factor, fields = SEARCHED_FIELDS, forms = [], guess, isPrefix }: QueryTerm,
  word: string,
  ranges: PostingRange[],
): void {
  const isBeside = isPrefix !== true
  // The terms that begin with the word are neighbors.
  if (isBeside && root.startsWith(word)) return
  const { segment } = placed
  const bytes = bytesOfTerm(root)
  const first = lowerBound(segment, bytes)
  const until = prefixEnd(segment, bytes, first)
  const own = lowerBound(segment, bytesOfTerm(word))
  for (let term = first; term < until; term += 1) {
    if (isBeside && term === own) term = prefixEnd(segment, bytesOfTerm(word), own)
    if (term === until) return
    const length = (segment.termEnds[term] ?? 0) - termStart(segment, term)
    if (length > bytes.length + MAX_ENDING_BYTES) continue
    const text = termText(segment, term)
    if (!isFormOf(forms, text)) continue
    const isOther = isNominalized(text) !== isNominalized(word)
    const kind = guess ?? (isOther ? 'synonym' : undefined)
    ranges.push({ ...termRange(placed, term), factor, fields, isWhole: false, guess: kind })
  }
}

/** A German noun in `-ung` is no form of a verb. */
function isNominalized(word: string): boolean {
  return /\p{L}{3}ung(?:en|s)?$/u.test(word)
}

/** Adds the words that a pattern matches. They are compared one by one, which takes milliseconds in a large network. */
function addLatin(
  placed: PlacedSegment,
  { factor, fields = SEARCHED_FIELDS, guess }: QueryTerm,
  { starts, lengths: [shortest, longest], matches }: LatinPattern,
  ranges: PostingRange[],
): void {
  const { segment } = placed
  for (const start of starts) {
    const bytes = bytesOfTerm(start)
    const first = lowerBound(segment, bytes)
    const until = prefixEnd(segment, bytes, first)
    for (let term = first; term < until; term += 1) {
      const length = (segment.termEnds[term] ?? 0) - termStart(segment, term)
      if (length < shortest || length > longest) continue
      const range = { ...termRange(placed, term), factor, fields, isWhole: true, guess }
      if (matches(termText(segment, term)) && hasPeople(range)) ranges.push(range)
    }
  }
}

function addScriptNames(
  placed: PlacedSegment,
  { term: latin, factor, fields = SEARCHED_FIELDS, guess }: QueryTerm,
  ranges: PostingRange[],
): void {
  for (const term of namesLike(placed.segment, latin)) {
    const kind = isHan(termText(placed.segment, term)) ? 'letters' : guess
    const range = { ...termRange(placed, term), factor, fields, isWhole: true, guess: kind }
    if (hasPeople(range)) ranges.push(range)
  }
}

export function addRanges(
  placed: PlacedSegment,
  { term, factor, fields = SEARCHED_FIELDS, isPrefix, guess }: QueryTerm,
  bytes: Uint8Array,
  ranges: PostingRange[],
): void {
  const { segment } = placed
  const first = lowerBound(segment, bytes)
  const isExact = isTerm(segment, first, bytes)
  if (isExact) {
    const range = {
      ...termRange(placed, first),
      factor,
      fields,
      isWhole: guess === undefined,
      guess,
    }
    if (!ranges.some((other) => includesRange(other, range)))
      ranges.push({ ...range, merged: segment.merged.read(range) })
  }
  if (isPrefix !== true) return
  const from = isExact ? first + 1 : first
  const until = prefixEnd(segment, bytes, from)
  if (until === from) return
  const share = term.length >= MIN_PREFIX_LENGTH ? FACTOR.prefix : FACTOR.shortPrefix
  const range = {
    start: postingStart(segment, from),
    end: postingStart(segment, until),
    fields: term.length === 1 ? fields & INITIAL_FIELDS : fields,
  }
  ranges.push({
    ...range,
    placed,
    present: 0,
    factor: Math.round((factor * share) / FACTOR.exact),
    isWhole: false,
    guess,
    isSorted: false,
    merged: segment.merged.read(range),
  })
}

/** Whether a range of the word itself makes another one of the same term superfluous. */
function includesRange(range: PostingRange, { placed, term, factor, fields, guess }: PostingRange) {
  return (
    range.term === term &&
    range.placed === placed &&
    range.isWhole &&
    guess === undefined &&
    range.factor >= factor &&
    (fields & ~range.fields) === 0
  )
}

/** The postings of a term, in all fields. `term`: its number in the segment. */
export function termRange(placed: PlacedSegment, term: number) {
  const { segment } = placed
  const [start, end] = [postingStart(segment, term), segment.postingEnds[term] ?? 0]
  return { placed, start, end, term, present: 0, isSorted: true }
}

/** Adds the current people of a range, and notes the fields that it has postings in. */
export function addPeople(range: PostingRange, set: PeopleSet): void {
  const { placed, start, end, fields, merged } = range
  if (merged) {
    range.present = merged.present
    addMerged(merged, placed, set)
    return
  }
  const { gone, offset } = placed
  const { postings } = placed.segment
  let present = 0
  for (let index = start; index < end; index += 1) {
    const posting = postings[index] ?? 0
    const person = posting >>> FIELD_BITS
    if (((fields >>> (posting & FIELD_MASK)) & 1) === 0 || gone?.[person] === 1) continue
    present |= 1 << (posting & FIELD_MASK)
    include(set, offset + person)
  }
  range.present = present
}

function addMerged(
  { people }: MergedPostings,
  { gone, offset }: PlacedSegment,
  set: PeopleSet,
): void {
  if (offset === 0 && !gone) {
    unite(set, people)
    return
  }
  for (let word = 0; word < people.length; word += 1)
    for (let rest = people[word] ?? 0; rest !== 0; rest &= rest - 1) {
      const person = 32 * word + lowestBit(rest)
      if (gone?.[person] !== 1) include(set, offset + person)
    }
}

/** Whether a range has any current person. */
export function hasPeople({ placed, start, end, fields, merged }: PostingRange): boolean {
  const { gone, segment } = placed
  if (merged && !gone) return (merged.present & fields) !== 0
  for (let index = start; index < end; index += 1) {
    const posting = segment.postings[index] ?? 0
    const isCurrent = gone?.[posting >>> FIELD_BITS] !== 1
    if (isCurrent && ((fields >>> (posting & FIELD_MASK)) & 1) === 1) return true
  }
  return false
}
