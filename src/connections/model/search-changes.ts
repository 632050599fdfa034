/**
 * Which connections changed since a search index was built. Every write of searchable data (connections, tags, notes,
 * follow-ups) records it in its transaction; every search compares versions first, so a search on any node sees what was committed
 * before it.
 */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Connections with these numbers, both ends included. */
export interface ChangedRange {
  readonly first: number
  readonly last: number
}

/** Number of versions in the table. Older indexes are rebuilt. */
export const REMEMBERED_CHANGES = 1024

/** Maximum ranges that one write records. More are joined, which only causes more connections to be re-read. */
const MAX_RANGES = 64

/**
 * Call it in the transaction that adds, changes, deletes or restores these connections, their tags, notes or follow-ups. Returns
 * the new version of the network; undefined without connections.
 */
export async function recordSearchChanges(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<number | undefined> {
  const ranges = rangesOf(ids)
  const count = ranges.length
  if (count === 0) return undefined
  const version = await countChanges(tx, count)
  const before = version - count
  await tx.insertMany({
    table: 'search_changes',
    columns: ['slot', 'version', 'first_connection', 'last_connection'],
    rows: ranges.map(({ first, last }, index) => {
      const changed = before + index + 1
      return [changed % REMEMBERED_CHANGES, changed, first, last]
    }),
    onConflict: 'replace',
  })
  return version
}

async function countChanges(tx: MemberTransaction, count: number): Promise<number> {
  const row = await tx.get(COUNT_CHANGES, { count })
  if (!row) throw new Error(`member ${tx.memberId} has no network`)
  return row.search_version
}

/**
 * Call it in the transaction that adds or removes only matching keys of these connections. Plans of imports and cached
 * duplicates depend on them, so the version changes. Search indexes do not, so only one connection is read again.
 */
export async function recordKeyChanges(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<number | undefined> {
  return recordSearchChanges(tx, ids.slice(0, 1))
}

/**
 * Removes what stored indexes still know about purged connections. Call it after `recordSearchChanges`, in the same
 * transaction.
 */
export async function dropSearchSnapshots(tx: MemberTransaction): Promise<void> {
  await tx.run(RAISE_FLOOR, {})
  await tx.run(DROP_SNAPSHOTS, {})
}

/**
 * The connections changed after version `from` up to `to`, in ascending ranges. Undefined if the table no longer has
 * all of them.
 */
export async function readSearchChanges(
  reader: MemberReader,
  from: number,
  to: number,
): Promise<ChangedRange[] | undefined> {
  if (to - from > REMEMBERED_CHANGES) return undefined
  const rows: ChangedRange[] = []
  for (const slots of slotsOf(from, to))
    rows.push(...(await reader.all(CHANGES, { from, to, ...slots })))
  return rows.length === to - from ? joinRanges(rows) : undefined
}

/** The slots of the versions after `from` up to `to`, in one range or, around the end of the ring, two. */
function slotsOf(from: number, to: number): { first: number; last: number }[] {
  if (to <= from) return []
  const [first, last] = [(from + 1) % REMEMBERED_CHANGES, to % REMEMBERED_CHANGES]
  if (first <= last) return [{ first, last }]
  return [
    { first, last: REMEMBERED_CHANGES - 1 },
    { first: 0, last },
  ]
}

/** Ascending, without gaps between neighbors; at most `MAX_RANGES`. */
export function rangesOf(ids: readonly number[]): ChangedRange[] {
  const ranges = joinRanges(ids.map((id) => ({ first: id, last: id })))
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (ranges.length <= MAX_RANGES || !first || !last) return ranges
  return [{ first: first.first, last: last.last }]
}

function joinRanges(ranges: readonly ChangedRange[]): ChangedRange[] {
  const joined: ChangedRange[] = []
  for (const range of ranges.toSorted((one, other) => one.first - other.first)) {
    const before = joined.at(-1)
    if (!before || before.last + 1 < range.first)
      joined.push({ first: range.first, last: range.last })
    else joined[joined.length - 1] = { ...before, last: Math.max(before.last, range.last) }
  }
  return joined
}

const COUNT_CHANGES = memberStatement<{ count: number }, { search_version: number }>()(`
  update networks
  set search_version = search_version + :count, prepare_search_at = coalesce(prepare_search_at, 0)
  where member_id = :member_id returning search_version`)

/** By primary key. */
const CHANGES = memberStatement<{ from: number; to: number } & ChangedRange, ChangedRange>()(`
  select first_connection as first, last_connection as last from search_changes
  where member_id = :member_id and slot >= :first and slot <= :last
    and version > :from and version <= :to`)

const RAISE_FLOOR = memberStatement()(
  'update networks set search_floor = search_version where member_id = :member_id',
)

const DROP_SNAPSHOTS = memberStatement()(
  'delete from search_snapshots where member_id = :member_id',
)
