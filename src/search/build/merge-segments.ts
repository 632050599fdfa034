/** Builds one segment from several. */

import { FIELD_BITS, FIELD_MASK } from '../index/search-fields.ts'
import { SegmentLists } from './segment-lists.ts'
import {
  NO_HISTORY,
  postingStart,
  termCount,
  termStart,
  type RowHistory,
  type Segment,
} from '../index/segment.ts'

/** The people of a segment that are still current: `isCurrent(connectionId)`. */
interface MergeSource {
  readonly segment: Segment
  readonly isCurrent: (connectionId: number) => boolean
}

/**
 * One segment with the current people of all sources. Each connection may be current in only one of them. Terms without
 * postings are dropped, and so are postings of `withheld`, a bit mask of fields.
 */
export function mergeSegments(
  sources: readonly MergeSource[],
  history: RowHistory = NO_HISTORY,
  withheld = 0,
): Segment {
  const segments = sources.map(({ segment }) => segment)
  const sum = (count: (segment: Segment) => number) =>
    segments.reduce((total, segment) => total + count(segment), 0)
  const lists = new SegmentLists(
    sum(({ ids }) => ids.length),
    sum(({ postings }) => postings.length),
    sum(({ termBytes }) => termBytes.length),
  )
  const numbers = numberPeople(sources, lists)
  const next = segments.map(() => 0)
  for (;;) {
    const first = firstTerm(segments, next)
    if (first < 0) return lists.toSegment(history)
    mergeTerm(segments, { next, first, numbers, withheld }, lists)
  }
}

const GONE = 0xffffffff

/** New numbers of each source's people; `GONE` for those that are not current. */
function numberPeople(sources: readonly MergeSource[], lists: SegmentLists): Uint32Array[] {
  const numbers = sources.map(({ segment }) => new Uint32Array(segment.ids.length).fill(GONE))
  const current = sources.flatMap(({ segment, isCurrent }, source) =>
    Array.from(segment.ids, (id, person) => ({ id, source, person })).filter(({ id }) =>
      isCurrent(id),
    ),
  )
  current.sort((one, other) => one.id - other.id)
  for (const [number, { id, source, person }] of current.entries()) {
    const segment = sources[source]?.segment
    const list = numbers[source]
    if (!segment || !list) continue
    list[person] = number
    lists.addPerson(id, segment.days[person] ?? 0, segment.nameLengths[person] ?? 0)
  }
  return numbers
}

/** The segment whose next term is the smallest; -1 at the end of all. */
function firstTerm(segments: readonly Segment[], next: readonly number[]): number {
  let first = -1
  for (const [index, segment] of segments.entries()) {
    const term = next[index] ?? 0
    if (term >= termCount(segment)) continue
    const best = segments[first]
    if (!best || compareTerms(segment, term, best, next[first] ?? 0) < 0) first = index
  }
  return first
}

interface MergeState {
  /** The next term of each segment. */
  readonly next: number[]
  readonly first: number
  readonly numbers: readonly Uint32Array[]
  readonly withheld: number
}

function mergeTerm(
  segments: readonly Segment[],
  { next, first, numbers, withheld }: MergeState,
  lists: SegmentLists,
): void {
  const model = segments[first]
  if (!model) return
  const term = next[first] ?? 0
  const start = lists.postingsLength
  let contributors = 0
  for (const [index, segment] of segments.entries()) {
    const mine = next[index] ?? 0
    if (mine >= termCount(segment)) continue
    if (index !== first && compareTerms(segment, mine, model, term) !== 0) continue
    const before = lists.postingsLength
    copyPostings(segment, mine, { numbers: numbers[index], withheld }, lists)
    if (lists.postingsLength > before) contributors += 1
    next[index] = mine + 1
  }
  if (lists.postingsLength === start) return
  if (contributors > 1) lists.postings.subarray(start, lists.postingsLength).sort()
  const bytes = model.termBytes.subarray(termStart(model, term), model.termEnds[term])
  lists.addTerm(bytes)
}

function copyPostings(
  segment: Segment,
  term: number,
  { numbers, withheld }: { numbers: Uint32Array | undefined; withheld: number },
  lists: SegmentLists,
): void {
  const end = segment.postingEnds[term] ?? 0
  for (let at = postingStart(segment, term); at < end; at += 1) {
    const posting = segment.postings[at] ?? 0
    const number = numbers?.[posting >>> FIELD_BITS] ?? GONE
    const field = posting & FIELD_MASK
    if (number === GONE || (withheld & (1 << field)) !== 0) continue
    lists.postings[lists.postingsLength++] = number * 2 ** FIELD_BITS + field
  }
}

function compareTerms(one: Segment, term: number, other: Segment, otherTerm: number): number {
  if (one === other) return term - otherTerm
  const [start, end] = [termStart(one, term), one.termEnds[term] ?? 0]
  const [otherStart, otherEnd] = [termStart(other, otherTerm), other.termEnds[otherTerm] ?? 0]
  const shared = Math.min(end - start, otherEnd - otherStart)
  for (let at = 0; at < shared; at += 1) {
    const difference = (one.termBytes[start + at] ?? 0) - (other.termBytes[otherStart + at] ?? 0)
    if (difference !== 0) return difference
  }
  return end - start - (otherEnd - otherStart)
}
