/**
 * The search index of one network, current as of the latest committed write of any node. It is kept in memory, brought up
 * to date from the recorded changes, and loaded from a snapshot or built from the rows where it is not in memory. Large
 * networks are indexed in a thread.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineMemory, type MemberDatabase, type MemberReader } from '../../../db/database.ts'
import { readNetworkState, type NetworkState } from '../../../tools/network-state.ts'
import {
  readSearchChanges,
  REMEMBERED_CHANGES,
  type ChangedRange,
} from '../../model/search-changes.ts'
import { rememberedNoteTerms } from './note-terms.ts'
import { advanceRows } from './page-rows.ts'
import {
  BUILD,
  buildSegment,
  EVERYONE,
  MAX_MERGED_HERE,
  MERGE,
  mergeParts,
  openBuilt,
  PAGE_HERE,
} from './build-index.ts'
import {
  bytesOfIndex,
  hasManyChanges,
  indexOf,
  mergeOf,
  replaceRanges,
  type VersionedIndex,
} from './versioned-index.ts'
import { readSnapshot, storedVersion, writeSnapshot } from './index-snapshots.ts'

export type IndexReader = MemberReader & Pick<MemberDatabase, 'compute' | 'memory'>

/** Its version is the `search_version` of the network that it shows. */
export type NetworkIndex = VersionedIndex

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

/**
 * Starts to load an index that is not in memory. Resolves once the database is asked, so that the caller can do other work
 * before it waits for the index.
 */
export async function beginLoading(
  reader: IndexReader,
  network: NetworkState | undefined,
): Promise<void> {
  if (heldIndex(reader)) return
  const loading = network ? indexAt(reader, network) : readIndex(reader)
  // The caller loads it again and gets the error.
  void Promise.resolve(loading).catch(() => {})
  await nextTurn()
}

/**
 * Builds and stores the index of a large network if the next search, on any node, would have to build it or to index many
 * changes. An index in memory is brought up to date, because one that falls behind the recorded changes is built again.
 */
export async function prepareIndex(reader: IndexReader): Promise<void> {
  const network = await readNetworkState(reader)
  if (network.last_connection < MIN_STORED) return
  const isOutdated = await isSnapshotOutdated(reader, network)
  if (!isOutdated && !heldIndex(reader)) return
  const index = await indexAt(reader, network)
  if (isOutdated && index.segments.length > 1) await mergeHeld(reader, index)
}

/** Whether the next search of a large network would have to build its index, or to index many changes. */
export async function isIndexOutdated(reader: IndexReader): Promise<boolean> {
  const network = await readNetworkState(reader)
  return network.last_connection >= MIN_STORED && isSnapshotOutdated(reader, network)
}

async function isSnapshotOutdated(
  reader: IndexReader,
  { search_version }: NetworkState,
): Promise<boolean> {
  const stored = await storedVersion(reader)
  if (stored === undefined || search_version - stored > REMEMBERED_CHANGES / 2) return true
  const ranges = await readSearchChanges(reader, stored, search_version)
  return !ranges || countIn(ranges) > MAX_CHANGED
}

/** Makes one segment of the index, and stores it. */
async function mergeHeld(reader: IndexReader, index: NetworkIndex): Promise<void> {
  const whole = await mergeAll(reader, index)
  const held = reader.memory.read(MEMORY)
  if (held?.index === index && !held.refresh) hold(reader, whole)
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
  hold(reader, index, refresh)
  let current = index
  try {
    return (current = await refresh)
  } finally {
    hold(reader, current)
  }
}

function hold(reader: IndexReader, index: Held['index'], refresh?: Held['refresh']): void {
  reader.memory.keep(MEMORY, { index, refresh }, bytesOfIndex(index))
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
  const changed = ranges ? countIn(ranges) : Infinity
  if (!ranges || changed > Math.max(MAX_CHANGED, index.people / 4)) return undefined
  const fresh =
    changed <= MAX_BUILT_HERE
      ? await buildSegment(reader, ranges, PAGE_HERE, rememberedNoteTerms(reader.memory))
      : (await buildElsewhere(reader, ranges)).segment
  advanceRows(reader.memory, { from: index.version, to: version, ranges })
  return settle(reader, replaceRanges(index, { version, ranges, fresh }))
}

/** Connections in these ranges. */
export function countIn(ranges: readonly ChangedRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

function settle(reader: IndexReader, index: NetworkIndex): NetworkIndex | Promise<NetworkIndex> {
  return hasManyChanges(index) ? mergeAll(reader, index) : index
}

async function mergeAll(reader: IndexReader, index: NetworkIndex): Promise<NetworkIndex> {
  const merge = mergeOf(index)
  const isSmall = (index.segments[0]?.segment.ids.length ?? 0) <= MAX_MERGED_HERE
  const buffer = isSmall ? mergeParts(merge) : await reader.compute(MERGE, merge)
  const whole = indexOf({ version: index.version, segment: openBuilt(buffer) })
  store(reader, whole)
  return whole
}
