/**
 * The timeline of some people or of all: notes, interactions, follow-ups and changes, newest first. Pages call
 * `listTimeline` with the same filters as the tool.
 */

import { dayAt, daysLater, startOfDay } from '../../dates/calendar-day.ts'
import { instantAt, localTimeAt } from '../../dates/time-zone.ts'
import { readCursor, writeCursor, type Page } from '../../base/cursor.ts'
import {
  changeEntries,
  datedNoteEntries,
  followUpEntries,
  interactionEntries,
  undatedNoteEntries,
} from './timeline-sources.ts'
import { INTERACTION_KINDS, type InteractionKind } from './interaction-store.ts'
import type { MemberReader } from '../../db/database.ts'
import type { SourceQuery, TimelineEntry } from './timeline-entry.ts'

export const TIMELINE_KINDS = ['note', 'interaction', 'follow_up', 'change'] as const
type TimelineKind = (typeof TIMELINE_KINDS)[number]
export type TimelineEntryKind = TimelineKind | InteractionKind

interface TimelineQuery {
  /** Numbers of connections; everyone by default. */
  readonly people?: readonly number[] | undefined
  /** All by default. A kind of interaction stands for the interactions of this kind. */
  readonly kinds?: readonly TimelineEntryKind[] | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly from?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly until?: string | undefined
  /** The zone in which changes and notes without a date have their day; UTC by default. */
  readonly timeZone?: string | undefined
}

type Source = TimelineKind | 'dated_note'
const ORDER = [...TIMELINE_KINDS, 'dated_note'] as const satisfies Source[]

type ReadSource = (reader: MemberReader, query: SourceQuery) => Promise<TimelineEntry[]>

const SOURCES: Readonly<Record<Source, ReadSource>> = {
  note: undatedNoteEntries,
  dated_note: datedNoteEntries,
  interaction: interactionEntries,
  follow_up: followUpEntries,
  change: changeEntries,
}

function kindOf(source: Source): TimelineKind {
  return source === 'dated_note' ? 'note' : source
}

function sourceOf({ item }: TimelineEntry): Source {
  return item.kind === 'note' && item.note.happenedOn !== null ? 'dated_note' : item.kind
}

/** A page of the timeline. Each source keeps its own order, so that every entry is on one page only. */
export async function listTimeline(
  reader: MemberReader,
  { timeZone = 'UTC', ...query }: TimelineQuery,
  limit: number,
  cursor?: string,
): Promise<Page<TimelineEntry>> {
  const { people, kinds = TIMELINE_KINDS } = query
  const sourceKinds = new Set<TimelineKind>(kinds.map(sourceKindOf))
  const interactionKinds = kinds.includes('interaction')
    ? undefined
    : kinds.filter(isInteractionKind)
  const question = [reader.memberId, 'timeline', query]
  const starts = startsOf(question, cursor)
  const local = daysOf(query, (day) => startOfDay(day))
  const moments = daysOf(query, (day) => instantAt(timeZone, startOfDay(day)))
  const sources: TimelineEntry[][] = []
  for (const source of ORDER) {
    const [position, id] = starts[source]
    const days = MOMENTS.has(source) ? moments : local
    const range = { position, id, ...days, interactionKinds, limit: limit + 1 }
    if (!sourceKinds.has(kindOf(source))) continue
    const read = await entriesOf(reader, SOURCES[source], people, range)
    sources.push(read.map((entry) => localEntry(entry, timeZone)))
  }
  const merged = mergeNewest(sources, limit + 1)
  const entries = merged.slice(0, limit)
  return {
    entries,
    hasMore: merged.length > limit,
    cursorAfter(index) {
      const after = { ...starts }
      for (const entry of entries.slice(0, index + 1))
        after[sourceOf(entry)] = [entry.position, entry.id]
      return writeCursor(
        question,
        ORDER.flatMap((source) => after[source]),
      )
    },
  }
}

/** Where days begin and end; `startOf` is the start of a day. */
function daysOf({ from, until }: TimelineQuery, startOf: (day: string) => number) {
  return {
    from: from === undefined ? Number.MIN_SAFE_INTEGER : startOf(from),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : startOf(daysLater(until, 1)),
  }
}

/** Entries of these have the moment when they were written, which is on another day in another zone. */
const MOMENTS: ReadonlySet<Source> = new Set<Source>(['note', 'change'])

/** The entry at its local time. */
export function localEntry(entry: TimelineEntry, timeZone: string): TimelineEntry {
  return MOMENTS.has(sourceOf(entry)) ? { ...entry, at: localTimeAt(timeZone, entry.at) } : entry
}

const isInteractionKind = (kind: TimelineEntryKind): kind is InteractionKind =>
  INTERACTION_KINDS.some((one) => one === kind)

function sourceKindOf(kind: TimelineEntryKind): TimelineKind {
  return isInteractionKind(kind) ? 'interaction' : kind
}

/** The entries of one source that are about these people. An entry about several of them is there once. */
async function entriesOf(
  reader: MemberReader,
  source: ReadSource,
  people: readonly number[] | undefined,
  range: Omit<SourceQuery, 'connectionId'>,
): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = []
  for (const connectionId of people ?? [undefined])
    entries.push(...(await source(reader, { ...range, connectionId })))
  if (people === undefined || people.length === 1) return entries
  const each = new Map(entries.map((entry) => [entry.id, entry]))
  return [...each.values()]
    .toSorted((one, other) => other.position - one.position || other.id - one.id)
    .slice(0, range.limit)
}

/** The day of an entry: YYYY-MM-DD. */
export function dayOfEntry({ at }: TimelineEntry): string {
  return dayAt(at)
}

type Starts = Record<Source, readonly [position: number, id: number]>

const FIRST = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

function startsOf(question: unknown, cursor: string | undefined): Starts {
  const n = 'number'
  const [a, b, c, d, e, f, g, h, i, j] =
    cursor === undefined
      ? ORDER.flatMap(() => FIRST)
      : readCursor(question, cursor, [n, n, n, n, n, n, n, n, n, n])
  return {
    note: [a, b],
    interaction: [c, d],
    follow_up: [e, f],
    change: [g, h],
    dated_note: [i, j],
  }
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
