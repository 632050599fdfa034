/** Pairs of connections that an import or a device was unsure about, and the member's decisions. */

import { memberStatement, type SqlValue } from '../../db/statement.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MatchDecision } from '../../identity/decide-match.ts'
import type { MatchReason } from '../../identity/match-weights.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Maximum open pairs per member. `find_duplicates` still finds further ones, but lists them later. */
const MAX_OPEN_REVIEWS = 5000

export interface QueuedReview {
  readonly ids: readonly [number, number]
  readonly decision: Pick<MatchDecision, 'score' | 'reasons'>
  /** Null if no import queued it. */
  readonly jobId: number | null
  readonly now: number
}

/** Queues pairs for the member to decide. Earlier decisions are kept. */
export async function queueReviews(
  tx: MemberTransaction,
  reviews: readonly QueuedReview[],
): Promise<void> {
  if (reviews.length === 0) return
  const open = (await tx.get(COUNT_OPEN, {}))?.open ?? 0
  await tx.insertMany({
    table: 'match_reviews',
    columns: ['first_id', 'second_id', 'state', 'score', 'reasons', 'job_id', 'created_at'],
    rows: reviews
      .slice(0, Math.max(0, MAX_OPEN_REVIEWS - open))
      .map(({ ids, decision, jobId, now }) => [
        Math.min(...ids),
        Math.max(...ids),
        'open',
        Math.round(decision.score * 10),
        JSON.stringify(decision.reasons),
        jobId,
        now,
      ]),
    onConflict: 'ignore',
  })
}

interface OpenReview {
  readonly firstId: number
  readonly secondId: number
  readonly score: number
  readonly reasons: readonly MatchReason[]
}

/** The pairs that wait for a decision and whose connections still exist, most likely first. */
export async function openReviews(reader: MemberReader): Promise<OpenReview[]> {
  const rows = await reader.all(OPEN, { limit: MAX_OPEN_REVIEWS })
  return rows.map(({ first_id, second_id, score, reasons }) => ({
    firstId: first_id,
    secondId: second_id,
    score: score / 10,
    // Written by queueReviews.
    reasons: JSON.parse(reasons) as MatchReason[],
  }))
}

/** The pairs that the member decided are two people, the lower ID first. */
export async function differentPairs(reader: MemberReader): Promise<[number, number][]> {
  const rows = await reader.all(DIFFERENT, {})
  return rows.map(({ first_id, second_id }) => [first_id, second_id])
}

/** Returns the pairs of `differentPairs` that contain one of these connections. */
export async function differentPairsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<[number, number][]> {
  const wanted = new Set(ids)
  return (await differentPairs(reader)).filter((pair) => pair.some((id) => wanted.has(id)))
}

/** One key for a pair of connections, in either order. */
export function pairKeyOf(one: number, other: number): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`
}

/** Records that all these connections are different people. Returns the new pairs. */
export function recordDifferent(
  tx: MemberTransaction,
  ids: readonly number[],
  now: number,
): Promise<[number, number][]> {
  return recordDifferentPairs(tx, pairsOf(ids), now)
}

/**
 * Records that the connections of each pair, the lower ID first, are different people. Returns the new pairs. Keeps
 * what an import queued about them, for an undo. Counts as a change of the network, because its duplicates are cached until
 * the network changes.
 */
export async function recordDifferentPairs(
  tx: MemberTransaction,
  decided: readonly [number, number][],
  now: number,
): Promise<[number, number][]> {
  const known = new Set((await differentPairs(tx)).map((pair) => pairKeyOf(...pair)))
  const distinct = new Map(decided.map((pair) => [pairKeyOf(...pair), pair]))
  const pairs = [...distinct].flatMap(([key, pair]) => (known.has(key) ? [] : [pair]))
  if (pairs.length === 0) return []
  const key = ['first_id', 'second_id'] as const
  const rows = pairs.map(([first, second]): SqlValue[] => [first, second, 'different'])
  await tx.updateMany({ table: 'match_reviews', key, columns: ['state'], rows })
  await tx.insertMany({
    table: 'match_reviews',
    columns: ['first_id', 'second_id', 'state', 'score', 'reasons', 'created_at'],
    rows: rows.map((row) => row.concat(0, '[]', now)),
    onConflict: 'ignore',
  })
  await recordSearchChanges(tx, [...new Set(pairs.flat())])
  return pairs
}

/** Deletes the decisions about these pairs, which is also a change of the network. Queued pairs wait for a decision again. */
export async function deleteDecisions(
  tx: MemberTransaction,
  pairs: readonly (readonly [number, number])[],
): Promise<void> {
  for (const [first_id, second_id] of pairs) {
    await tx.run(FORGET, { first_id, second_id })
    await tx.run(REOPEN, { first_id, second_id })
  }
  await recordSearchChanges(tx, [...new Set(pairs.flat())])
}

/** Copies the decisions about merged connections, the keys of `kept`, to those into which they were merged. */
export async function copyDecisions(
  tx: MemberTransaction,
  kept: ReadonlyMap<number, number>,
): Promise<void> {
  const copies = new Map<string, SqlValue[]>()
  for (const { first_id, second_id, created_at } of await tx.all(DIFFERENT, {})) {
    const [one, other] = [kept.get(first_id) ?? first_id, kept.get(second_id) ?? second_id]
    const [first, second] = [Math.min(one, other), Math.max(one, other)]
    if (first === second || (one === first_id && other === second_id)) continue
    copies.set(pairKeyOf(first, second), [first, second, 'different', 0, '[]', created_at])
  }
  await tx.insertMany({
    table: 'match_reviews',
    columns: ['first_id', 'second_id', 'state', 'score', 'reasons', 'created_at'],
    rows: [...copies.values()],
    onConflict: 'replace',
  })
}

/** All pairs of these IDs, the lower one first. */
function pairsOf(ids: readonly number[]): [number, number][] {
  const sorted = [...new Set(ids)].sort((one, other) => one - other)
  return sorted.flatMap((first, index) =>
    sorted.slice(index + 1).map((second): [number, number] => [first, second]),
  )
}

/** By match_reviews_by_state, like `OPEN` and `DIFFERENT`. */
const COUNT_OPEN = memberStatement<object, { open: number }>()(
  "select count(*) as open from match_reviews where member_id = :member_id and state = 'open'",
)

const OPEN = memberStatement<
  { limit: number },
  { first_id: number; second_id: number; score: number; reasons: string }
>()(`
  select r.first_id, r.second_id, r.score, r.reasons from match_reviews r
  join connections one on one.member_id = :member_id and one.connection_id = r.first_id
  join connections other on other.member_id = :member_id and other.connection_id = r.second_id
  where r.member_id = :member_id and r.state = 'open' and one.deleted_at is null and other.deleted_at is null
  order by r.score desc, r.first_id, r.second_id limit :limit`)

const DIFFERENT = memberStatement<
  object,
  { first_id: number; second_id: number; created_at: number }
>()(`
  select first_id, second_id, created_at from match_reviews
  where member_id = :member_id and state = 'different' order by first_id, second_id`)

interface Pair {
  readonly first_id: number
  readonly second_id: number
}

/** Pairs that no import queued; by primary key. */
const FORGET = memberStatement<Pair>()(`
  delete from match_reviews
  where member_id = :member_id and first_id = :first_id and second_id = :second_id
    and state = 'different' and job_id is null`)

/** By primary key. */
const REOPEN = memberStatement<Pair>()(`
  update match_reviews set state = 'open'
  where member_id = :member_id and first_id = :first_id and second_id = :second_id`)
