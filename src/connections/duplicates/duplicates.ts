/**
 * Finds connections that may be the same person, with evidence. Pairs that share a value are compared in two steps:
 * first by a few columns that are read for all connections, then, if the pair is likely, by the names and dates of both.
 */

import { areTwoPeople } from '../matching/decide-match.ts'
import type { MatchReason } from '../matching/match-weights.ts'
import { differentPairs, openReviews, pairKeyOf } from '../matching/match-reviews.ts'
import { findPresent } from '../model/connection-store.ts'
import { MAX_BUCKET_SIZE, type Bucket } from './buckets.ts'
import { findBuckets } from './candidate-buckets.ts'
import { groupsOf, type Group, type Pair } from './groups.ts'
import { peopleOf, readWholePeople, type People, type WholePerson } from './people.ts'
import {
  matchReasons,
  scoreOf,
  type IsCommonName,
  type Person,
  type Reason,
} from './same-person.ts'
import { NO_POSITION, positionOf, type PeopleTable } from './people-table.ts'
import type { ReportProgress } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'

/** All groups with at least `minScore`, highest first. Runs in a thread and reports progress. */
export async function findDuplicates(
  reader: MemberReader,
  table: PeopleTable,
  minScore: number,
  progress: ReportProgress = () => {},
): Promise<Group[]> {
  const everyone = peopleOf(table)
  progress(1, STAGES, `${table.ids.length} connections read`)
  const { buckets, common } = await findBuckets(reader, table)
  progress(2, STAGES, 'names, emails and phone numbers compared')
  const reviews = await openReviews(reader)
  const comparison: Comparison = {
    isCommon: (nameNumber) => common.has(nameNumber),
    queued: new Map(
      reviews.map(({ firstId, secondId, reasons }) => [pairKeyOf(firstId, secondId), reasons]),
    ),
    decided: await decidedPairs(reader, table),
  }
  const queued = reviews.map(({ firstId, secondId }) =>
    [firstId, secondId].map((id) => positionOf(table, id)).filter((at) => at !== NO_POSITION),
  )
  const minCompared = Math.min(minScore, MIN_SAME_PERSON_SCORE)
  const likely = likelyPairs(everyone, [...queued, ...buckets], { ...comparison, minCompared })
  const people = await readWholePeople(reader, everyone, likely.flat())
  progress(3, STAGES, `${likely.length} pairs found`)
  const { pairs, different } = compareAll(likely, people, comparison)
  progress(4, STAGES, `${pairs.size} pairs scored`)
  dropAmbiguous(pairs)
  return groupsOf(pairs.values(), { minScore, different })
}

/** As for `Comparison`. A decision also applies to the connection into which one of the two was merged since. */
async function decidedPairs(reader: MemberReader, table: PeopleTable): Promise<Set<string>> {
  const pairs = await differentPairs(reader)
  const missing = pairs.flat().filter((id) => positionOf(table, id) === NO_POSITION)
  const present = await findPresent(reader, missing)
  const currentOf = (id: number) => present.get(id)?.connectionId ?? id
  return new Set(pairs.map(([one, other]) => pairKeyOf(currentOf(one), currentOf(other))))
}

/** Progress steps. */
const STAGES = 4

interface Comparison {
  readonly isCommon: IsCommonName
  /** Pairs that an import queued, with the reasons. */
  readonly queued: ReadonlyMap<string, readonly MatchReason[]>
  /** Pairs that the member marked as two people, as `pairKeyOf` writes them. */
  readonly decided: ReadonlySet<string>
}

/**
 * The pairs of all buckets that are likely enough by the columns read for everyone, each once. In a large bucket, which
 * can only come from a shared key, only neighbors are compared.
 */
function likelyPairs(
  everyone: People,
  buckets: readonly Bucket[],
  { isCommon, queued, decided, minCompared }: Comparison & { readonly minCompared: number },
): PairIds[] {
  const pairs = new Map<string, PairIds>()
  for (const bucket of buckets) {
    const reach = bucket.length > MAX_BUCKET_SIZE ? 1 : bucket.length
    for (let first = 0; first < bucket.length; first += 1)
      for (let second = first + 1; second <= first + reach && second < bucket.length; second += 1) {
        const [position, otherPosition] = [bucket[first] ?? 0, bucket[second] ?? 0]
        if (queued.size === 0 && everyone.areUnlike(position, otherPosition)) continue
        const [one, other] = [everyone.at(position), everyone.at(otherPosition)]
        const score = scoreOf(matchReasons(one, other, isCommon))
        const isLikely = score > 0 && score >= minCompared
        if (!isLikely && queued.size === 0) continue
        const key = pairKey(one, other)
        if (pairs.has(key) || decided.has(key)) continue
        if (isLikely || queued.has(key)) pairs.set(key, [one.connectionId, other.connectionId])
      }
  }
  return [...pairs.values()]
}

type PairIds = readonly [number, number]

interface Compared {
  readonly pairs: Map<string, Pair>
  /** Pairs of two people: those that the member decided, and those whose names or birthdays contradict each other. */
  readonly different: ReadonlySet<string>
}

function compareAll(
  likely: readonly PairIds[],
  people: ReadonlyMap<number, WholePerson>,
  { isCommon, queued, decided }: Comparison,
): Compared {
  const pairs = new Map<string, Pair>()
  const different = new Set(decided)
  for (const [id, otherId] of likely) {
    const [one, other] = [people.get(id), people.get(otherId)]
    if (!one || !other) continue
    const key = pairKeyOf(id, otherId)
    if (!queued.has(key) && areDifferent(one, other)) different.add(key)
    else {
      const reasons = matchReasons(one, other, isCommon)
      pairs.set(key, { people: [one, other], reasons, queued: queued.get(key) })
    }
  }
  return { pairs, different }
}

/** Spouses, twins, father and son: shared values are not evidence. */
function areDifferent({ fields: one }: WholePerson, { fields: other }: WholePerson): boolean {
  if (one.profileUrl !== null && one.profileUrl === other.profileUrl) return false
  return areTwoPeople(one, other)
}

function pairKey(one: Person, other: Person): string {
  return pairKeyOf(one.connectionId, other.connectionId)
}

/** Evidence that can match several different people. */
const AMBIGUOUS_REASONS: ReadonlySet<Reason> = new Set([
  'initials_and_company',
  'same_name_company_unknown',
])
/** Pairs with a lower score may be different people. */
const MIN_SAME_PERSON_SCORE = 0.6

/** If A. Lee may be either Ann or Amy, who are different people, the initial is evidence for neither. */
function dropAmbiguous(pairs: ReadonlyMap<string, Pair>): void {
  const vague = [...pairs.values()].filter(({ reasons }) => reasons.some(isAmbiguousReason))
  const candidates = new Map<Person, Person[]>()
  for (const { people } of vague)
    for (const [one, other] of [people, people.toReversed()]) {
      if (!one || !other) continue
      const matches = candidates.get(one)
      if (matches) matches.push(other)
      else candidates.set(one, [other])
    }
  const isAmbiguous = (one: Person) => {
    const others = candidates.get(one) ?? []
    return others.some((other, index) =>
      others.slice(index + 1).some((third) => {
        const pair = pairs.get(pairKey(other, third))
        return !pair || scoreOf(pair.reasons) < MIN_SAME_PERSON_SCORE
      }),
    )
  }
  const ambiguous = new Set([...candidates.keys()].filter(isAmbiguous))
  for (const pair of vague)
    if (pair.people.some((one) => ambiguous.has(one)))
      pair.reasons = pair.reasons.filter((reason) => !isAmbiguousReason(reason))
}

function isAmbiguousReason(reason: Reason): boolean {
  return AMBIGUOUS_REASONS.has(reason)
}
