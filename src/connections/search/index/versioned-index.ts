/** A search index as of a version, and its next versions: what changed is indexed again, and the rest stays as it is. */

import { currentIn, type Merge } from './build-index.ts'
import { mergeSegments } from '../../../search/build/merge-segments.ts'
import { firstPerson, type RowHistory, type Segment } from '../../../search/index/segment.ts'
import type { CurrentSegment, SearchIndex } from '../../../search/index/segment.ts'
import type { ChangedRange } from '../../model/search-changes.ts'

export interface VersionedIndex extends SearchIndex {
  /** Version of the rows that it shows. */
  readonly version: number
  readonly history: RowHistory
}

/** Makes an index of one segment. */
export function indexOf({
  version,
  segment,
}: {
  version: number
  segment: Segment
}): VersionedIndex {
  const { history, ids } = segment
  return { version, segments: [{ segment, gone: undefined }], people: ids.length, history }
}

/** Bytes of the entry itself. */
const ENTRY_BYTES = 1024

/** Returns the memory that an index takes. */
export function bytesOfIndex(index: VersionedIndex | undefined): number {
  const segments = index?.segments ?? []
  return segments.reduce(
    (sum, { segment, gone }) =>
      sum + segment.buffer.byteLength + segment.merged.maxBytes + (gone?.byteLength ?? 0),
    ENTRY_BYTES + (index?.history.deleted.byteLength ?? 0),
  )
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
export function replaceRanges(
  index: VersionedIndex,
  { version, ranges, fresh }: Replacement,
): VersionedIndex {
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

/** True if so many changes followed the base index that one merged index answers faster. */
export function hasManyChanges({ segments }: VersionedIndex): boolean {
  const [base, ...recent] = segments
  if (!base) return false
  const most = Math.min(MAX_RECENT, Math.max(MIN_RECENT, base.segment.ids.length / 8))
  return recent.reduce((sum, { segment }) => sum + segment.ids.length, 0) > most
}

/** All segments, to make one of them. */
export function mergeOf({ segments, history }: VersionedIndex): Merge {
  return { parts: segments.map(({ segment, gone }) => ({ buffer: segment.buffer, gone })), history }
}
