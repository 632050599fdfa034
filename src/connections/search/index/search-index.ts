/**
 * Searches an index of one or more segments. Every result depends only on the current documents: the same connections in
 * the same order with the same scores, however the index was built.
 *
 * A connection matches when it has every required word. Exact words, prefixes and other spellings are tried first, and
 * typos only for words that nothing else matches. If no connection has every word, typos are tried for all words. If there
 * is still none, connections with most of the words are returned. Words are weighted by rarity, so a query about something
 * unknown returns nothing.
 *
 * The people of each word are collected first, as bit masks. Then only those who can be results are scored.
 */

import { BestHits, type HitPosition, type SelectedHit } from './best-hits.ts'
import { FACTOR } from './fields.ts'
import { connectionIds, filterPeople, peopleAmong, type IndexFilters } from './index-filters.ts'
import { layOut, type Layout, type SearchIndex } from './layout.ts'
import { intersect, lowestBit, peopleFrom, unite, type PeopleSet } from './people-set.ts'
import { hasPeople, termRanges } from './posting-ranges.ts'
import { IN_NAME, matchedFields, VALUE_MASK } from './score-people.ts'
import { findPerson, type Segment } from './segment.ts'
import { AskedWord } from './asked-word.ts'
import type { QueryWord } from './query-word.ts'
import type { SearchScratch, WordValues } from './search-scratch.ts'

interface IndexQuery {
  readonly words: readonly QueryWord[]
  readonly filters?: IndexFilters
  readonly after?: HitPosition | null
  readonly limit: number
  /** Instead of every required word, a match has words of at least this share, weighed by rarity. */
  readonly minShare?: number
  /** Only these connections are returned. */
  readonly among?: ReadonlySet<number>
}

export interface IndexHit extends Omit<SelectedHit, 'at'> {
  /** A bit mask of the numbers of the fields that match. */
  readonly fields: number
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
  scratch.begin(layout.size)
  const admitted = admittedPeople(layout, query, scratch)
  if (query.words.length === 0) return selectAll(layout, query, admitted)
  const words = query.words.map((word) => new AskedWord(layout, scratch, word))
  const search: Search = { layout, query, people: index.people, words, admitted, scratch }
  if (query.minShare !== undefined) return findWithShare(search, query.minShare)
  const exact = findWithAll(search)
  if (exact.total > 0) return exact
  for (const word of words) word.makeThorough()
  const thorough = findWithAll(search)
  return thorough.total > 0 ? thorough : findWithShare(search, MIN_PARTIAL_SHARE)
}

/** IDs of the connections that pass the filters. */
export function filterIndex(
  index: SearchIndex,
  filters: IndexFilters,
  scratch: SearchScratch,
): Set<number> {
  const layout = layOut(index)
  scratch.begin(layout.size)
  return connectionIds(layout, filterPeople(layout, filters, scratch))
}

/** Whether the index has a current connection with this ID. */
export function hasConnection({ segments }: SearchIndex, connectionId: number): boolean {
  return segments.some(({ segment, gone }) => {
    const person = findPerson(segment, connectionId)
    return person >= 0 && gone?.[person] !== 1
  })
}

/** Whether any current connection has a term of this word, apart from typos and other forms. */
export function isKnownWord(index: SearchIndex, word: QueryWord): boolean {
  const terms = word.terms.filter(({ forms }) => forms === undefined)
  return termRanges(layOut(index), { ...word, terms }).some(hasPeople)
}

interface Search {
  readonly layout: Layout
  readonly query: IndexQuery
  /** Current connections. */
  readonly people: number
  readonly words: readonly AskedWord[]
  /** Those who pass the filters; undefined for everyone. */
  readonly admitted: PeopleSet | undefined
  readonly scratch: SearchScratch
}

function admittedPeople(
  layout: Layout,
  { filters, among }: IndexQuery,
  scratch: SearchScratch,
): PeopleSet | undefined {
  const filtered = filters && filterPeople(layout, filters, scratch)
  if (!among) return filtered
  const set = peopleAmong(layout, among, scratch)
  if (filtered) intersect(set, filtered)
  return set
}

const NOTHING: IndexResult = { hits: [], total: 0, maxScore: 0 }

/** Everyone who has all required words. */
function findWithAll(search: Search): IndexResult {
  const { words, admitted, scratch } = search
  const [only, ...others] = words
  if (only && others.length === 0 && !admitted)
    return select(search, { candidates: only.people(), minShare: 1 })
  const required = words.filter(({ isOptional }) => !isOptional)
  if (required.length === 0) return findWithAny(search, 1)
  const candidates = scratch.emptySet().fill(0xffffffff)
  if (admitted) intersect(candidates, admitted)
  // The rarest first: most queries without an answer are recognized by few words.
  const rarestFirst = required.toSorted((one, other) => one.postings - other.postings)
  for (const word of rarestFirst) if (!intersect(candidates, word.people())) return NOTHING
  return select(search, { candidates, minShare: 1 })
}

/** Everyone who has required words of at least this share, weighed by rarity. */
function findWithShare(search: Search, minShare: number): IndexResult {
  const required = search.words.filter(({ isOptional }) => !isOptional)
  const rarities = required.map((word) => word.rarity(search.people))
  let rest = rarities.reduce((sum, rarity) => sum + rarity, 0)
  const least = minShare * Math.max(1, rest)
  if (required.length === 0 || minShare === 0) return findWithAny(search, minShare)
  const candidates = search.scratch.emptySet()
  const order = required.map((word, index) => ({ word, rarity: rarities[index] ?? 0 }))
  // Someone without any of the rarest words has too little, once the other words together are too little.
  for (const { word, rarity } of order.toSorted((one, other) => other.rarity - one.rarity)) {
    if (rest < least) break
    unite(candidates, word.people())
    rest -= rarity
  }
  return selectAmong(search, candidates, minShare)
}

/** Everyone who has any word. */
function findWithAny(search: Search, minShare: number): IndexResult {
  const candidates = search.scratch.emptySet()
  for (const word of search.words) unite(candidates, word.people())
  return selectAmong(search, candidates, minShare)
}

function selectAmong(search: Search, candidates: PeopleSet, minShare: number): IndexResult {
  const { admitted, words } = search
  if (admitted) intersect(candidates, admitted)
  for (const word of words)
    if (word.isFilter && !word.isOptional) intersect(candidates, word.people())
  return select(search, { candidates, minShare })
}

interface Selection {
  /** Those who may be results. */
  readonly candidates: PeopleSet
  /** 1 for all words. */
  readonly minShare: number
}

/** Scores the candidates and selects the best. */
function select(search: Search, { candidates, minShare }: Selection): IndexResult {
  const { people, words, scratch } = search
  const list = scratch.listOf(candidates)
  const values = words.map((word, index) => {
    const own = scratch.valuesOf(index)
    word.score({ set: candidates, list }, own)
    return own
  })
  const rarities = words.map((word) => word.rarity(people))
  const { hits, total } = bestOf(search, list, { values, rarities, minShare })
  const ranges = words.flatMap((word) => word.ranges)
  const found = hits.map(({ at }) => at)
  const fields = matchedFields(ranges, found, scratch)
  return {
    hits: hits.map((hit, index) => hitOf(hit, fields[index] ?? 0)),
    total,
    maxScore: FULL_VALUE * shareOf(allBits(words.length), rarities),
  }
}

function hitOf({ connectionId, score, isNamed, share }: SelectedHit, fields: number): IndexHit {
  return { connectionId, score, fields, isNamed, share }
}

interface Scores {
  /** By word. They are set back to 0. */
  readonly values: readonly WordValues[]
  readonly rarities: readonly number[]
  readonly minShare: number
}

function bestOf(
  { layout, query, words }: Search,
  candidates: Uint32Array,
  { values, rarities, minShare }: Scores,
): BestHits {
  const required = words.reduce(
    (mask, { isOptional }, bit) => (isOptional ? mask : mask | (1 << bit)),
    0,
  )
  const all = allBits(words.length)
  const allRarity = Math.max(1, shareOf(required, rarities))
  const best = new BestHits(query.limit, query.after ?? null)
  let nth = -1
  let offset = 0
  let until = 0
  let segment: Segment | undefined
  const { length } = candidates
  const count = values.length
  // In one segment, later people have higher IDs, and so come after others with the same score.
  const losesTies = layout.segments.length === 1 ? 1 : 0
  for (let index = 0; index < length; index += 1) {
    const at = candidates[index] ?? 0
    let sum = 0
    let matched = 0
    let named = 0
    for (let word = 0; word < count; word += 1) {
      const list = values[word]
      const value = list?.[at] ?? 0
      if (!list || value === 0) continue
      list[at] = 0
      sum += (rarities[word] ?? 0) * (value & VALUE_MASK)
      matched |= 1 << word
      if ((value & IN_NAME) !== 0) named |= 1 << word
    }
    const own = matched & required
    // Most people of common words have everything, but too low a score.
    if (own === required && named !== all && sum < best.floor + losesTies) {
      best.total += 1
      continue
    }
    const share = own === required ? 1 : shareOf(own, rarities) / allRarity
    if (share < minShare) continue
    while (at >= until) {
      offset = until
      nth += 1
      segment = layout.segments[nth]?.segment
      until += segment?.ids.length ?? Infinity
    }
    const isWholeName = named === all && segment?.nameLengths[at - offset] === words.length
    const weight = isWholeName ? share * WHOLE_NAME_BONUS : share
    const score = weight === 1 ? sum : Math.round(sum * weight)
    const connectionId = segment?.ids[at - offset] ?? 0
    if (!best.count(score, connectionId)) continue
    best.add({ at, connectionId, score, isNamed: (named & required) === required, share })
  }
  return best
}

function allBits(count: number): number {
  return 2 ** count - 1
}

/** Everyone who is admitted, in the order of their IDs. */
function selectAll(
  { segments }: Layout,
  { after, limit }: IndexQuery,
  admitted: PeopleSet | undefined,
): IndexResult {
  const best = new BestHits(limit, after ?? null)
  for (const { segment, gone, offset } of segments) {
    const { ids } = segment
    const { length } = ids
    for (let person = 0; person < length; person += 32) {
      const rest = admitted ? peopleFrom(admitted, offset + person) : -1
      const many = Math.min(32, length - person)
      let current = many === 32 ? rest : rest & ((1 << many) - 1)
      for (; current !== 0; current &= current - 1) {
        const nth = person + lowestBit(current)
        if (gone?.[nth] === 1) continue
        const connectionId = ids[nth] ?? 0
        if (best.count(0, connectionId))
          best.add({ at: offset + nth, connectionId, score: 0, isNamed: false, share: 0 })
      }
    }
  }
  return { hits: best.hits.map((hit) => hitOf(hit, 0)), total: best.total, maxScore: 0 }
}

function shareOf(mask: number, rarities: readonly number[]): number {
  return rarities.reduce((sum, rarity, bit) => ((mask & (1 << bit)) === 0 ? sum : sum + rarity), 0)
}
