/**
 * Searches an index of one or more segments. Every result depends only on the current documents: the same connections in
 * the same order with the same scores, however the index was built.
 *
 * Connections that have every word come first. If they are few, those that have some of the words follow, ranked by how much
 * of the query they have: words are weighted by rarity. Exact words, prefixes and other spellings are tried first, typos only
 * for words that nothing else matches. If no connection has every word, typos are tried for all words.
 *
 * The people of each word are collected first, as bit masks. Then only those who can be results are scored.
 */

import { connectionIds, filterPeople, peopleAmong, type IndexFilters } from './index-filters.ts'
import { layOut, type Layout, type SearchIndex } from './layout.ts'
import { intersect, unite, type PeopleSet } from './people-set.ts'
import { hasPeople, termRanges } from './posting-ranges.ts'
import { findPerson } from './segment.ts'
import {
  NO_FIELDS,
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

/** With fewer connections that have every word, those that have only some of them are results, too. */
const ENOUGH_COMPLETE = 10

/** The most results if some of them have only some of the words. */
export const MAX_RANKED = 100

/** `scratch` is reused between searches, so only one search at a time may use it. */
export function searchIndex(
  index: SearchIndex,
  query: IndexQuery,
  scratch: SearchScratch,
): IndexResult {
  const layout = layOut(index)
  scratch.begin(layout.size)
  const words = query.words.map((word) => new AskedWord(layout, scratch, word))
  const admitted = admittedPeople(layout, query, { words, scratch })
  if (words.length === 0) return selectAll(layout, query, admitted)
  const search: Search = { layout, query, people: index.people, words, admitted, scratch }
  if (query.moreTypos === true) {
    for (const word of words) word.allowMoreTypos()
    return findWithAny(search, false)
  }
  const complete = findWithAll(search)
  if (complete.total >= ENOUGH_COMPLETE || complete.isNamed) return complete
  if (complete.total === 0) for (const word of words) word.makeThorough()
  return findWithAny(search, complete.total > 0)
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

interface Admitting {
  readonly words: readonly AskedWord[]
  readonly scratch: SearchScratch
}

/** Those who pass the filters and have every strict word; undefined for everyone. */
function admittedPeople(
  layout: Layout,
  { filters, among }: IndexQuery,
  { words, scratch }: Admitting,
): PeopleSet | undefined {
  const sets = words.filter(({ isStrict }) => isStrict).map((word) => word.people())
  const filtered = filters && filterPeople(layout, filters, scratch)
  if (filtered) sets.push(filtered)
  if (among) sets.push(peopleAmong(layout, among, scratch))
  if (sets.length === 0) return undefined
  const admitted = scratch.emptySet().fill(0xffffffff)
  for (const set of sets) intersect(admitted, set)
  return admitted
}

const NOTHING: IndexResult = {
  hits: [],
  total: 0,
  complete: 0,
  maxScore: 0,
  isNamed: false,
  isRanked: false,
  fieldsOf: NO_FIELDS,
}

/** Everyone who has all required words. */
function findWithAll(search: Search): IndexResult {
  const { words, admitted, scratch } = search
  const [only, ...others] = words
  if (only && others.length === 0 && !admitted) return selectOfWord(search, only)
  const required = words.filter(({ isOptional }) => !isOptional)
  if (required.length === 0 && !admitted) return NOTHING
  const candidates = scratch.emptySet().fill(0xffffffff)
  if (admitted) intersect(candidates, admitted)
  // The rarest first: most queries without an answer are recognized by few words.
  const rarestFirst = required.toSorted((one, other) => one.postings - other.postings)
  for (const word of rarestFirst) if (!intersect(candidates, word.people())) return NOTHING
  return selectBest(search, candidates)
}

/** Everyone who has any word: of the required ones, or if no one has any of these, of all. */
function findWithAny(search: Search, completeFirst: boolean): IndexResult {
  const { words, admitted, scratch, query } = search
  const ranked = { ...search, query: { ...query, limit: MAX_RANKED, after: null } }
  for (const some of [words.filter(({ isOptional }) => !isOptional), words]) {
    const candidates = scratch.emptySet()
    for (const word of some) unite(candidates, word.people())
    if (admitted) intersect(candidates, admitted)
    const found = selectBest(ranked, candidates, completeFirst)
    if (found.total === 0) continue
    const { hits } = found
    const complete = hits.filter(({ share }) => share === 1).length
    return { ...found, total: hits.length, complete, isRanked: true }
  }
  return NOTHING
}
