/** A search index as one sequence of people: those of all its segments, one after the other. */

import type { Segment } from './segment.ts'

export interface SearchIndex {
  readonly segments: readonly CurrentSegment[]
  /** Current connections in all segments. */
  readonly people: number
}

export interface CurrentSegment {
  readonly segment: Segment
  /** 1 for each person whose connection was changed or deleted since. */
  readonly gone: Uint8Array | undefined
}

export interface Layout {
  readonly segments: readonly PlacedSegment[]
  /** People in all segments, with those that are gone. */
  readonly size: number
}

export interface PlacedSegment extends CurrentSegment {
  /** The number of its first person among those of all segments. */
  readonly offset: number
}

export function layOut({ segments }: SearchIndex): Layout {
  let size = 0
  const placed = segments.map(({ segment, gone }) => {
    const offset = size
    size += segment.ids.length
    return { segment, gone, offset }
  })
  return { segments: placed, size }
}
