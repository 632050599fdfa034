/**
 * Selects the best of the people that a search found. They are scored in groups by the words that they have, the best first,
 * until none of the others can be among the best.
 */

import { ALL_WORDS, BestHits, type HitPosition, type IndexHit } from './best-hits.ts'
import { isCompleteHit, keepComplete } from './complete-hits.ts'
import { FACTOR } from '../index/match-factors.ts'
import {
  countBits,
  countPeople,
  includes,
  intersect,
  lowestBit,
  peopleFrom,
  subtract,
  type PeopleSet,
  type SearchScratch,
} from '../index/people-set.ts'
import { IN_NAME, matchedFields, VALUE_MASK, WordScorer } from './score-word.ts'
import type { AskedWord } from './asked-word.ts'
import type { IndexFilters } from '../index/index-filters.ts'
import type { Layout } from '../index/segment.ts'
import type { GuessedWord, QueryWord } from '../index/query-word.ts'

export interface IndexQuery {
  readonly words: readonly QueryWord[]
  readonly filters?: IndexFilters
  readonly after?: HitPosition | null
  readonly limit: number
  /** Whether a word may have one typo more than is usual for its length. */
  readonly moreTypos?: boolean
  /** Only these connections are returned. */
  readonly among?: ReadonlySet<number> | undefined
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
  /** Whether anyone has every required word as a whole word of their name; only of a few matches. */
  readonly isNamed: boolean
  /** Whether these are the best of those who have any of the words, regardless of `limit` and `after`. */
  readonly isRanked: boolean
  /** Returns for each of these hits a bit mask of the numbers of the fields that match. */
  readonly fieldsOf: (hits: readonly IndexHit[]) => readonly number[]
  /** What the hit has instead of words of the query. */
  readonly guessesOf: (hit: Pick<IndexHit, 'at' | 'matched' | 'certain'>) => readonly GuessedWord[]
}

export interface IndexSearch {
  readonly layout: Layout
  readonly query: IndexQuery
  /** Current connections. */
  readonly people: number
  readonly words: readonly AskedWord[]
  /** People who pass the filters; undefined for everyone. */
  readonly admitted: PeopleSet | undefined
  readonly scratch: SearchScratch
}

/** A perfect match of a word, before its rarity. */
const FULL_VALUE = 100 * FACTOR.exact
/** All words are the whole name: a fifth more. */
const WHOLE_NAME_BONUS = 1.2
/** With fewer matches, all are scored, which tells whether anyone is named, and those that have only some words are results, too. */
export const ENOUGH_COMPLETE = 10

/** Selects the best candidates. With `allFirst`, those who have all required words come before all others. */
export function selectBest(
  search: IndexSearch,
  candidates: PeopleSet,
  allFirst: boolean,
): IndexResult {
  const { people, words, scratch, layout, query } = search
  const scored = words.map((word, index): ScoredWord => {
    return {
      scorer: new WordScorer(word.ranges, candidates, scratch.valuesOf(index)),
      bit: 1 << index,
      rarity: word.rarity(people),
      isOptional: word.isOptional,
      ...word.people,
      apart: word.apartFromNames(),
      initials: word.byInitial(),
    }
  })
  const total = countPeople(candidates)
  const complete = scratch.copyOf(candidates)
  keepComplete(complete, scored)
  const selection = new Selection(layout, query, {
    scored,
    allFirst,
    isWhole: total < ENOUGH_COMPLETE,
  })
  selection.addGroups(groupsOf({ candidates, complete, scored, allFirst }, scratch))
  for (const { scorer } of scored) scorer.clear()
  return {
    hits: selection.best.hits,
    total,
    complete: countPeople(complete),
    unknown: unknownBits(words),
    maxScore: FULL_VALUE * Math.max(1, rarityOf(scored, requiredBits(scored))),
    isNamed: selection.isNamed,
    isRanked: false,
    fieldsOf: fieldsOfHits(words),
    guessesOf: guessesOfHits(words),
  }
}

interface ScoredWord {
  readonly scorer: WordScorer
  readonly bit: number
  readonly rarity: number
  readonly isOptional: boolean
  readonly anyone: PeopleSet
  readonly having: PeopleSet
  readonly certain: PeopleSet
  /** People who match by more than a similar name; undefined if no similar names match. */
  readonly apart: PeopleSet | undefined
  /** People with the word's initial in their name; undefined if no initials match. */
  readonly initials: PeopleSet | undefined
}

/** People who have the same words, and the highest score that they can have. */
interface Group {
  readonly set: PeopleSet
  /** Highest score of people whose name has as many words as the query. */
  readonly most: number
  /** Highest score of all other people. */
  readonly mostOther: number
}

interface Grouping {
  readonly candidates: PeopleSet
  readonly complete: PeopleSet
  readonly scored: readonly ScoredWord[]
  readonly allFirst: boolean
}

/** Words by which people are grouped. With more, the groups would be too many. */
const MAX_GROUPING = 5

/** The complete ones, and the others by the words that they have; the best first. */
function groupsOf(
  { candidates, complete, scored, allFirst }: Grouping,
  scratch: SearchScratch,
): readonly Group[] {
  const required = requiredBits(scored)
  const best = groupOf(scored, { set: complete, mask: required, lift: 2 * ALL_WORDS })
  const others = scratch.copyOf(candidates)
  if (!subtract(others, complete)) return [best]
  let groups = [{ set: others, mask: required }]
  for (const { bit, anyone } of scored.filter((word) => !word.isOptional).slice(0, MAX_GROUPING))
    groups = groups.flatMap(({ set, mask }) => {
      const without = scratch.copyOf(set)
      if (!subtract(without, anyone)) return [{ set, mask }]
      const parts = [{ set: without, mask: mask & ~bit }]
      return intersect(set, anyone) ? [{ set, mask }, ...parts] : parts
    })
  const liftOf = (mask: number) => (allFirst && mask === required ? ALL_WORDS : 0)
  const rest = groups.map(({ set, mask }) => groupOf(scored, { set, mask, lift: liftOf(mask) }))
  return [best, ...rest.toSorted((one, other) => other.most - one.most)]
}

/** People with these required words, and a score that is raised by `lift`. */
function groupOf(scored: readonly ScoredWord[], { set, mask, lift }: Having): Group {
  const required = requiredBits(scored)
  const sum = scored.reduce(
    (most, { bit, isOptional, rarity, scorer }) =>
      isOptional || (mask & bit) !== 0 ? most + rarity * scorer.most : most,
    0,
  )
  const share = mask === required ? 1 : rarityOf(scored, mask) / rarityOf(scored, required)
  const mayBeNamed = scored.every(
    ({ bit, isOptional, scorer }) => scorer.isNaming && (isOptional || (mask & bit) !== 0),
  )
  const mostOther = lift + weighted(sum, share)
  const most = mayBeNamed ? lift + weighted(sum, share * WHOLE_NAME_BONUS) : mostOther
  return { set, most, mostOther }
}

interface Having {
  readonly set: PeopleSet
  readonly mask: number
  readonly lift: number
}

interface Scoring {
  readonly scored: readonly ScoredWord[]
  readonly allFirst: boolean
  /** Whether all people are scored. */
  readonly isWhole: boolean
}

/** Scores people, and keeps the best. */
class Selection {
  readonly best: BestHits
  /** Whether anyone who was scored has every required word as a whole word of their name. */
  isNamed = false
  readonly #layout: Layout
  readonly #scoring: Scoring
  readonly #required: number
  readonly #all: number
  readonly #rarity: number
  readonly #tally = new Tally()

  constructor(layout: Layout, { limit, after }: IndexQuery, scoring: Scoring) {
    this.best = new BestHits(limit, after ?? null)
    this.#layout = layout
    this.#scoring = scoring
    this.#required = requiredBits(scoring.scored)
    this.#all = 2 ** scoring.scored.length - 1
    this.#rarity = Math.max(1, rarityOf(scoring.scored, this.#required))
  }

  /** In a segment, later people have higher IDs, and so come after others with the same score. */
  addGroups(groups: readonly Group[]): void {
    const { isWhole } = this.#scoring
    const { length } = this.#scoring.scored
    for (const { set, most, mostOther } of groups)
      for (const { segment, offset } of this.#layout.segments) {
        const { ids, nameLengths } = segment
        const end = offset + ids.length
        for (let word = offset >>> 5; 32 * word < end; word += 1) {
          let rest = set[word] ?? 0
          if (rest === 0) continue
          const first = ids[Math.max(0, 32 * word - offset)] ?? 0
          if (!isWhole && !this.best.mayTake(most, first)) break
          for (; rest !== 0; rest &= rest - 1) {
            const at = 32 * word + lowestBit(rest)
            if (at < offset || at >= end) continue
            const [id, nameLength] = [ids[at - offset] ?? 0, nameLengths[at - offset] ?? 0]
            const mostHere = nameLength === length ? most : mostOther
            if (isWhole || this.best.mayTake(mostHere, id)) this.#add(at, id, nameLength)
          }
        }
      }
  }

  #add(at: number, connectionId: number, nameLength: number): void {
    const { scored, allFirst } = this.#scoring
    const [tally, required, all] = [this.#tally, this.#required, this.#all]
    tally.read(scored, at)
    if (tally.similar !== 0) {
      tally.dropSimilar(required, nameLength)
      if ((tally.matched & (required === 0 ? all : required)) === 0) return
    }
    const { sum, matched, having, named, certain } = tally
    const isComplete = isCompleteHit(certain, required)
    const hasAll = (having & required) === required
    if (required !== 0 && isComplete && (named & required) === required) this.isNamed = true
    const lift = isComplete ? 2 * ALL_WORDS : allFirst && hasAll ? ALL_WORDS : 0
    const share = hasAll ? 1 : rarityOf(scored, matched & required) / this.#rarity
    const isWholeName = named === all && nameLength === scored.length
    const score = lift + weighted(sum, isWholeName ? share * WHOLE_NAME_BONUS : share)
    if (this.best.takes(score, connectionId))
      this.best.add({ at, connectionId, score, matched, having, certain, share, isComplete })
  }
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
    for (const { scorer, bit, rarity, anyone, having, certain, apart, initials } of words) {
      if (!includes(anyone, at)) continue
      const value = scorer.valueOf(at)
      if (value === 0) continue
      const score = rarity * (value & VALUE_MASK)
      this.sum += score
      this.matched |= bit
      if (includes(having, at)) this.having |= bit
      if (includes(certain, at)) this.certain |= bit
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

/** Most sums are whole numbers already. */
function weighted(sum: number, weight: number): number {
  return weight === 1 ? sum : Math.round(sum * weight)
}

function requiredBits(scored: readonly ScoredWord[]): number {
  return scored.reduce((mask, { isOptional, bit }) => (isOptional ? mask : mask | bit), 0)
}

/** The sum of the rarities of some words. */
function rarityOf(scored: readonly ScoredWord[], mask: number): number {
  return scored.reduce((sum, { bit, rarity }) => ((mask & bit) === 0 ? sum : sum + rarity), 0)
}

function unknownBits(words: readonly AskedWord[]): number {
  return words.reduce(
    (mask, word, bit) =>
      word.isOptional || countPeople(word.people.certain) > 0 ? mask : mask | (1 << bit),
    0,
  )
}

function fieldsOfHits(words: readonly AskedWord[]): IndexResult['fieldsOf'] {
  const [initials, others] = [words.filter(isInitial), words.filter((word) => !isInitial(word))]
  return (hits) => {
    const people = hits.map(({ at }) => at)
    const masks = matchedFields(rangesOf(others), people)
    // A letter is found in many names, but is the initial of few.
    for (const word of initials) {
      const bit = 1 << words.indexOf(word)
      const own = matchedFields(word.ranges, people)
      for (const [nth, { matched }] of hits.entries())
        if ((matched & bit) !== 0) masks[nth] = (masks[nth] ?? 0) | (own[nth] ?? 0)
    }
    return masks
  }
}

function isInitial(word: AskedWord): boolean {
  return word.isInitial
}

function rangesOf(words: readonly AskedWord[]) {
  return words.flatMap(({ ranges }) => ranges)
}

function guessesOfHits(words: readonly AskedWord[]): IndexResult['guessesOf'] {
  return ({ at, matched, certain }) =>
    words.flatMap((word, index) => {
      const isGuessed = !word.isOptional && (matched & ~certain & (1 << index)) !== 0
      return isGuessed ? word.guessFor(at) : []
    })
}

/** The result without anyone. */
export const NO_ONE: IndexResult = {
  hits: [],
  total: 0,
  complete: 0,
  unknown: 0,
  maxScore: 0,
  isNamed: false,
  isRanked: false,
  fieldsOf: (hits) => hits.map(() => 0),
  guessesOf: () => [],
}

/** Everyone who is admitted, in the order of their IDs; those who lead come first. */
export function selectAll(
  { segments }: Layout,
  { after, limit }: IndexQuery,
  { admitted, leading }: Readonly<Record<'admitted' | 'leading', PeopleSet | undefined>>,
): IndexResult {
  const best = new BestHits(limit, after ?? null)
  let total = 0
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
        total += 1
        const connectionId = ids[nth] ?? 0
        const at = offset + nth
        const score = leading && includes(leading, at) ? 1 : 0
        if (best.takes(score, connectionId)) best.add({ ...WITHOUT_WORDS, at, connectionId, score })
      }
    }
  }
  return { ...NO_ONE, hits: best.hits, total, complete: total }
}

const WITHOUT_WORDS = { matched: 0, having: 0, certain: 0, share: 0, isComplete: true }
