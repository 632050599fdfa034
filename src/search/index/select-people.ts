/** Scores the people that a search found, and selects the best of them. */

import { FACTOR } from './fields.ts'
import { countBits, includes, lowestBit, peopleFrom, type PeopleSet } from './people-set.ts'
import { IN_NAME, matchedFields, VALUE_MASK } from './score-people.ts'
import type { AskedWord } from './asked-word.ts'
import type { IndexFilters } from './index-filters.ts'
import type { Layout, Segment } from './segment.ts'
import type { GuessedWord, QueryWord } from './query-word.ts'
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
  /** Matches that have every required word itself: see `Guess`. */
  readonly complete: number
  /** A bit mask of the required words that no one in the network has themselves. */
  readonly unknown: number
  /** The score of a perfect match. */
  readonly maxScore: number
  /** Whether anyone has every required word as a whole word of their name. */
  readonly isNamed: boolean
  /** Whether these are the best of those who have any of the words, regardless of `limit` and `after`. */
  readonly isRanked: boolean
  /** Of each of these hits, a bit mask of the numbers of the fields that match. */
  readonly fieldsOf: (hits: readonly IndexHit[]) => readonly number[]
  /** What the hit has instead of words of the query. */
  readonly guessesOf: (hit: Pick<IndexHit, 'at' | 'matched' | 'certain'>) => readonly GuessedWord[]
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

/** Added to the score of those who have all required words, and twice to that of those who have the words themselves. */
export const ALL_WORDS = 2 ** 40

/** How well someone matches, regardless of which words. */
export function scoreWithin({ score }: HitPosition): number {
  return score >= ALL_WORDS ? score % ALL_WORDS : score
}

/** Scores the candidates and selects the best. With `allFirst`, those who have all required words come before all others. */
export function selectBest(search: Search, candidates: PeopleSet, allFirst: boolean): IndexResult {
  const { people, words, scratch } = search
  const list = scratch.listOf(candidates)
  const scored = words.map((word, index): ScoredWord => {
    const values = scratch.valuesOf(index)
    word.score({ set: candidates, list }, values)
    return {
      values,
      bit: 1 << index,
      rarity: word.rarity(people),
      having: partOf(word.people(), word.having()),
      certain: partOf(word.people(), word.certain()),
      apart: word.apartFromNames(),
      initials: word.byInitial(),
    }
  })
  const rarities = scored.map(({ rarity }) => rarity)
  const { hits, total, complete, isNamed } = bestOf(search, list, { scored, rarities, allFirst })
  return {
    hits,
    total,
    complete,
    unknown: unknownBits(words),
    maxScore: FULL_VALUE * Math.max(1, shareOf(requiredBits(words), rarities)),
    isNamed,
    isRanked: false,
    fieldsOf: fieldsOfHits(words),
    guessesOf: guessesOfHits(words),
  }
}

/** Undefined for everyone of the first set. */
function partOf(everyone: PeopleSet, set: PeopleSet): PeopleSet | undefined {
  return set === everyone ? undefined : set
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

export function guessesOfHits(words: readonly AskedWord[]): IndexResult['guessesOf'] {
  return ({ at, matched, certain }) =>
    words.flatMap((word, index) => {
      const isGuessed = !word.isOptional && (matched & ~certain & (1 << index)) !== 0
      return isGuessed ? word.guessFor(at) : []
    })
}

/** Of people who match no words. */
export const NO_GUESSES: IndexResult['guessesOf'] = () => []

interface ScoredWord {
  /** By person. They are set back to 0. */
  readonly values: WordValues
  readonly bit: number
  readonly rarity: number
  /** Undefined for everyone who matches. */
  readonly having: PeopleSet | undefined
  /** Undefined for everyone who matches. */
  readonly certain: PeopleSet | undefined
  /** Those who match by more than a similar name; undefined if no similar names match. */
  readonly apart: PeopleSet | undefined
  /** Those with its initial in their name; undefined if no initials match. */
  readonly initials: PeopleSet | undefined
}

/** The words that one candidate has, as bit masks. */
class Tally {
  sum = 0
  matched = 0
  having = 0
  certain = 0
  /** Whole words of the name. */
  named = 0
  /** Words of which only a similar name matches, and those of them of which only an initial does. */
  similar = 0
  initials = 0
  #similarSum = 0

  read(words: readonly ScoredWord[], at: number): void {
    this.sum = this.matched = this.having = this.certain = this.named = 0
    this.similar = this.initials = this.#similarSum = 0
    for (const { values, bit, rarity, having, certain, apart, initials } of words) {
      const value = values[at] ?? 0
      if (value === 0) continue
      values[at] = 0
      const score = rarity * (value & VALUE_MASK)
      this.sum += score
      this.matched |= bit
      if (!having || includes(having, at)) this.having |= bit
      if (!certain || includes(certain, at)) this.certain |= bit
      if ((value & IN_NAME) !== 0) this.named |= bit
      if (!apart || includes(apart, at)) continue
      this.similar |= bit
      this.#similarSum += score
      if (initials && includes(initials, at)) this.initials |= bit
    }
  }

  /** A name is similar as a whole: Ben H. is no Ben Haverkamp if he has another family name. */
  dropSimilar(required: number, nameLength: number): void {
    const isWhole = (this.matched & required) === required
    const isAbbreviated = this.named !== 0 && nameLength === countBits(required)
    if (isWhole && (this.initials === 0 || isAbbreviated)) return
    this.sum -= this.#similarSum
    this.matched &= ~this.similar
    this.having &= ~this.similar
  }
}

interface Scoring {
  readonly scored: readonly ScoredWord[]
  readonly rarities: readonly number[]
  readonly allFirst: boolean
}

function bestOf(
  { layout, query, words }: Search,
  candidates: Uint32Array,
  { scored, rarities, allFirst }: Scoring,
): BestHits {
  const required = requiredBits(words)
  const all = allBits(words.length)
  const allRarity = Math.max(1, shareOf(required, rarities))
  const best = new BestHits(query.limit, query.after ?? null)
  const tally = new Tally()
  let [nth, offset, until] = [-1, 0, 0]
  let segment: Segment | undefined
  const { length } = candidates
  // In one segment, later people have higher IDs, and so come after others with the same score.
  const losesTies = layout.segments.length === 1 ? 1 : 0
  for (let index = 0; index < length; index += 1) {
    const at = candidates[index] ?? 0
    while (at >= until) {
      offset = until
      nth += 1
      segment = layout.segments[nth]?.segment
      until += segment?.ids.length ?? Infinity
    }
    const nameLength = segment?.nameLengths[at - offset] ?? 0
    tally.read(scored, at)
    if (tally.similar !== 0) {
      tally.dropSimilar(required, nameLength)
      if ((tally.matched & (required === 0 ? all : required)) === 0) continue
    }
    const { sum, matched, having, named } = tally
    const isComplete = (tally.certain & required) === required
    const hasAll = (having & required) === required
    const isNamed = required !== 0 && isComplete && (named & required) === required
    if (isNamed) best.isNamed = true
    if (isComplete) best.complete += 1
    const lift = isComplete ? 2 * ALL_WORDS : allFirst && hasAll ? ALL_WORDS : 0
    // Most people of common words have everything, but too low a score.
    if (named !== all && lift + sum < best.floor + losesTies) {
      best.total += 1
      continue
    }
    const share = hasAll ? 1 : shareOf(matched & required, rarities) / allRarity
    const isWholeName = named === all && nameLength === scored.length
    const score = lift + weighted(sum, isWholeName ? share * WHOLE_NAME_BONUS : share)
    const connectionId = segment?.ids[at - offset] ?? 0
    if (best.count(score, connectionId))
      best.add({
        at,
        connectionId,
        score,
        isNamed,
        matched,
        having,
        certain: tally.certain,
        share,
        isComplete,
      })
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

export function unknownBits(words: readonly AskedWord[]): number {
  return words.reduce(
    (mask, word, bit) => (word.isOptional || word.certainCount > 0 ? mask : mask | (1 << bit)),
    0,
  )
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
            certain: 0,
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
    unknown: 0,
    maxScore: 0,
    isNamed: false,
    isRanked: false,
    fieldsOf: NO_FIELDS,
    guessesOf: NO_GUESSES,
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
  /** A bit mask of the words of the query that it has in some way. */
  readonly matched: number
  /** A bit mask of those that it has, in other words or another spelling, too. */
  readonly having: number
  /** A bit mask of those that it has themselves. */
  readonly certain: number
  /** Whether it has every required word itself. The only judge of it, for tools, pages and suggestions. */
  readonly isComplete: boolean
  /** The share of the required words among `matched`, weighed by rarity. */
  readonly share: number
}

/** How many of these hits have every word itself. */
export function completeIn(hits: readonly IndexHit[]): number {
  return hits.filter(({ isComplete }) => isComplete).length
}

/** Keeps the best hits after a position, sorted, and counts all. */
export class BestHits {
  readonly hits: IndexHit[] = []
  total = 0
  /** Those with every required word itself. */
  complete = 0
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
