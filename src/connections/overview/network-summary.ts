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

interface HeldHistory {
  readonly history: History | undefined
  /** Settles when a newer history is in memory. Concurrent calls share it, so a member has one scan at a time. */
  readonly refresh: Promise<History> | undefined
}

const HISTORY = defineMemory<HeldHistory>('network-history', { isSpare: true })

/** Bytes per connection in the set of an entry. */
const DELETED_BYTES = 40

type HistoryReader = MemberReader & Pick<MemberDatabase, 'heavy' | 'memory'>

async function currentHistory(db: HistoryReader, version: number): Promise<History> {
  for (;;) {
    const held = db.memory.read(HISTORY)
    if (held?.history && held.history.version >= version) return held.history
    if (held?.refresh) await held.refresh.catch(() => {})
    else return refreshed(db, held?.history, version)
  }
}

async function refreshed(
  db: HistoryReader,
  history: History | undefined,
  version: number,
): Promise<History> {
  const keep = (held: HeldHistory) =>
    db.memory.keep(HISTORY, held, DELETED_BYTES * (1 + (held.history?.deleted.size ?? 0)))
  const refresh = bringUpToDate(db, history, version)
  keep({ history, refresh })
  try {
    const current = await refresh
    keep({ history: current, refresh: undefined })
    return current
  } catch (error) {
    keep({ history, refresh: undefined })
    throw error
  }
}

async function bringUpToDate(
  db: HistoryReader,
  history: History | undefined,
  version: number,
): Promise<History> {
  const changed = history && (await withChanges(db, history, version))
  return changed ?? readHistory(db.heavy, version)
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
