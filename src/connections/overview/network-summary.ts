/** Counts over a whole network: totals and the most frequent values, counted in the search index. */

import { defineMemory, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import { readSearchChanges } from '../model/search-changes.ts'
import { countHaving, topValues, type ValueCount } from '../search/index/count-values.ts'
import { indexAt, type IndexReader } from '../search/network-index.ts'
import { countTags } from '../tags/tags.ts'
import type { NetworkState } from '../../tools/call-state.ts'

interface NetworkSummary {
  readonly live: number
  readonly withEmail: number
  readonly withNotes: number
  /** Deleted, and can still be restored. */
  readonly deleted: number
  /** In milliseconds; null for an empty network. */
  readonly changedAt: number | null
  readonly companies: readonly ValueCount[]
  readonly titles: readonly ValueCount[]
  readonly locations: readonly ValueCount[]
  readonly tags: readonly ValueCount[]
}

const MOST = 10

export async function summarizeNetwork(
  db: IndexReader & HistoryReader,
  network: NetworkState,
): Promise<NetworkSummary> {
  const index = await indexAt(db, network)
  const { deleted, changedAt } = await currentHistory(db, index.version)
  const tags = countTags(index).slice(0, MOST)
  return {
    live: index.people,
    withEmail: countHaving(index, 'email'),
    withNotes: countHaving(index, 'note'),
    deleted: deleted.size,
    changedAt,
    companies: topValues(index, 'company', MOST),
    titles: topValues(index, 'title', MOST),
    locations: topValues(index, 'location', MOST),
    tags: tags.map(({ tag, count }) => ({ value: tag, count })),
  }
}

/** Data that the index lacks about a network at a version. */
interface History {
  readonly version: number
  readonly deleted: ReadonlySet<number>
  readonly changedAt: number | null
}

const HISTORY = defineMemory<History>('network-history', { isSpare: true })

/** Bytes per connection in the set of an entry. */
const DELETED_BYTES = 40

type HistoryReader = MemberReader & Pick<MemberDatabase, 'heavy' | 'memory'>

async function currentHistory(db: HistoryReader, version: number): Promise<History> {
  const kept = db.memory.read(HISTORY)
  if (kept && kept.version >= version) return kept
  const current =
    (kept && (await withChanges(db, kept, version))) ?? (await readHistory(db.heavy, version))
  db.memory.keep(HISTORY, current, DELETED_BYTES * (1 + current.deleted.size))
  return current
}

/** Undefined if the changes are no longer known. */
async function withChanges(
  db: MemberReader,
  { version: from, deleted: before, changedAt: earlier }: History,
  version: number,
): Promise<History | undefined> {
  const ranges = await readSearchChanges(db, from, version)
  if (!ranges) return undefined
  const deleted = new Set(before)
  let changedAt = earlier
  for (const range of ranges) {
    for (const id of before) if (range.first <= id && id <= range.last) deleted.delete(id)
    for (const { connection_id: id } of await db.all(DELETED, { ...range })) deleted.add(id)
    const latest = (await db.get(LATEST, { ...range }))?.changed_at ?? 0
    changedAt = Math.max(changedAt ?? 0, latest) || null
  }
  return { version, deleted, changedAt }
}

/** Reads all rows. They may include later changes, which are applied again. */
async function readHistory(heavy: MemberReader, version: number): Promise<History> {
  const everyone = { first: 0, last: 2 ** 31 - 1 }
  // One after the other: a second thread would take longer to start than the scan.
  const rows = await heavy.all(DELETED, everyone)
  const latest = await heavy.get(LATEST, everyone)
  return {
    version,
    deleted: new Set(rows.map(({ connection_id }) => connection_id)),
    changedAt: latest?.changed_at ?? null,
  }
}

interface IdRange {
  readonly first: number
  readonly last: number
}

/** Both read the rows of the range, by primary key; this one only in networks with deleted data. */
const DELETED = memberStatement<IdRange, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id >= :first and connection_id <= :last
    and deleted_at is not null and merged_into is null
    and exists (select 1 from networks where member_id = :member_id and oldest_deletion is not null)`)

const LATEST = memberStatement<IdRange, { changed_at: number | null }>()(`
  select max(updated_at) as changed_at from connections
  where member_id = :member_id and connection_id >= :first and connection_id <= :last`)
