/**
 * Searches an index of one or more segments. Every result depends only on the current documents: the same connections in
 * the same order with the same scores, however the index was built.
 *
 * A connection matches when it has every required word. Exact words, prefixes and other spellings are tried first, and
 * typing mistakes only for words that nothing else matches. When no connection has every word, typing mistakes are tried
 * for all words. When still none has, connections that have most of the words are returned; words weigh by rarity, so a
 * query about something unknown returns nothing.
 */

import { FIELD, FIELD_BITS, FIELD_MASK, FIELD_WEIGHTS, FACTOR } from './fields.ts'
import {
  findPerson,
  findTerm,
  isTerm,
  lowerBound,
  postingStart,
  prefixEnd,
  bytesOfTerm,
  type Segment,
} from './segment.ts'
import { findTypos } from './typos.ts'
import type { QueryTerm, QueryWord } from './analyze-query.ts'

export interface SearchIndex {
  readonly segments: readonly CurrentSegment[]
  /** Current connections in all segments. */
  readonly people: number
}

export interface CurrentSegment {
  readonly segment: Segment
  /** 1 for each person whose connection was changed or deleted since. */
  readonly gone: Uint8Array | undefined
}

export interface IndexFilters {
  /** Words that the field must contain; the last may be a prefix. */
  readonly company?: readonly QueryWord[]
  readonly title?: readonly QueryWord[]
  readonly location?: readonly QueryWord[]
  /** A term of `tagTerm`. */
  readonly tag?: string
  /** YYYYMMDD; connected on or after that day. */
  readonly since?: number
  /** YYYYMMDD; connected before that day. */
  readonly before?: number
  /** Words of which the company must have none. */
  readonly notCompany?: readonly QueryWord[]
}

/** The position of a hit in the order of results: higher scores first, then lower IDs. */
export interface HitPosition {
  readonly score: number
  readonly connectionId: number
}

interface IndexQuery {
  readonly words: readonly QueryWord[]
  readonly filters?: IndexFilters
  readonly after?: HitPosition | null
  readonly limit: number
  /** Instead of every required word, a match has words of at least this share, weighed by rarity. */
  readonly minShare?: number
  /** Only connections for which it is true are returned. */
  readonly admits?: (connectionId: number) => boolean
}

export interface IndexHit extends HitPosition {
  /** A bit mask of field numbers. */
  readonly fields: number
  /** Whether every required word is a whole word of the name. */
  readonly isNamed: boolean
  /** The share of the required words that it has, weighed by rarity. */
  readonly share: number
}

export interface IndexResult {
  /** Best first. */
  readonly hits: readonly IndexHit[]
  /** All matches, on all pages. */
  readonly total: number
  /** The score of a perfect match. */
  readonly maxScore: number
}

/** Words that are not all matched must make up this share of the query, weighed by rarity. */
const MIN_PARTIAL_SHARE = 0.6
/** A perfect match of a word, before its rarity. */
const FULL_VALUE = 100 * FACTOR.exact
/** All words are the whole name: a fifth more. */
const WHOLE_NAME_BONUS = 1.2

/** `scratch` is reused between searches, so only one search at a time may use it. */
export function searchIndex(
  index: SearchIndex,
  query: IndexQuery,
  scratch: SearchScratch,
): IndexResult {
  const layout = layOut(index)
  scratch.reserve(layout.size)
  const filters = applyFilters(layout, query.filters ?? {}, scratch)
  const { words } = query
  if (words.length === 0) return selectAll(layout, query, filters, scratch)
  const required = maskOfWords(words, ({ isOptional }) => !isOptional)
  const must = maskOfWords(words, ({ isFilter }) => isFilter === true)
  const pass = (isThorough: boolean) => {
    scratch.clear()
    const rarities = words.map((word, bit) =>
      scoreWord(layout, { word, bit, isThorough }, scratch, index.people),
    )
    return { required, must, rarities, filters }
  }
  const attempt = (goal: Omit<Goal, 'minShare'>, minShare: number) =>
    select(layout, query, { ...goal, minShare }, scratch)
  try {
    if (query.minShare !== undefined) return attempt(pass(false), query.minShare)
    const exact = attempt(pass(false), 1)
    if (exact.total > 0) return exact
    const thorough = pass(true)
    const found = attempt(thorough, 1)
    return found.total > 0 ? found : attempt(thorough, MIN_PARTIAL_SHARE)
  } finally {
    scratch.clear()
  }
}

/** IDs of the connections that pass the filters. */
export function filterIndex(
  index: SearchIndex,
  filters: IndexFilters,
  scratch: SearchScratch,
): Set<number> {
  const layout = layOut(index)
  scratch.reserve(layout.size)
  const required = applyFilters(layout, filters, scratch)
  const ids = new Set<number>()
  for (const { segment, gone, offset } of layout.segments)
    for (let person = 0; person < segment.ids.length; person += 1)
      if (gone?.[person] !== 1 && (required === 0 || scratch.passed[offset + person] === required))
        ids.add(segment.ids[person] ?? 0)
  return ids
}

/** Whether the index has a current connection with this ID. */
export function hasConnection({ segments }: SearchIndex, connectionId: number): boolean {
  return segments.some(({ segment, gone }) => {
    const person = findPerson(segment, connectionId)
    return person >= 0 && gone?.[person] !== 1
  })
}

/** Whether a current connection has all of these terms in one field. */
export function hasTerms(
  { segments }: SearchIndex,
  terms: readonly string[],
  field: number,
): boolean {
  return segments.some((segment) => hasTermsIn(segment, terms, field))
}

function hasTermsIn(
  { segment, gone }: CurrentSegment,
  terms: readonly string[],
  field: number,
): boolean {
  const lists: Uint32Array[] = []
  for (const text of terms) {
    const term = findTerm(segment, bytesOfTerm(text))
    if (term < 0) return false
    lists.push(
      segment.postings.subarray(postingStart(segment, term), segment.postingEnds[term] ?? 0),
    )
  }
  const [shortest, ...others] = lists.sort((one, other) => one.length - other.length)
  // Without callbacks: this runs for every query and visits thousands of postings.
  for (let index = 0; index < (shortest?.length ?? 0); index += 1) {
    const posting = shortest?.[index] ?? 0
    if ((posting & FIELD_MASK) !== field || gone?.[posting >>> FIELD_BITS] === 1) continue
    if (others.every((list) => includesNumber(list, posting))) return true
  }
  return false
}

/** By binary search: the numbers are sorted. */
function includesNumber(numbers: Uint32Array, number: number): boolean {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return numbers[low] === number
}

/** Whether any current connection has a term of this word, apart from typing mistakes. */
export function isKnownWord(index: SearchIndex, word: QueryWord, scratch: SearchScratch): boolean {
  const layout = layOut(index)
  scratch.reserve(layout.size)
  scoreTerms(layout, { word, bit: 0, isThorough: false }, scratch)
  const isKnown = scratch.wordCount > 0
  scratch.finishWord(0, 0)
  scratch.clear()
  return isKnown
}

interface Layout {
  readonly segments: readonly PlacedSegment[]
  readonly size: number
}

interface PlacedSegment extends CurrentSegment {
  /** The number of its first person among those of all segments. */
  readonly offset: number
}

/** Numbers the people of all segments one after the other. */
function layOut({ segments }: SearchIndex): Layout {
  let size = 0
  const placed = segments.map((one) => {
    const offset = size
    size += one.segment.ids.length
    return { ...one, offset }
  })
  return { segments: placed, size }
}

/** Working memory of a search, reused by the next one. A search does not yield, so a thread needs only one. */
export class SearchScratch {
  /** The value of the current word, by person. */
  values = new Uint16Array(0)
  /** Bit masks of words: those that match, and those that are a whole word of the name. */
  matched = new Uint16Array(0)
  named = new Uint16Array(0)
  fields = new Uint16Array(0)
  scores = new Float64Array(0)
  /** How many filters each person passes. */
  passed = new Uint8Array(0)
  /** People who pass the latest filter and all before it. */
  passing = new Uint32Array(0)
  passingCount = 0
  /** People who match the current word. */
  wordPeople = new Uint32Array(0)
  wordCount = 0
  /** People who match any word. */
  people = new Uint32Array(0)
  count = 0
  /** People who match the required word that the fewest match. */
  rarest = new Uint32Array(0)
  /** Infinity before the first required word. */
  rarestCount = Infinity

  reserve(size: number): void {
    if (this.values.length >= size) return
    this.values = new Uint16Array(size)
    this.matched = new Uint16Array(size)
    this.named = new Uint16Array(size)
    this.fields = new Uint16Array(size)
    this.scores = new Float64Array(size)
    this.passed = new Uint8Array(size)
    this.passing = new Uint32Array(size)
    this.wordPeople = new Uint32Array(size)
    this.rarest = new Uint32Array(size)
    this.people = new Uint32Array(size)
  }

  /** Lets someone pass the filter with this number, if they passed all before it. */
  pass(at: number, required: number): void {
    if (this.passed[at] !== required) return
    this.passed[at] = required + 1
    this.passing[this.passingCount++] = at
  }

  /** Adds the current word to the score of everyone who matches it. */
  finishWord(bit: number, rarity: number, isRequired = false): void {
    for (let index = 0; index < this.wordCount; index += 1) {
      const at = this.wordPeople[index] ?? 0
      if (this.matched[at] === 0) this.people[this.count++] = at
      this.matched[at] = (this.matched[at] ?? 0) | (1 << bit)
      this.scores[at] = (this.scores[at] ?? 0) + rarity * (this.values[at] ?? 0)
      this.values[at] = 0
    }
    if (isRequired && this.wordCount < this.rarestCount) {
      // Exchanged, because a copy for each word would be a new buffer for the garbage collector.
      const { rarest } = this
      this.rarest = this.wordPeople
      this.rarestCount = this.wordCount
      this.wordPeople = rarest
    }
    this.wordCount = 0
  }

  clear(): void {
    for (let index = 0; index < this.count; index += 1) {
      const at = this.people[index] ?? 0
      this.matched[at] = 0
      this.named[at] = 0
      this.fields[at] = 0
      this.scores[at] = 0
    }
    this.count = 0
    this.rarestCount = Infinity
  }
}

interface WordPass {
  readonly word: QueryWord
  readonly bit: number
  /** Also tries typing mistakes and weak terms if the word has other matches. */
  readonly isThorough: boolean
}

/** Returns the word's rarity. */
function scoreWord(layout: Layout, pass: WordPass, scratch: SearchScratch, people: number): number {
  scoreTerms(layout, pass, scratch)
  if (pass.isThorough || scratch.wordCount === 0) scoreTypos(layout, pass, scratch)
  const rarity = rarityOf(scratch.wordCount, people)
  scratch.finishWord(pass.bit, rarity, !pass.word.isOptional)
  return rarity
}

/** A whole number, so that sums do not depend on their order. A word that nothing matches is the rarest. */
function rarityOf(matches: number, people: number): number {
  return Math.round(100 * Math.log(1 + people / Math.max(matches, 0.5)))
}

function scoreTerms(
  { segments }: Layout,
  { word, bit, isThorough }: WordPass,
  scratch: SearchScratch,
): void {
  for (const term of word.terms) {
    if (term.isWeak === true && !isThorough) continue
    const bytes = bytesOfTerm(term.term)
    for (const segment of segments) scoreTerm(segment, { bytes, term, bit }, scratch)
  }
}

interface TermPass {
  readonly bytes: Uint8Array
  readonly term: QueryTerm
  readonly bit: number
}

/** Shorter prefixes say less. */
const MIN_PREFIX_LENGTH = 3

function scoreTerm(
  placed: PlacedSegment,
  { bytes, term, bit }: TermPass,
  scratch: SearchScratch,
): void {
  const { segment } = placed
  const fields = term.fields ?? SEARCHED_FIELDS
  const first = lowerBound(segment, bytes)
  const isExact = isTerm(segment, first, bytes)
  if (isExact)
    scorePostings(placed, first, { factor: term.factor, fields, nameBit: 1 << bit }, scratch)
  if (term.isPrefix !== true) return
  const from = isExact ? first + 1 : first
  const until = prefixEnd(segment, bytes, from)
  const share = term.term.length >= MIN_PREFIX_LENGTH ? FACTOR.prefix : FACTOR.shortPrefix
  const factor = Math.round((term.factor * share) / FACTOR.exact)
  const prefixFields = term.term.length === 1 ? fields & INITIAL_FIELDS : fields
  const pass = { factor, fields: prefixFields, nameBit: 0 }
  for (let at = from; at < until; at += 1) scorePostings(placed, at, pass, scratch)
}

/** One letter is an initial; as a prefix of anything it would match everyone. */
const INITIAL_FIELDS = (1 << FIELD.name) | (1 << FIELD.initials)

/** All fields except those that only the tag filter and counts use. */
const SEARCHED_FIELDS = 0xffff & ~(1 << FIELD.tagKey) & ~(1 << FIELD.value)

function scoreTypos({ segments }: Layout, { word }: WordPass, scratch: SearchScratch): void {
  for (const { term, edits = 0, fields = SEARCHED_FIELDS } of word.terms) {
    if (edits === 0) continue
    for (const placed of segments)
      for (const typo of findTypos(placed.segment, term, edits)) {
        const factor = typo.edits === 1 ? FACTOR.oneEdit : FACTOR.twoEdits
        scorePostings(placed, typo.term, { factor, fields, nameBit: 0 }, scratch)
      }
  }
}

interface PostingPass {
  readonly factor: number
  readonly fields: number
  /** Set for a whole word of a name. */
  readonly nameBit: number
}

function scorePostings(
  { segment, gone, offset }: PlacedSegment,
  term: number,
  { factor, fields, nameBit }: PostingPass,
  scratch: SearchScratch,
): void {
  const { postings, postingEnds } = segment
  const { values, named } = scratch
  const until = postingEnds[term] ?? 0
  for (let index = postingStart(segment, term); index < until; index += 1) {
    const posting = postings[index] ?? 0
    const field = posting & FIELD_MASK
    const person = posting >>> FIELD_BITS
    if ((fields & (1 << field)) === 0 || gone?.[person] === 1) continue
    const at = offset + person
    const value = factor * (FIELD_WEIGHTS[field] ?? 0)
    const before = values[at] ?? 0
    if (before === 0) scratch.wordPeople[scratch.wordCount++] = at
    if (value > before) values[at] = value
    scratch.fields[at] = (scratch.fields[at] ?? 0) | (1 << field)
    if (field === FIELD.name) named[at] = (named[at] ?? 0) | nameBit
  }
}

// Filters

/** Counts for every person the filter words that they pass; returns how many there are. */
function applyFilters(layout: Layout, filters: IndexFilters, scratch: SearchScratch): number {
  scratch.passed.fill(0, 0, layout.size)
  scratch.passingCount = 0
  let required = 0
  for (const field of ['company', 'title', 'location'] as const)
    for (const [index, word] of (filters[field] ?? []).entries()) {
      const isLast = index === (filters[field]?.length ?? 0) - 1
      passWord(layout, { word, field: FIELD[field], isLast, required }, scratch)
      required += 1
    }
  const { tag, since, before, notCompany } = filters
  if (tag !== undefined) {
    const term = bytesOfTerm(tag)
    scratch.passingCount = 0
    for (const placed of layout.segments)
      passTerm(placed, findTerm(placed.segment, term), { field: FIELD.tagKey, required }, scratch)
    required += 1
  }
  if (since !== undefined || before !== undefined) {
    const [from, until] = [since ?? 1, before ?? Infinity]
    scratch.passingCount = 0
    for (const { segment, offset } of layout.segments)
      for (let person = 0; person < segment.days.length; person += 1) {
        const day = segment.days[person] ?? 0
        if (day >= from && day < until) scratch.pass(offset + person, required)
      }
    required += 1
  }
  if (notCompany && notCompany.length > 0) {
    const passed = scratch.passed.slice(0, layout.size)
    const others: FilterWord[] = notCompany.map((word, index) => ({
      word,
      field: FIELD.company,
      isLast: false,
      required: required + index,
    }))
    for (const other of others) passWord(layout, other, scratch)
    const all = required + others.length
    scratch.passingCount = 0
    for (let at = 0; at < layout.size; at += 1) {
      const hasAll = scratch.passed[at] === all
      scratch.passed[at] = passed[at] ?? 0
      if (!hasAll) scratch.pass(at, required)
    }
    required += 1
  }
  return required
}

interface FilterWord {
  readonly word: QueryWord
  readonly field: number
  readonly isLast: boolean
  /** Filters before this one: only people who pass them all can pass it. */
  readonly required: number
}

function passWord(
  layout: Layout,
  { word, field, isLast, required }: FilterWord,
  scratch: SearchScratch,
): void {
  scratch.passingCount = 0
  for (const { term, isPrefix, isWeak } of word.terms) {
    if (isWeak === true) continue
    const bytes = bytesOfTerm(term)
    for (const placed of layout.segments) {
      const from = lowerBound(placed.segment, bytes)
      const until =
        isLast && isPrefix === true
          ? prefixEnd(placed.segment, bytes, from)
          : from + (isTerm(placed.segment, from, bytes) ? 1 : 0)
      for (let at = from; at < until; at += 1) passTerm(placed, at, { field, required }, scratch)
    }
  }
}

function passTerm(
  { segment, offset }: PlacedSegment,
  term: number,
  { field, required }: Pick<FilterWord, 'field' | 'required'>,
  scratch: SearchScratch,
): void {
  if (term < 0) return
  const until = segment.postingEnds[term] ?? 0
  for (let index = postingStart(segment, term); index < until; index += 1) {
    const posting = segment.postings[index] ?? 0
    if ((posting & FIELD_MASK) === field) scratch.pass(offset + (posting >>> FIELD_BITS), required)
  }
}

// Selection

interface Goal {
  /** Bit mask of the words that are not optional. */
  readonly required: number
  /** Those of them that are filters. */
  readonly must: number
  readonly rarities: readonly number[]
  /** Filters to pass. */
  readonly filters: number
  /** The share of the required words, weighed by rarity, that a match has; 1 for all. */
  readonly minShare: number
}

function maskOfWords(
  words: readonly QueryWord[],
  isIncluded: (word: QueryWord) => boolean,
): number {
  return words.reduce((mask, word, bit) => (isIncluded(word) ? mask | (1 << bit) : mask), 0)
}

function select(
  layout: Layout,
  { words: asked, after, limit, admits }: IndexQuery,
  goal: Goal,
  scratch: SearchScratch,
): IndexResult {
  const best = new BestHits(limit, after ?? null)
  const allRarity = shareOf(goal.required, goal.rarities)
  const { matched, named, scores, passed } = scratch
  const needsAll = goal.minShare >= 1
  const isByRarest = needsAll && scratch.rarestCount !== Infinity
  const people = isByRarest ? scratch.rarest : scratch.people
  const among = isByRarest ? scratch.rarestCount : scratch.count
  // Many people are visited in memory order, which is several times faster.
  const isMany = among > layout.size / 16
  const count = isMany ? layout.size : among
  for (let index = 0; index < count; index += 1) {
    const at = isMany ? index : (people[index] ?? 0)
    if (isMany && matched[at] === 0) continue
    if (goal.filters > 0 && passed[at] !== goal.filters) continue
    const words = (matched[at] ?? 0) & goal.required
    if (needsAll && words !== goal.required) continue
    const share =
      words === goal.required ? 1 : shareOf(words, goal.rarities) / Math.max(1, allRarity)
    if (share < goal.minShare || (words & goal.must) !== goal.must) continue
    if (!admits && best.isBelow((scores[at] ?? 0) * WHOLE_NAME_BONUS)) {
      best.total += 1
      continue
    }
    const { segment, offset } = segmentAt(layout, at)
    const person = at - offset
    if (admits && !admits(segment.ids[person] ?? 0)) continue
    const isWholeName =
      countWords(named[at] ?? 0) === asked.length && segment.nameLengths[person] === asked.length
    const score = Math.round((scores[at] ?? 0) * share * (isWholeName ? WHOLE_NAME_BONUS : 1))
    const isNamed = ((named[at] ?? 0) & goal.required) === goal.required
    best.add(segment.ids[person] ?? 0, score, scratch.fields[at] ?? 0, isNamed, share)
  }
  const maxScore = FULL_VALUE * shareOf(2 ** asked.length - 1, goal.rarities)
  return { hits: best.hits, total: best.total, maxScore }
}

/** Everyone who passes the filters, in the order of their IDs. */
function selectAll(
  layout: Layout,
  { after, limit, admits }: IndexQuery,
  filters: number,
  scratch: SearchScratch,
): IndexResult {
  const best = new BestHits(limit, after ?? null)
  const count = filters > 0 ? scratch.passingCount : layout.size
  for (let index = 0; index < count; index += 1) {
    const at = filters > 0 ? (scratch.passing[index] ?? 0) : index
    const { segment, gone, offset } = segmentAt(layout, at)
    if (gone?.[at - offset] === 1) continue
    const id = segment.ids[at - offset] ?? 0
    if (!admits || admits(id)) best.add(id, 0, 0, false, 0)
  }
  return { hits: best.hits, total: best.total, maxScore: 0 }
}

function shareOf(mask: number, rarities: readonly number[]): number {
  return rarities.reduce((sum, rarity, bit) => ((mask & (1 << bit)) === 0 ? sum : sum + rarity), 0)
}

function countWords(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}

function segmentAt({ segments }: Layout, at: number): PlacedSegment {
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const placed = segments[index]
    if (placed && placed.offset <= at) return placed
  }
  throw new Error('an index without segments has no people')
}

/** Keeps the best hits after a position, sorted, and counts all. */
class BestHits {
  readonly hits: IndexHit[] = []
  total = 0
  readonly #limit: number
  readonly #after: HitPosition | null
  /** The lowest score among the best, once there are enough. */
  #least = -1

  constructor(limit: number, after: HitPosition | null) {
    this.#limit = limit
    this.#after = after
  }

  /** Whether a hit of this score is certainly not among the best. */
  isBelow(score: number): boolean {
    return score + 1 < this.#least
  }

  add(connectionId: number, score: number, fields: number, isNamed: boolean, share: number): void {
    this.total += 1
    const { hits } = this
    if (this.#after && compareTo(this.#after, score, connectionId) >= 0) return
    const worst = hits.length < this.#limit ? undefined : hits.at(-1)
    if (worst && compareTo(worst, score, connectionId) < 0) return
    if (worst) hits.pop()
    let [low, high] = [0, hits.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = hits[middle]
      if (there && compareTo(there, score, connectionId) < 0) low = middle + 1
      else high = middle
    }
    hits.splice(low, 0, { connectionId, score, fields, isNamed, share })
    if (hits.length === this.#limit) this.#least = hits.at(-1)?.score ?? -1
  }
}

/** Negative if the position comes before this score and ID, positive if after. */
function compareTo(position: HitPosition, score: number, connectionId: number): number {
  return score - position.score || position.connectionId - connectionId
}
