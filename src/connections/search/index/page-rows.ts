/**
 * Caches the rows of recent results with the index, at its version, including the summary.
 */

import { tagsOf, type Tag } from '../../model/tag-store.ts'
import { NEVER, summaryOf, type ConnectionSummary } from '../../person/connection-schemas.ts'
import {
  LISTED_COLUMNS,
  storedList,
  toListed,
  type ConnectionRow,
  type Listed,
  type ListedRow,
} from '../../model/connection.ts'
import { defineMemory, type MemberMemory, type MemberReader } from '../../../db/database.ts'
import { memberStatement } from '../../../db/statement.ts'
import { written } from '../../../tools/result-pages.ts'
import type { NetworkState } from '../../../tools/network-state.ts'
import type { ChangedRange } from '../../model/search-changes.ts'

export interface PageRow {
  readonly listed: Listed
  readonly tags: readonly Tag[]
  readonly summary: ConnectionSummary
  readonly phones: readonly string[]
  readonly birthday: string | null
  /** An estimate. */
  readonly bytes: number
}

/** The rows of some connections, in the same order; undefined for those that were deleted. */
interface RowsRead {
  readonly rows: readonly (PageRow | undefined)[]
  /** The version of these rows; undefined if all of them were cached. */
  readonly network: NetworkState | undefined
}

interface MemoryReader extends MemberReader {
  readonly memory: MemberMemory
}

/** Reads the rows that are not in memory together with the network's version, then their tags. */
export function readRows(
  reader: MemoryReader,
  ids: readonly number[],
  version: number,
): RowsRead | Promise<RowsRead> {
  const kept = reader.memory.read(KEPT)
  const rows = ids.map((id) => (kept?.version === version ? kept.rows.get(id) : undefined))
  return rows.includes(undefined)
    ? readMissing(reader, ids, { version, rows })
    : { rows, network: undefined }
}

async function readMissing(
  reader: MemoryReader,
  ids: readonly number[],
  { version, rows: known }: Pick<RowsRead, 'rows'> & { readonly version: number },
): Promise<RowsRead> {
  const missing = ids.filter((_, index) => !known[index])
  const read = await reader.all(LISTED, { ids: missing })
  // Not in parallel, because tags from before the version could be cached.
  const tags = await tagsOf(reader, missing)
  const network = read[0] ?? { search_version: 0, last_connection: 0 }
  const fresh = new Map<number, PageRow>()
  for (const row of read)
    if (row.connectionId !== null)
      fresh.set(row.connectionId, pageRowOf(row, tags.get(row.connectionId) ?? NO_TAGS))
  if (network.search_version === version) keep(reader.memory, version, fresh.values())
  return { rows: ids.map((id, index) => known[index] ?? fresh.get(id)), network }
}

const NO_TAGS: readonly Tag[] = []

function pageRowOf(
  { phones, birthday, lastContactOn, ...row }: FoundRow,
  tags: readonly Tag[],
): PageRow {
  const listed = toListed(row)
  const summary = { ...summaryOf(listed, tags), last_contact_on: lastContactOn ?? NEVER }
  const bytes = ROW_BYTES + 2 * (written(summary) + phones.length)
  return { listed, tags, summary, phones: storedList(phones), birthday, bytes }
}

type FoundRow = ListedRow &
  Pick<ConnectionRow, 'phones' | 'birthday'> & { readonly lastContactOn: string | null }

/** Keeps the rows that did not change, at the version of a refreshed index. */
export function advanceRows(
  memory: MemberMemory,
  { from, to, ranges }: { from: number; to: number; ranges: readonly ChangedRange[] },
): void {
  const kept = memory.read(KEPT)
  if (kept?.version !== from) return
  for (const range of ranges)
    for (const id of keptIn(kept.rows, range)) {
      const row = kept.rows.get(id)
      if (row) kept.bytes -= row.bytes
      kept.rows.delete(id)
    }
  kept.version = to
}

/** Looks up each ID of a range, or compares each row, whichever is less. */
function keptIn(rows: ReadonlyMap<number, PageRow>, { first, last }: ChangedRange): number[] {
  const length = last - first + 1
  if (length > rows.size) return [...rows.keys()].filter((id) => first <= id && id <= last)
  return Array.from({ length }, (_, at) => first + at)
}

interface KeptRows {
  /** `search_version` that the rows show. */
  version: number
  readonly rows: Map<number, PageRow>
  bytes: number
}

/** Rows are read again faster than an index, so they make room for indexes. */
const KEPT = defineMemory<KeptRows>('page-rows', { isSpare: true })

/** Budget of one network in bytes: about 12,000 rows. */
const MAX_BYTES = 16 * 1024 * 1024
/** Bytes of a row beside its values. A character of a value takes up to two bytes. */
const ROW_BYTES = 400

function keep(memory: MemberMemory, version: number, rows: Iterable<PageRow>): void {
  const before = memory.read(KEPT)
  // A refresh may have advanced the cache, or another read may not have seen it yet.
  if (before && before.version > version) return
  const isCurrent = before?.version === version && before.bytes < MAX_BYTES
  const kept = isCurrent ? before : { version, rows: new Map<number, PageRow>(), bytes: 0 }
  for (const row of rows) {
    const { connectionId } = row.listed
    if (!kept.rows.has(connectionId)) kept.bytes += row.bytes
    kept.rows.set(connectionId, row)
  }
  memory.keep(KEPT, kept, kept.bytes)
}

/** The network's version beside the rows, which are found by primary key. */
const LISTED = memberStatement<
  { ids: readonly number[] },
  FoundRow & NetworkState & { connectionId: number | null }
>()(`
  select n.search_version, n.last_connection, c.*
  from networks n
  left join (
    select ${LISTED_COLUMNS}, c.phones, c.birthday, t.last_contact_on as "lastContactOn" from connections c
    left join contact_times t on t.member_id = :member_id and t.connection_id = c.connection_id
    where c.member_id = :member_id and c.connection_id in (:ids...bigint) and c.deleted_at is null
  ) c on true
  where n.member_id = :member_id`)
