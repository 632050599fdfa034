/**
 * The timeline of one person or of all: notes, interactions, follow-ups and changes, newest first. Pages call
 * `listTimeline` with the same filters as the tool.
 */

import { dayAt, startOfDay } from '../../base/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import {
  followUpEntries,
  noteEntries,
  changeEntries,
  interactionEntries,
} from './timeline-sources.ts'
import type { MemberReader } from '../../db/database.ts'
import type { SourceQuery, TimelineEntry } from './timeline-entry.ts'

export const TIMELINE_KINDS = ['note', 'interaction', 'follow_up', 'change'] as const
type TimelineKind = (typeof TIMELINE_KINDS)[number]

interface TimelineQuery {
  readonly connectionId?: number | undefined
  /** All by default. */
  readonly kinds?: readonly TimelineKind[] | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly from?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly until?: string | undefined
}

interface TimelinePage {
  readonly entries: readonly TimelineEntry[]
  readonly hasMore: boolean
  /** The cursor of the page that starts after the entry at `index`. */
  cursorAfter(index: number): string
}

const SOURCES: Readonly<
  Record<TimelineKind, (reader: MemberReader, query: SourceQuery) => Promise<TimelineEntry[]>>
> = {
  note: noteEntries,
  interaction: interactionEntries,
  follow_up: followUpEntries,
  change: changeEntries,
}

/** A page of the timeline. Each source keeps its own order, so that every entry is on one page only. */
export async function listTimeline(
  reader: MemberReader,
  query: TimelineQuery,
  limit: number,
  cursor?: string,
): Promise<TimelinePage> {
  const { connectionId, kinds = TIMELINE_KINDS } = query
  const question = [reader.memberId, 'timeline', query]
  const starts = startsOf(question, cursor)
  const from = query.from === undefined ? Number.MIN_SAFE_INTEGER : startOfDay(query.from)
  const until = query.until === undefined ? Number.MAX_SAFE_INTEGER : startOfDay(query.until) + DAY
  const sources: TimelineEntry[][] = []
  for (const kind of TIMELINE_KINDS) {
    const [position, id] = starts[kind]
    const isWanted = kinds.includes(kind)
    sources.push(
      isWanted
        ? await SOURCES[kind](reader, { connectionId, position, id, from, until, limit: limit + 1 })
        : [],
    )
  }
  const merged = mergeNewest(sources, limit + 1)
  const entries = merged.slice(0, limit)
  return {
    entries,
    hasMore: merged.length > limit,
    cursorAfter(index) {
      const after = { ...starts }
      for (const { item, position, id } of entries.slice(0, index + 1))
        after[item.kind] = [position, id]
      return writeCursor(
        question,
        TIMELINE_KINDS.flatMap((kind) => after[kind]),
      )
    },
  }
}

/** The day of an entry: YYYY-MM-DD. */
export function dayOfEntry({ at }: TimelineEntry): string {
  return dayAt(at)
}

type Starts = Record<TimelineKind, readonly [position: number, id: number]>

const FIRST = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

function startsOf(question: unknown, cursor: string | undefined): Starts {
  if (cursor === undefined)
    return { note: FIRST, interaction: FIRST, follow_up: FIRST, change: FIRST }
  const n = 'number'
  const [a, b, c, d, e, f, g, h] = readCursor(question, cursor, [n, n, n, n, n, n, n, n])
  return { note: [a, b], interaction: [c, d], follow_up: [e, f], change: [g, h] }
}

/** The newest of the first entries of the lists, again and again. */
function mergeNewest(sources: readonly (readonly TimelineEntry[])[], limit: number) {
  const next = sources.map(() => 0)
  const merged: TimelineEntry[] = []
  while (merged.length < limit) {
    let best = -1
    for (const [index, entries] of sources.entries()) {
      const at = entries[next[index] ?? 0]?.at
      const bestAt = sources[best]?.[next[best] ?? 0]?.at ?? -Infinity
      if (at !== undefined && at > bestAt) best = index
    }
    const entry = sources[best]?.[next[best] ?? 0]
    if (!entry) break
    merged.push(entry)
    next[best] = (next[best] ?? 0) + 1
  }
  return merged
}
