/** Scores the people that a search found, and selects the best of them. */

import { FACTOR } from './fields.ts'
import { includes, lowestBit, peopleFrom, type PeopleSet } from './people-set.ts'
import { IN_NAME, matchedFields, VALUE_MASK } from './score-people.ts'
import type { AskedWord } from './asked-word.ts'
import type { IndexFilters } from './index-filters.ts'
import type { Layout, Segment } from './segment.ts'
import type { QueryWord } from './query-word.ts'
import type { SearchScratch, WordValues } from './people-set.ts'

export interface IndexQuery {
  readonly words: readonly QueryWord[]
  readonly filters?: IndexFilters
  readonly after?: HitPosition | null
  readonly limit: number
  /** Whether a word may have one typo more than is usual for its length. */
  readonly moreTypos?: boolean
  /** Only these connections are returned. */
  readonly among?: ReadonlySet<number>
}

export interface IndexResult {
  /** Best first. */
  readonly hits: readonly IndexHit[]
  /** All matches, on all pages. */
  readonly total: number
  /** Matches that have every required word. */
  readonly complete: number
  /** The score of a perfect match. */
  readonly maxScore: number
  /** Whether anyone has every required word as a whole word of their name. */
  readonly isNamed: boolean
  /** Whether these are the best of those who have any of the words, regardless of `limit` and `after`. */
  readonly isRanked: boolean
  /** Of each of these hits, a bit mask of the numbers of the fields that match. */
  readonly fieldsOf: (hits: readonly IndexHit[]) => readonly number[]
}

export interface Search {
  readonly layout: Layout
  readonly query: IndexQuery
  /** Current connections. */
  readonly people: number
  readonly words: readonly AskedWord[]
  /** Those who pass the filters; undefined for everyone. */
  readonly admitted: PeopleSet | undefined
  readonly scratch: SearchScratch
}

/** A perfect match of a word, before its rarity. */
export const FULL_VALUE = 100 * FACTOR.exact
/** All words are the whole name: a fifth more. */
export const WHOLE_NAME_BONUS = 1.2

const NO_ONE: PeopleSet = new Uint32Array(0)

/** Added to the score of those who have all required words, where they come before all others. */
const COMPLETE = 2 ** 40

/** Scores the candidates and selects the best. */
export function selectBest(
  search: Search,
  candidates: PeopleSet,
  completeFirst = false,
): IndexResult {
  const { people, words, scratch } = search
  const list = scratch.listOf(candidates)
  const values = words.map((word, index) => {
    const own = scratch.valuesOf(index)
    word.score({ set: candidates, list }, own)
    return own
  })
  const rarities = words.map((word) => word.rarity(people))
  const { hits, total, isNamed } = bestOf(search, list, { values, rarities, completeFirst })
  return {
    hits: completeFirst ? hits.map(withoutLift) : hits,
    total,
    complete: total,
    maxScore: FULL_VALUE * Math.max(1, shareOf(requiredBits(words), rarities)),
    isNamed,
    isRanked: false,
    fieldsOf: fieldsOfHits(words),
  }
}

export function fieldsOfHits(words: readonly AskedWord[]): IndexResult['fieldsOf'] {
  return (hits) =>
    matchedFields(
      words.flatMap((word) => word.ranges),
      hits.map(({ at }) => at),
    )
}

/** Of a search without words. */
export const NO_FIELDS: IndexResult['fieldsOf'] = (hits) => hits.map(() => 0)

function withoutLift(hit: IndexHit): IndexHit {
  return hit.score >= COMPLETE ? { ...hit, score: hit.score - COMPLETE } : hit
}

interface Scores {
  /** By word. They are set back to 0. */
  readonly values: readonly WordValues[]
  readonly rarities: readonly number[]
  readonly completeFirst: boolean
}

function bestOf(
  { layout, query, words }: Search,
  candidates: Uint32Array,
  { values, rarities, completeFirst }: Scores,
): BestHits {
  const required = requiredBits(words)
  const all = allBits(words.length)
  const allRarity = Math.max(1, shareOf(required, rarities))
  const sets = words.map((word) => word.having())
  const best = new BestHits(query.limit, query.after ?? null)
  let [nth, offset, until] = [-1, 0, 0]
  let segment: Segment | undefined
  const { length } = candidates
  const count = values.length
  // In one segment, later people have higher IDs, and so come after others with the same score.
  const losesTies = layout.segments.length === 1 ? 1 : 0
  for (let index = 0; index < length; index += 1) {
    const at = candidates[index] ?? 0
    let sum = 0
    let matched = 0
    let having = 0
    let named = 0
    for (let word = 0; word < count; word += 1) {
      const list = values[word]
      const value = list?.[at] ?? 0
      if (!list || value === 0) continue
      list[at] = 0
      sum += (rarities[word] ?? 0) * (value & VALUE_MASK)
      matched |= 1 << word
      if (includes(sets[word] ?? NO_ONE, at)) having |= 1 << word
      if ((value & IN_NAME) !== 0) named |= 1 << word
    }
    const own = having & required
    const isNamed = required !== 0 && (named & required) === required
    if (isNamed) best.isNamed = true
    // Most people of common words have everything, but too low a score.
    if (!completeFirst && own === required && named !== all && sum < best.floor + losesTies) {
      best.total += 1
      continue
    }
    const isComplete = own === required
    const share = isComplete ? 1 : shareOf(matched & required, rarities) / allRarity
    while (at >= until) {
      offset = until
      nth += 1
      segment = layout.segments[nth]?.segment
      until += segment?.ids.length ?? Infinity
    }
    const isWholeName = named === all && segment?.nameLengths[at - offset] === count
    const lift = completeFirst && isComplete ? COMPLETE : 0
    const score = lift + weighted(sum, isWholeName ? share * WHOLE_NAME_BONUS : share)
    const connectionId = segment?.ids[at - offset] ?? 0
    if (best.count(score, connectionId))
      best.add({ at, connectionId, score, isNamed, matched, having, share, isComplete })
  }
  return best
}

/** Most sums are whole numbers already. */
function weighted(sum: number, weight: number): number {
  return weight === 1 ? sum : Math.round(sum * weight)
}

function requiredBits(words: readonly AskedWord[]): number {
  return words.reduce((mask, { isOptional }, bit) => (isOptional ? mask : mask | (1 << bit)), 0)
}

function allBits(count: number): number {
  return 2 ** count - 1
}

/** Everyone who is admitted, in the order of their IDs. */
export function selectAll(
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
          best.add({
            at: offset + nth,
            connectionId,
            score: 0,
            isNamed: false,
            matched: 0,
            having: 0,
            share: 0,
            isComplete: true,
          })
      }
    }
  }
  return {
    hits: best.hits,
    total: best.total,
    complete: best.total,
    maxScore: 0,
    isNamed: false,
    isRanked: false,
    fieldsOf: NO_FIELDS,
  }
}

function shareOf(mask: number, rarities: readonly number[]): number {
  return rarities.reduce((sum, rarity, bit) => ((mask & (1 << bit)) === 0 ? sum : sum + rarity), 0)
}

/** The position of a hit in the order of results: higher scores first, then lower IDs. */
export interface HitPosition {
  readonly score: number
  readonly connectionId: number
}

export interface IndexHit extends HitPosition {
  /** The number of the person in the layout. */
  readonly at: number
  /** Whether every required word is a whole word of the name. */
  readonly isNamed: boolean
  /** A bit mask of the words of the query that it has, or only a part of or something related. */
  readonly matched: number
  /** A bit mask of those that it has. */
  readonly having: number
  /** Whether it has all required words. */
  readonly isComplete: boolean
  /** The share of the required words among `matched`, weighed by rarity. */
  readonly share: number
}

/** Keeps the best hits after a position, sorted, and counts all. */
export class BestHits {
  readonly hits: IndexHit[] = []
  total = 0
  /** Whether anyone, on any page, has every required word as a whole word of their name. */
  isNamed = false
  /** Lower scores are not among the best. */
  floor = 0
  readonly #limit: number
  readonly #after: HitPosition | null
  /** The last of the best, once there are enough. */
  #worst: HitPosition | undefined

  constructor(limit: number, after: HitPosition | null) {
    this.#limit = limit
    this.#after = after
  }

  /** Whether a hit with this score and ID would be among the best so far, apart from the position after which they are. */
  mayTake(score: number, connectionId: number): boolean {
    return this.#worst === undefined || compareTo(this.#worst, score, connectionId) >= 0
  }

  /** Counts a hit; returns whether it may be among the best, so that only those are described. */
  count(score: number, connectionId: number): boolean {
    this.total += 1
    const worst = this.#worst
    if (worst && compareTo(worst, score, connectionId) < 0) return false
    return !this.#after || compareTo(this.#after, score, connectionId) < 0
  }

  /** Adds a hit for which `count` was true. */
  add(hit: IndexHit): void {
    const { hits } = this
    if (hits.length === this.#limit) hits.pop()
    let [low, high] = [0, hits.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = hits[middle]
      if (there && compareTo(there, hit.score, hit.connectionId) < 0) low = middle + 1
      else high = middle
    }
    hits.splice(low, 0, hit)
    if (hits.length < this.#limit) return
    this.#worst = hits.at(-1)
    this.floor = this.#worst?.score ?? 0
  }
}

/** Negative if the position comes before this score and ID, positive if after. */
function compareTo(position: HitPosition, score: number, connectionId: number): number {
  return score - position.score || position.connectionId - connectionId
}
