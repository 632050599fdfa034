/**
 * Finds connections that may be the same person, with evidence. Imports and this share one decision (`decideMatch`), so
 * that both suggest the same pairs for the same reasons.
 */

import { listsBy } from '../../base/lists-by.ts'
import { areTwoPeople } from '../../identity/decide-match.ts'
import { differentPairs, openReviews, pairKeyOf } from '../matching/match-reviews.ts'
import { findPresent } from '../model/connection-store.ts'
import { findBuckets, pairsIn, type Bucket } from './candidate-buckets.ts'
import { decide, groupsOf, MAX_CHECKED, type Group, type Pair } from './duplicate-groups.ts'
import { readPeople, type ComparedPerson } from './compared-people.ts'
import type { ReportProgress } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'

/** All groups with at least `minScore`, highest first. Runs in a thread and reports progress. */
export async function findDuplicates(
  reader: MemberReader,
  minScore: number,
  progress: ReportProgress = () => {},
): Promise<Group[]> {
  const [buckets, reviews] = await Promise.all([findBuckets(reader), openReviews(reader)])
  progress(1, STAGES, 'shared names, emails and phone numbers found')
  const ids = new Set(reviews.flatMap(({ firstId, secondId }) => [firstId, secondId]))
  for (const { ids: some, others } of buckets) for (const id of [...some, ...others]) ids.add(id)
  const people = await readPeople(reader, ids)
  progress(2, STAGES, `${people.size} connections read`)
  const decided = await decidedPairs(reader, people)
  const queued = reviews.flatMap(({ firstId, secondId, score, reasons }): Pair[] => {
    const [one, other] = [people.get(firstId), people.get(secondId)]
    if (!one || !other || decided.has(pairKeyOf(firstId, secondId))) return []
    return [
      { people: [one, other], decision: { outcome: 'unsure', score, reasons }, isQueued: true },
    ]
  })
  const pairs = compareAll(buckets, people, { decided, queued })
  progress(3, STAGES, `${pairs.length} pairs found`)
  return groupsOf(withoutAmbiguous(pairs), { minScore, different: decided })
}

/** Progress steps. */
const STAGES = 3

/**
 * Pairs that the member marked as two people, as `pairKeyOf` writes them. A decision also applies to the connection into
 * which one of the two was merged since.
 */
async function decidedPairs(
  reader: MemberReader,
  people: ReadonlyMap<number, ComparedPerson>,
): Promise<Set<string>> {
  const pairs = await differentPairs(reader)
  const missing = pairs.flat().filter((id) => !people.has(id))
  const present = await findPresent(reader, missing)
  const currentOf = (id: number) => present.get(id)?.connectionId ?? id
  return new Set(pairs.map(([one, other]) => pairKeyOf(currentOf(one), currentOf(other))))
}

interface KnownPairs {
  /** See `decidedPairs`. */
  readonly decided: ReadonlySet<string>
  /** Pairs that an import queued; its decision stands. */
  readonly queued: readonly Pair[]
}

/** Decides about each pair of the buckets once. */
function compareAll(
  buckets: readonly Bucket[],
  people: ReadonlyMap<number, ComparedPerson>,
  { decided, queued }: KnownPairs,
): Pair[] {
  const pairs = [...queued]
  const compared = new Set(decided)
  for (const { people: two } of queued) compared.add(pairOf(two))
  for (const bucket of buckets)
    for (const two of pairsIn(bucket, people)) {
      const key = pairOf(two)
      if (compared.has(key)) continue
      compared.add(key)
      const decision = decide(...two)
      if (decision) pairs.push({ people: two, decision, isQueued: false })
    }
  return pairs
}

function pairOf([one, other]: Pair['people']): string {
  return pairKeyOf(one.connectionId, other.connectionId)
}

/** If A. Lee matches both Ann Lee and Amy Lee, who are different people, it is uncertain who A. Lee is. */
function withoutAmbiguous(pairs: readonly Pair[]): readonly Pair[] {
  const same = pairs.filter(({ decision }) => decision.outcome === 'same')
  const matches = listsBy(
    same.flatMap(({ people: [one, other] }) => [
      [one, other],
      [other, one],
    ]),
  )
  const ambiguous = new Set<ComparedPerson>()
  for (const [one, others] of matches) if (haveTwoPeople(others)) ambiguous.add(one)
  return pairs.map((pair) => (pair.people.some((one) => ambiguous.has(one)) ? unsure(pair) : pair))
}

function unsure({ people, decision: { score, reasons }, isQueued }: Pair): Pair {
  return { people, decision: { outcome: 'unsure', score, reasons }, isQueued }
}

function haveTwoPeople(others: readonly ComparedPerson[]): boolean {
  const some = others.slice(0, MAX_CHECKED)
  return some.some((one, index) => some.slice(index + 1).some((other) => areTwoPeople(one, other)))
}
