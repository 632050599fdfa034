/**
 * Reads connections into a segment of the search index, and merges segments. Small ones on the main thread, large ones in a
 * compute thread, which loads this file.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineComputation, type MemberReader } from '../../../db/database.ts'
import { readNetworkState } from '../../../tools/network-state.ts'
import { documentAnalyzer } from '../../../search/build/analyze-document.ts'
import { segmentBuilder } from '../../../search/build/build-segment.ts'
import { mergeSegments } from '../../../search/build/merge-segments.ts'
import { openSegment, type RowHistory, type Segment } from '../../../search/index/segment.ts'
import { readDocuments } from './index-documents.ts'
import type { CurrentSegment } from '../../../search/index/segment.ts'
import type { NoteTermsOf } from './note-terms.ts'
import type { ChangedRange } from '../../model/search-changes.ts'

/** Runs in a thread. The version is read first: later changes may already be included, and are applied again. */
export async function buildIndexInThread(
  reader: MemberReader,
  { ranges }: { readonly ranges: readonly ChangedRange[] },
): Promise<BuiltIndex> {
  const { search_version: version } = await readNetworkState(reader)
  const { buffer } = await buildSegment(reader, ranges, PAGE_IN_THREAD)
  return { version, buffer }
}

export const BUILD = defineComputation(import.meta.url, { buildIndexInThread })

export const EVERYONE: ChangedRange = { first: 0, last: 2 ** 31 - 1 }

/** Connections that are read and analyzed at a time. The main thread does other work in between. */
export const PAGE_HERE = 50
const PAGE_IN_THREAD = 1000

export async function buildSegment(
  reader: MemberReader,
  ranges: readonly ChangedRange[],
  pageSize: number,
  noteTermsOf?: NoteTermsOf,
): Promise<Segment> {
  const builder = segmentBuilder()
  const analyze = documentAnalyzer(noteTermsOf)
  const deleted: number[] = []
  let changedAt = 0
  for (const range of ranges)
    for await (const page of readDocuments(reader, range, pageSize)) {
      for (const document of page.documents) builder.add(analyze(document))
      for (const connectionId of page.deleted) deleted.push(connectionId)
      changedAt = Math.max(changedAt, page.changedAt)
      await nextTurn()
    }
  return builder.finish({ deleted: Uint32Array.from(deleted), changedAt })
}

interface BuiltIndex {
  readonly version: number
  /** Shared with the thread that built it. */
  readonly buffer: ArrayBufferLike
}

/** Views the buffer that a thread returned. */
export function openBuilt(buffer: ArrayBufferLike): Segment {
  const segment = openSegment(buffer)
  if (!segment) throw new Error('the thread returned no search index')
  return segment
}

// Merging

interface MergePart {
  readonly buffer: ArrayBufferLike
  readonly gone: Uint8Array | undefined
}

export interface Merge {
  readonly parts: readonly MergePart[]
  readonly history: RowHistory
  /** A bit mask of fields to leave out. */
  readonly withheld?: number
}

/** On this thread, for up to `MAX_MERGED_HERE` people in the first segment: returns the buffer of the merged segment. */
export function mergeParts({ parts, history, withheld }: Merge): ArrayBufferLike {
  const sources = parts.flatMap(({ buffer, gone }) => {
    const segment = openSegment(buffer)
    return segment ? [{ segment, isCurrent: currentIn({ segment, gone }) }] : []
  })
  return mergeSegments(sources, history, withheld).buffer
}

/** Tells which connections of a segment are current. */
export function currentIn({ segment, gone }: CurrentSegment): (id: number) => boolean {
  if (!gone) return () => true
  const left = new Set(segment.ids.filter((_, person) => gone[person] === 1))
  return (id) => !left.has(id)
}

/** Larger segments are merged in a thread. */
export const MAX_MERGED_HERE = 5000

/** Runs in a thread. */
export async function mergeInThread(_reader: unknown, merge: Merge): Promise<ArrayBufferLike> {
  return mergeParts(merge)
}

export const MERGE = defineComputation(import.meta.url, { mergeInThread })
