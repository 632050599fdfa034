/** Counts over a whole network: totals and the most frequent values, counted in the search index. */

import {
  defineComputation,
  defineMemory,
  type MemberDatabase,
  type MemberReader,
} from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import { readSearchChanges } from '../model/search-changes.ts'
import { countHaving, topValues, type ValueCount } from '../search/index/count-values.ts'
import { indexAt, type IndexReader } from '../search/network-index.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'
import { countTags } from '../tags/tags.ts'

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

/** @throws {RequestError} `rate_limited` when too many computations of this member are queued. */
export async function summarizeNetwork(
  db: IndexReader,
  network: NetworkState,
  signal: AbortSignal,
): Promise<NetworkSummary> {
  const index = await indexAt(db, network)
  const { deleted, changedAt } = await currentHistory(db, index.version, signal)
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

type HistoryReader = MemberReader & Pick<MemberDatabase, 'compute' | 'memory'>

async function currentHistory(
  db: HistoryReader,
  version: number,
  signal: AbortSignal,
): Promise<History> {
  const kept = db.memory.read(HISTORY)
  if (kept && kept.version >= version) return kept
  const current =
    (kept && (await withChanges(db, kept, version))) ?? (await db.compute(READ, {}, { signal }))
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

/** Runs in a thread, because it reads the whole network. The version is first: later changes are applied again. */
export async function readDeletedAndLatest(reader: MemberReader): Promise<History> {
  const { search_version: version } = await readNetworkState(reader)
  const everyone = { first: 0, last: 2 ** 31 - 1 }
  const rows = await reader.all(DELETED, everyone)
  const latest = await reader.get(LATEST, everyone)
  return {
    version,
    deleted: new Set(rows.map(({ connection_id }) => connection_id)),
    changedAt: latest?.changed_at ?? null,
  }
}

const READ = defineComputation(import.meta.url, { readDeletedAndLatest })

interface IdRange {
  readonly first: number
  readonly last: number
}

/** Both read the rows of the range, by primary key. */
const DELETED = memberStatement<IdRange, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id >= :first and connection_id <= :last
    and deleted_at is not null and merged_into is null`)

const LATEST = memberStatement<IdRange, { changed_at: number | null }>()(`
  select max(updated_at) as changed_at from connections
  where member_id = :member_id and connection_id >= :first and connection_id <= :last`)
