/**
 * Searches an index of one or more segments. Every result depends only on the current documents: the same connections in
 * the same order with the same scores, however the index was built.
 *
 * Connections that have every word itself come first, then those that have other words for some of them: see `Guess`. If
 * they are few, those that have some of the words follow, ranked by how much of the query they have: words are weighted by
 * rarity. Exact words, prefixes and other spellings are counted first. Typos are tried only if no connection has every word:
 * for words that nothing else matches, then for all words.
 *
 * The people of each word are collected first, as bit masks. Then only those who can be results are scored.
 */

import {
  connectionIds,
  filterPeople,
  leadingPeople,
  peopleAmong,
  type IndexFilters,
} from './index/index-filters.ts'
import {
  layOut,
  findPerson,
  bytesOfTerm,
  findTerm,
  postingStart,
  type Layout,
  type SearchIndex,
  type CurrentSegment,
} from './index/segment.ts'
import { intersect, SearchScratch, unite, type PeopleSet } from './index/people-set.ts'
import {
  ENOUGH_COMPLETE,
  NO_ONE,
  selectAll,
  selectBest,
  type IndexQuery,
  type IndexResult,
  type IndexSearch,
} from './scoring/score-people.ts'
import { AskedWord } from './scoring/asked-word.ts'
import { judgeNames } from './scoring/judge-names.ts'
import { firstNotBelow } from './index/sorted-numbers.ts'
import { FIELD_BITS, FIELD_MASK } from './index/search-fields.ts'

/** The most results if some of them have only some of the words. */
export const MAX_RANKED = 100

/** Working memory of searches on this thread. A search never yields, so they share it. */
const SCRATCH = new SearchScratch()

/** Searches an index for words and filters. Only one search at a time may use the same `scratch`. */
export function searchIndex(index: SearchIndex, query: IndexQuery, scratch = SCRATCH): IndexResult {
  const layout = layOut(index)
  scratch.begin(layout.size)
  const words = query.words.map((word) => new AskedWord(layout, scratch, word))
  const judge = () => judgeNames(layout, words, scratch)
  judge()
  const admitted = admittedPeople(layout, query, { words, scratch })
  if (words.length === 0) {
    const leading = leadingPeople(layout, query.filters ?? {}, scratch)
    return selectAll(layout, query, { admitted, leading })
  }
  const search: IndexSearch = { layout, query, people: index.people, words, admitted, scratch }
  if (query.moreTypos === true) {
    for (const word of words) word.allowMoreTypos()
    return findWithAny(search, false)
  }
  let all = findWithAll(search)
  if (all.total === 0) {
    for (const word of words) word.addTyposIfMissing()
    judge()
    all = findWithAll(search)
  }
  if (all.total >= ENOUGH_COMPLETE || all.isNamed) return all
  if (all.total === 0) {
    for (const word of words) word.makeThorough()
    judge()
  }
  return findWithAny(search, all.total > 0)
}

/** IDs of the connections that pass the filters. */
export function filterIndex(index: SearchIndex, filters: IndexFilters): Set<number> {
  const layout = layOut(index)
  SCRATCH.begin(layout.size)
  return connectionIds(layout, filterPeople(layout, filters, SCRATCH))
}

/** Whether the index has a current connection with this ID. */
export function hasConnection({ segments }: SearchIndex, connectionId: number): boolean {
  return segments.some(({ segment, gone }) => {
    const person = findPerson(segment, connectionId)
    return person >= 0 && gone?.[person] !== 1
  })
}

interface Admitting {
  readonly words: readonly AskedWord[]
  readonly scratch: SearchScratch
}

/** People who pass the filters and have every strict word; undefined for everyone. */
function admittedPeople(
  layout: Layout,
  { filters, among }: IndexQuery,
  { words, scratch }: Admitting,
): PeopleSet | undefined {
  const strict = words.filter(({ isStrict }) => isStrict)
  for (const word of strict) word.addTyposIfMissing()
  const sets = strict.map((word) => word.people.having)
  const filtered = filters && filterPeople(layout, filters, scratch)
  if (filtered) sets.push(filtered)
  if (among) sets.push(peopleAmong(layout, among, scratch))
  if (sets.length === 0) return undefined
  const admitted = scratch.emptySet().fill(0xffffffff)
  for (const set of sets) intersect(admitted, set)
  return admitted
}

/** Everyone who has all required words, or other words for them. */
function findWithAll(search: IndexSearch): IndexResult {
  const { words, admitted, scratch } = search
  const required = words.filter(({ isOptional }) => !isOptional)
  if (required.length === 0 && !admitted) return NO_ONE
  const candidates = scratch.emptySet().fill(0xffffffff)
  if (admitted) intersect(candidates, admitted)
  // The rarest first: most queries without an answer are recognized by few words.
  const rarestFirst = required.toSorted((one, other) => one.postings - other.postings)
  for (const word of rarestFirst) if (!intersect(candidates, word.people.having)) return NO_ONE
  return selectBest(search, candidates, true)
}

/** Everyone who has any required word. */
function findWithAny(search: IndexSearch, allFirst: boolean): IndexResult {
  const { words, admitted, scratch, query } = search
  const ranked = { ...search, query: { ...query, limit: MAX_RANKED, after: null } }
  // A letter alone, such as an initial, finds no one.
  const required = words.filter(({ isOptional, isInitial }) => !isOptional && !isInitial)
  const candidates = scratch.emptySet()
  for (const word of required.length > 0 ? required : words) unite(candidates, word.people.anyone)
  if (admitted) intersect(candidates, admitted)
  const found = selectBest(ranked, candidates, allFirst)
  if (found.hits.length === 0) return { ...NO_ONE, unknown: found.unknown }
  return { ...found, total: found.hits.length, isRanked: true }
}

/** Whether a current connection has all of these terms in one field. */
export function hasTerms(
  { segments }: SearchIndex,
  terms: readonly string[],
  field: number,
): boolean {
  const bytes = terms.map(bytesOfTerm)
  return segments.some((segment) => hasTermsIn(segment, bytes, field))
}

function hasTermsIn(
  { segment, gone }: CurrentSegment,
  terms: readonly Uint8Array[],
  field: number,
): boolean {
  const lists: Uint32Array[] = []
  for (const bytes of terms) {
    const term = findTerm(segment, bytes)
    if (term < 0) return false
    lists.push(
      segment.postings.subarray(postingStart(segment, term), segment.postingEnds[term] ?? 0),
    )
  }
  const [shortest, ...others] = lists.sort((one, other) => one.length - other.length)
  const next = others.map(() => 0)
  // Without callbacks: this runs for every query and visits thousands of postings.
  for (let index = 0; index < (shortest?.length ?? 0); index += 1) {
    const posting = shortest?.[index] ?? 0
    if ((posting & FIELD_MASK) !== field || gone?.[posting >>> FIELD_BITS] === 1) continue
    if (haveAll(others, next, posting)) return true
  }
  return false
}

/** Whether all lists have a posting. `next` holds the place in each, which only advances. */
function haveAll(lists: readonly Uint32Array[], next: number[], posting: number): boolean {
  for (let list = 0; list < lists.length; list += 1) {
    const numbers = lists[list]
    if (!numbers) continue
    const at = advance(numbers, next[list] ?? 0, posting)
    next[list] = at
    if (numbers[at] !== posting) return false
  }
  return true
}

/** The first place from `from` on whose number is not smaller: in growing steps, then by binary search. */
function advance(numbers: Uint32Array, from: number, number: number): number {
  let [low, step] = [from, 1]
  while (low + step < numbers.length && (numbers[low + step] ?? 0) < number) {
    low += step
    step *= 2
  }
  return firstNotBelow(numbers, number, low, Math.min(low + step, numbers.length))
}
