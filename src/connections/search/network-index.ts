/**
 * The search index of one network, current as of the latest committed write of any node. It is kept in memory, brought up
 * to date from the recorded changes, and loaded from a snapshot or built from the rows where it is not in memory. Large
 * networks are indexed in a thread.
 */

import { defineMemory, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'
import { readSearchChanges, type ChangedRange } from '../model/search-changes.ts'
import { mergeSegments } from './index/merge-segments.ts'
import { firstPerson, type RowHistory, type Segment } from './index/segment.ts'
import { advanceRows } from './page-rows.ts'
import {
  BUILD,
  buildSegment,
  EVERYONE,
  MERGE,
  mergeParts,
  openBuilt,
  PAGE_HERE,
  type Merge,
} from './build-index.ts'
import { readSnapshot, writeSnapshot } from './index-snapshots.ts'
import type { SearchIndex } from './index/layout.ts'

export type IndexReader = MemberReader & Pick<MemberDatabase, 'compute' | 'memory'>

export interface NetworkIndex extends SearchIndex {
  /** `search_version` of the network that it shows. */
  readonly version: number
  readonly history: RowHistory
}

/** The index if it is in memory; it may not be current. */
export function heldIndex(reader: IndexReader): NetworkIndex | undefined {
  return reader.memory.read(MEMORY)?.index
}

/** The current index. */
export async function readIndex(reader: IndexReader): Promise<NetworkIndex> {
  return indexAt(reader, await readNetworkState(reader))
}

/** The index at this version or a later one; not a promise if it is in memory. */
export function indexAt(
  reader: IndexReader,
  network: NetworkState,
): NetworkIndex | Promise<NetworkIndex> {
  const held = heldIndex(reader)
  return held && held.version >= network.search_version ? held : awaitIndexAt(reader, network)
}

async function awaitIndexAt(reader: IndexReader, network: NetworkState): Promise<NetworkIndex> {
  for (;;) {
    const held = reader.memory.read(MEMORY)
    if (held?.index && held.index.version >= network.search_version) return held.index
    if (held?.refresh) await held.refresh.catch(() => {})
    else return refreshed(reader, held?.index, network)
  }
}

interface Held {
  readonly index: NetworkIndex | undefined
  /** Settles when a newer index is in memory. Concurrent searches share it. */
  readonly refresh: Promise<NetworkIndex> | undefined
}

const MEMORY = defineMemory<Held>('search-index')

async function refreshed(
  reader: IndexReader,
  index: NetworkIndex | undefined,
  network: NetworkState,
): Promise<NetworkIndex> {
  const refresh = bringUpToDate(reader, index, network)
  reader.memory.keep(MEMORY, { index, refresh }, bytesOf(index))
  try {
    const current = await refresh
    reader.memory.keep(MEMORY, { index: current, refresh: undefined }, bytesOf(current))
    return current
  } catch (error) {
    reader.memory.keep(MEMORY, { index, refresh: undefined }, bytesOf(index))
    throw error
  }
}

/** Of the entry itself. */
const ENTRY_BYTES = 1024

function bytesOf(index: NetworkIndex | undefined): number {
  const segments = index?.segments ?? []
  return segments.reduce(
    (sum, { segment, gone }) =>
      sum + segment.buffer.byteLength + segment.merged.maxBytes + (gone?.byteLength ?? 0),
    ENTRY_BYTES + (index?.history.deleted.byteLength ?? 0),
  )
}

async function bringUpToDate(
  reader: IndexReader,
  index: NetworkIndex | undefined,
  network: NetworkState,
): Promise<NetworkIndex> {
  const known = index && (await withChanges(reader, index, network))
  if (known) return known
  const snapshot = await readSnapshot(reader)
  const loaded = snapshot && (await withChanges(reader, indexOf(snapshot), network))
  return loaded ?? buildIndex(reader, network)
}

function indexOf({ version, segment }: { version: number; segment: Segment }): NetworkIndex {
  const { history, ids } = segment
  return { version, segments: [{ segment, gone: undefined }], people: ids.length, history }
}

// Building

/** Up to this many connections are indexed on the main thread, in steps of a few milliseconds. */
const MAX_BUILT_HERE = 500
/** Fewer connections are read from their rows as quickly as from a snapshot. */
const MIN_STORED = 500

async function buildIndex(reader: IndexReader, network: NetworkState): Promise<NetworkIndex> {
  const index = indexOf(
    network.last_connection <= MAX_BUILT_HERE
      ? {
          version: network.search_version,
          segment: await buildSegment(reader, [EVERYONE], PAGE_HERE),
        }
      : await buildElsewhere(reader, [EVERYONE]),
  )
  store(reader, index)
  return index
}

async function buildElsewhere(reader: IndexReader, ranges: readonly ChangedRange[]) {
  const { version, buffer } = await reader.compute(BUILD, { ranges })
  return { version, segment: openBuilt(buffer) }
}

/** Keeps a snapshot in the database for the next start and for other nodes. */
function store(reader: IndexReader, { version, segments, people }: NetworkIndex): void {
  const [only, ...others] = segments
  if (people < MIN_STORED || !only || only.gone || others.length > 0) return
  void reader.memory.save((write) => writeSnapshot(write, { version, segment: only.segment }))
}

// Changes

/** A change of more connections than this, or a quarter of the network, is as quick to index from the start. */
const MAX_CHANGED = 2000

/** The index with the changes up to the network's version; undefined if rebuilding is cheaper. */
async function withChanges(
  reader: IndexReader,
  index: NetworkIndex,
  { search_version: version }: NetworkState,
): Promise<NetworkIndex | undefined> {
  if (index.version >= version) return index
  const ranges = await readSearchChanges(reader, index.version, version)
  const changed = ranges?.reduce((sum, { first, last }) => sum + last - first + 1, 0) ?? Infinity
  if (!ranges || changed > Math.max(MAX_CHANGED, index.people / 4)) return undefined
  const fresh =
    changed <= MAX_BUILT_HERE
      ? await buildSegment(reader, ranges, PAGE_HERE)
      : (await buildElsewhere(reader, ranges)).segment
  advanceRows(reader.memory, { from: index.version, to: version, ranges })
  return settle(reader, replaceRanges(index, { version, ranges, fresh }))
}

interface Replacement {
  readonly version: number
  readonly ranges: readonly ChangedRange[]
  /** The current documents of these ranges. */
  readonly fresh: Segment
}

/** The first segment stays as it is, with the changed people marked; all later changes are in a second, small one. */
function replaceRanges(index: NetworkIndex, { version, ranges, fresh }: Replacement): NetworkIndex {
  const isChanged = (id: number) => ranges.some(({ first, last }) => first <= id && id <= last)
  const [base, recent] = index.segments
  if (!base) return indexOf({ version, segment: fresh })
  const gone = base.gone?.slice() ?? new Uint8Array(base.segment.ids.length)
  for (const range of ranges) markGone(base.segment, range, gone)
  const changes = recent
    ? mergeSegments([
        { segment: recent.segment, isCurrent: (id) => !isChanged(id) },
        { segment: fresh, isCurrent: () => true },
      ])
    : fresh
  let kept = gone.length
  for (let person = 0; person < gone.length; person += 1) kept -= gone[person] ?? 0
  return {
    version,
    segments: [
      { segment: base.segment, gone },
      { segment: changes, gone: undefined },
    ],
    people: kept + changes.ids.length,
    history: replaceHistory(index.history, fresh.history, isChanged),
  }
}

function replaceHistory(
  before: RowHistory,
  fresh: RowHistory,
  isChanged: (id: number) => boolean,
): RowHistory {
  const kept = before.deleted.filter((id) => !isChanged(id))
  const deleted = new Uint32Array(kept.length + fresh.deleted.length)
  deleted.set(kept)
  deleted.set(fresh.deleted, kept.length)
  return { deleted: deleted.sort(), changedAt: Math.max(before.changedAt, fresh.changedAt) }
}

function markGone(segment: Segment, { first, last }: ChangedRange, gone: Uint8Array): void {
  const { ids } = segment
  for (let at = firstPerson(segment, first); (ids[at] ?? Infinity) <= last; at += 1) gone[at] = 1
}

/**
 * With more recent changes than an eighth of the network, but at least this many, both segments become one. Never more than
 * `MAX_RECENT`, because every change merges the recent ones on the main thread.
 */
const MIN_RECENT = 250
const MAX_RECENT = 1000
/** Larger segments are merged in a thread. */
const MAX_MERGED_HERE = 5000

async function settle(reader: IndexReader, index: NetworkIndex): Promise<NetworkIndex> {
  const [base, recent] = index.segments
  if (!base || !recent) return index
  const { length } = base.segment.ids
  const most = Math.min(MAX_RECENT, Math.max(MIN_RECENT, length / 8))
  if (recent.segment.ids.length <= most) return index
  const parts = [base, recent].map(({ segment, gone }) => ({ buffer: segment.buffer, gone }))
  const merge: Merge = { parts, history: index.history }
  const buffer = length <= MAX_MERGED_HERE ? mergeParts(merge) : await reader.compute(MERGE, merge)
  const merged = indexOf({ version: index.version, segment: openBuilt(buffer) })
  store(reader, merged)
  return merged
}
