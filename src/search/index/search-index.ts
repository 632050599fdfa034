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

import { connectionIds, filterPeople, peopleAmong, type IndexFilters } from './index-filters.ts'
import { layOut, type Layout, type SearchIndex } from './layout.ts'
import { intersect, unite, type PeopleSet } from './people-set.ts'
import { hasPeople, termRanges } from './posting-ranges.ts'
import { findPerson } from './segment.ts'
import {
  selectAll,
  selectBest,
  type IndexQuery,
  type IndexResult,
  type Search,
} from './select-people.ts'
import { selectOfWord } from './select-of-word.ts'
import { AskedWord } from './asked-word.ts'
import type { QueryWord } from './query-word.ts'
import type { SearchScratch } from './search-scratch.ts'

/** Words that are not all matched must make up this share of the query, weighed by rarity. */
const MIN_PARTIAL_SHARE = 0.6

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
    return only.isOptional
      ? selectBest(search, { candidates: only.people(), minShare: 1 })
      : selectOfWord(search, only)
  const required = words.filter(({ isOptional }) => !isOptional)
  if (required.length === 0) return findWithAny(search, 1)
  const candidates = scratch.emptySet().fill(0xffffffff)
  if (admitted) intersect(candidates, admitted)
  // The rarest first: most queries without an answer are recognized by few words.
  const rarestFirst = required.toSorted((one, other) => one.postings - other.postings)
  for (const word of rarestFirst) if (!intersect(candidates, word.people())) return NOTHING
  return selectBest(search, { candidates, minShare: 1 })
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
  return selectBest(search, { candidates, minShare })
}
