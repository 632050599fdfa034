/**
 * Finds connections that may be the same person, with evidence. Pairs that share a value are compared in two steps:
 * first by a few columns that are read for all connections, then, if the pair is likely, by the names and dates of both.
 */

import { areTwoPeople } from '../matching/decide-match.ts'
import type { MatchReason } from '../matching/match-weights.ts'
import { differentPairs, openReviews, pairKeyOf } from '../matching/match-reviews.ts'
import { findPresent } from '../model/connection-store.ts'
import type { KeyRun } from '../model/key-run.ts'
import { MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'
import { findBuckets } from './candidate-buckets.ts'
import { confirmed } from './evidence.ts'
import { groupsOf, type Group, type Pair } from './groups.ts'
import { NumberTable } from './number-table.ts'
import { readWholePeople, tableOfTwo, type WholePerson } from './people.ts'
import { ADDRESSES, bitOf, matchReasons, scoreOf, type IsCommonName } from './same-person.ts'
import { NO_POSITION, positionOf, type PeopleTable } from './people-table.ts'
import type { ReportProgress } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'

/** What is known about everyone in a network. */
interface Everyone {
  readonly table: PeopleTable
  /** Those that several connections have. */
  readonly keys: KeyRun
}

/** All groups with at least `minScore`, highest first. Runs in a thread and reports progress. */
export async function findDuplicates(
  reader: MemberReader,
  { table, keys }: Everyone,
  minScore: number,
  progress: ReportProgress = () => {},
): Promise<Group[]> {
  progress(1, STAGES, `${table.ids.length} connections read`)
  const { buckets, common } = findBuckets(table, keys)
  progress(2, STAGES, 'names, emails and phone numbers compared')
  const reviews = await reviewsOf(reader, table)
  const comparison: Comparison = {
    table,
    isCommon: (nameNumber) => common.has(nameNumber),
    queued: new Map(reviews.map(({ pair, reasons }) => [numberOf(...pair), reasons])),
    decided: await decidedPairs(reader, table),
  }
  const minCompared = Math.min(minScore, MIN_SAME_PERSON_SCORE)
  const all = [...reviews.map(({ pair }) => pair), ...buckets]
  const likely = likelyPairs(all, { ...comparison, minCompared })
  const people = await readWholePeople(reader, table, positionsIn(likely))
  progress(3, STAGES, `${likely.length} pairs found`)
  const { pairs, different } = compareAll(likely, people, comparison)
  progress(4, STAGES, `${pairs.length} pairs scored`)
  dropAmbiguous(pairs)
  return groupsOf(pairs, { minScore, different })
}

/** Progress steps. */
const STAGES = 4

interface QueuedPair {
  readonly pair: PairPositions
  readonly reasons: readonly MatchReason[]
}

type PairPositions = readonly [one: number, other: number]

/** Pairs that an import queued, of people who are in the table. */
async function reviewsOf(reader: MemberReader, table: PeopleTable): Promise<QueuedPair[]> {
  const reviews = await openReviews(reader)
  return reviews
    .map(({ firstId, secondId, reasons }): QueuedPair => ({
      pair: [positionOf(table, firstId), positionOf(table, secondId)],
      reasons,
    }))
    .filter(({ pair }) => !pair.includes(NO_POSITION))
}

/**
 * Pairs that the member marked as two people, as `pairKeyOf` writes them. A decision also applies to the connection into
 * which one of the two was merged since.
 */
async function decidedPairs(reader: MemberReader, table: PeopleTable): Promise<Set<string>> {
  const pairs = await differentPairs(reader)
  const missing = pairs.flat().filter((id) => positionOf(table, id) === NO_POSITION)
  const present = await findPresent(reader, missing)
  const currentOf = (id: number) => present.get(id)?.connectionId ?? id
  return new Set(pairs.map(([one, other]) => pairKeyOf(currentOf(one), currentOf(other))))
}

interface Comparison {
  readonly table: PeopleTable
  readonly isCommon: IsCommonName
  /** The reasons of pairs that an import queued, by `numberOf`. */
  readonly queued: ReadonlyMap<number, readonly MatchReason[]>
  /** See `decidedPairs`. */
  readonly decided: ReadonlySet<string>
}

/** The number of a pair of positions in either order; positions have 26 bits, and 0 is none. */
function numberOf(one: number, other: number): number {
  return Math.min(one, other) * 2 ** 26 + Math.max(one, other)
}

interface LikelyPair {
  readonly one: number
  readonly other: number
  /** As a set. */
  readonly reasons: number
}

/**
 * The pairs of all buckets that are likely enough by the columns read for everyone, each once. In a large bucket, which
 * can only come from a shared key, only neighbors are compared.
 */
function likelyPairs(
  buckets: readonly Bucket[],
  comparison: Comparison & { readonly minCompared: number },
): LikelyPair[] {
  const { table, isCommon, queued, minCompared } = comparison
  const pairs: LikelyPair[] = []
  const found = new NumberTable()
  for (const bucket of buckets) {
    const reach = bucket.length > MAX_BUCKET_SIZE ? 1 : bucket.length
    for (let first = 0; first < bucket.length; first += 1)
      for (let second = first + 1; second <= first + reach && second < bucket.length; second += 1) {
        const one = bucket[first] ?? 0
        const other = bucket[second] ?? 0
        const number = numberOf(one, other)
        if (found.has(number)) continue
        const reasons = matchReasons(table, one, other, isCommon)
        const score = scoreOf(reasons)
        const isLikely = score > 0 && score >= minCompared
        if (!isLikely && !queued.has(number)) continue
        found.set(number, 1)
        if (!isDecided(comparison, one, other)) pairs.push({ one, other, reasons })
      }
  }
  return pairs
}

function isDecided({ decided, table: { ids } }: Comparison, one: number, other: number): boolean {
  return decided.size > 0 && decided.has(pairKeyOf(ids[one] ?? 0, ids[other] ?? 0))
}

function* positionsIn(pairs: readonly LikelyPair[]): Generator<number, void> {
  for (const { one, other } of pairs) {
    yield one
    yield other
  }
}

interface Compared {
  readonly pairs: readonly Pair[]
  /** Pairs of two people: those that the member decided, and those whose names or birthdays contradict each other. */
  readonly different: ReadonlySet<string>
}

function compareAll(
  likely: readonly LikelyPair[],
  people: ReadonlyMap<number, WholePerson>,
  comparison: Comparison,
): Compared {
  const pairs: Pair[] = []
  const different = new Set(comparison.decided)
  for (const pair of likely) {
    const [one, other] = [people.get(pair.one), people.get(pair.other)]
    if (!one || !other) continue
    const queued = comparison.queued.get(numberOf(pair.one, pair.other))
    if (queued === undefined && areDifferent(one, other))
      different.add(pairKeyOf(one.connectionId, other.connectionId))
    else {
      const reasons = wholeReasons(pair, one, other, comparison)
      pairs.push({ people: [one, other], reasons, queued })
    }
  }
  return { pairs, different }
}

/** The reasons by the whole names, and by addresses as they are written. */
function wholeReasons(
  pair: LikelyPair,
  one: WholePerson,
  other: WholePerson,
  { table: { truncated }, isCommon }: Comparison,
): number {
  const isTruncated = truncated[pair.one] === 1 || truncated[pair.other] === 1
  const reasons = isTruncated ? matchReasons(tableOfTwo(one, other), 0, 1, isCommon) : pair.reasons
  return (reasons & ADDRESSES) === 0 ? reasons : confirmed(reasons, one, other)
}

/** Spouses, twins, father and son: shared values are not evidence. */
function areDifferent({ fields: one }: WholePerson, { fields: other }: WholePerson): boolean {
  if (one.profileUrl !== null && one.profileUrl === other.profileUrl) return false
  return areTwoPeople(one, other)
}

/** Evidence that can match several different people. */
const AMBIGUOUS_REASONS = bitOf('initials_and_company') | bitOf('same_name_company_unknown')
/** Pairs with a lower score may be different people. */
const MIN_SAME_PERSON_SCORE = 0.6

/** If A. Lee may be either Ann or Amy, who are different people, the initial is evidence for neither. */
function dropAmbiguous(pairs: readonly Pair[]): void {
  const vague = pairs.filter(({ reasons }) => (reasons & AMBIGUOUS_REASONS) !== 0)
  const candidates = new Map<WholePerson, WholePerson[]>()
  for (const { people } of vague)
    for (const [one, other] of [people, people.toReversed()]) {
      if (!one || !other) continue
      const matches = candidates.get(one)
      if (matches) matches.push(other)
      else candidates.set(one, [other])
    }
  const scores = new NumberTable()
  for (const { people, reasons } of pairs)
    scores.set(numberOf(people[0].position, people[1].position), scoreOf(reasons))
  const areSame = (one: WholePerson, other: WholePerson) =>
    (scores.get(numberOf(one.position, other.position)) ?? 0) >= MIN_SAME_PERSON_SCORE
  const isAmbiguous = (others: readonly WholePerson[]) =>
    others.some((other, index) => others.slice(index + 1).some((third) => !areSame(other, third)))
  const ambiguous = new Set<WholePerson>()
  for (const [one, others] of candidates) if (isAmbiguous(others)) ambiguous.add(one)
  for (const pair of vague)
    if (pair.people.some((one) => ambiguous.has(one))) pair.reasons &= ~AMBIGUOUS_REASONS
}
