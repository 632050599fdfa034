/**
 * The search index of one network, current as of the latest committed write of any node. It is kept in memory, brought up
 * to date from the recorded changes, and loaded from a snapshot or built from the rows where it is not in memory. Large
 * networks are indexed in a thread.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineMemory, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { readNetworkState, type NetworkState } from '../../tools/call-state.ts'
import {
  readSearchChanges,
  REMEMBERED_CHANGES,
  type ChangedRange,
} from '../model/search-changes.ts'
import { mergeSegments } from './index/merge-segments.ts'
import { firstPerson, type RowHistory, type Segment } from './index/segment.ts'
import { rememberedNoteTerms } from './note-terms.ts'
import { advanceRows } from './page-rows.ts'
import {
  BUILD,
  buildSegment,
  currentIn,
  EVERYONE,
  MERGE,
  mergeParts,
  openBuilt,
  PAGE_HERE,
  type Merge,
} from './build-index.ts'
import { readSnapshot, writeSnapshot } from './index-snapshots.ts'
import type { CurrentSegment, SearchIndex } from './index/layout.ts'

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

/** Networks of fewer people are rebuilt in about as much CPU time as it takes to follow all changes that are remembered. */
const MIN_FOLLOWED = 5000

/**
 * Brings the index of a large network up to date before a search needs it, if it is in memory and not too much has changed.
 * Call it after every few hundred writes, because an index that falls behind the recorded changes is rebuilt.
 */
export async function followIndex(reader: IndexReader, minPeople = MIN_FOLLOWED): Promise<void> {
  const held = heldIndex(reader)
  if (!held || held.people < minPeople) return
  const network = await readNetworkState(reader)
  if (network.search_version - held.version > REMEMBERED_CHANGES) return
  await indexAt(reader, network)
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
      ? await buildSegment(reader, ranges, PAGE_HERE, rememberedNoteTerms(reader.memory))
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

/**
 * The first segment stays as it is, with the changed people marked. Later changes are in one or two small ones, so that a
 * change is merged with few others.
 */
function replaceRanges(index: NetworkIndex, { version, ranges, fresh }: Replacement): NetworkIndex {
  const isChanged = (id: number) => ranges.some(({ first, last }) => first <= id && id <= last)
  const marked = index.segments.map((part) => withoutRanges(part, ranges))
  const [base, ...recent] = marked.map(({ part }) => part)
  if (!base) return indexOf({ version, segment: fresh })
  const removed = marked.reduce((sum, { count }) => sum + count, 0)
  return {
    version,
    segments: [base, ...withFresh(recent, { segment: fresh, gone: undefined })],
    people: index.people - removed + fresh.ids.length,
    history: replaceHistory(index.history, fresh.history, isChanged),
  }
}

/** The segment without the people in these ranges, and how many of them were current. */
function withoutRanges({ segment, gone: before }: CurrentSegment, ranges: readonly ChangedRange[]) {
  const gone = before?.slice() ?? new Uint8Array(segment.ids.length)
  let count = 0
  for (const { first, last } of ranges)
    for (let at = firstPerson(segment, first); (segment.ids[at] ?? Infinity) <= last; at += 1) {
      if (gone[at] === 0) count += 1
      gone[at] = 1
    }
  return { part: { segment, gone }, count }
}

/** People of the latest segment, which every change is merged with. A full one is merged with the other recent changes. */
export const MAX_LATEST = 32

function withFresh(recent: readonly CurrentSegment[], fresh: CurrentSegment): CurrentSegment[] {
  const added = fresh.segment.ids.length
  const latest = recent.at(-1)
  if (latest && latest.segment.ids.length + added <= MAX_LATEST)
    return [...recent.slice(0, -1), merged(latest, fresh)]
  if (recent.length < 2 && added <= MAX_LATEST) return [...recent, fresh]
  return [merged(...recent, fresh)]
}

function merged(...parts: readonly CurrentSegment[]): CurrentSegment {
  const [only, ...others] = parts
  if (only && others.length === 0) return only
  const sources = parts.map((part) => ({ segment: part.segment, isCurrent: currentIn(part) }))
  return { segment: mergeSegments(sources), gone: undefined }
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

/**
 * With more recent changes than an eighth of the network, but at least this many, all segments become one. Never more than
 * `MAX_RECENT`, because the recent ones are merged on the main thread.
 */
const MIN_RECENT = 250
const MAX_RECENT = 1000
/** Larger segments are merged in a thread. */
const MAX_MERGED_HERE = 5000

async function settle(reader: IndexReader, index: NetworkIndex): Promise<NetworkIndex> {
  const [base, ...recent] = index.segments
  if (!base) return index
  const { length } = base.segment.ids
  const most = Math.min(MAX_RECENT, Math.max(MIN_RECENT, length / 8))
  if (recent.reduce((sum, { segment }) => sum + segment.ids.length, 0) <= most) return index
  const parts = index.segments.map(({ segment, gone }) => ({ buffer: segment.buffer, gone }))
  const merge: Merge = { parts, history: index.history }
  const buffer = length <= MAX_MERGED_HERE ? mergeParts(merge) : await reader.compute(MERGE, merge)
  const whole = indexOf({ version: index.version, segment: openBuilt(buffer) })
  store(reader, whole)
  return whole
}
