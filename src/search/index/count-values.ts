/** Counts how many current connections have each value, without reading any of them. */

import { FIELD_BITS } from './search-fields.ts'
import { valueTerm, type CountedKind } from './special-terms.ts'
import {
  findTerm,
  lowerBound,
  postingStart,
  prefixEnd,
  termStart,
  type Segment,
} from './segment.ts'
import type { CurrentSegment, SearchIndex } from './segment.ts'

export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** The most frequent values, at most `most`; equally frequent ones in the order of their UTF-8 bytes. */
export function topValues(index: SearchIndex, kind: CountedKind, most: number): ValueCount[] {
  const top: Counted[] = []
  for (const one of countTerms(index, kind)) {
    const last = top.length < most ? undefined : top.at(-1)
    if (one.count === 0 || (last && compare(last, one) <= 0)) continue
    if (last) top.pop()
    const place = top.findIndex((other) => compare(one, other) < 0)
    top.splice(place < 0 ? top.length : place, 0, one)
  }
  return textsOf(top, kind)
}

/** Every value, in no particular order. */
export function allValues(index: SearchIndex, kind: CountedKind): ValueCount[] {
  return textsOf(
    countTerms(index, kind).filter(({ count }) => count > 0),
    kind,
  )
}

/** How many connections have an email, or a note. */
export function countHaving({ segments }: SearchIndex, what: 'email' | 'note'): number {
  const bytes = Buffer.from(valueTerm('has', what))
  return segments.reduce((sum, one) => {
    const term = findTerm(one.segment, bytes)
    return term < 0 ? sum : sum + countCurrent(one, term)
  }, 0)
}

interface Counted {
  readonly bytes: Uint8Array
  count: number
}

function compare(one: Counted, other: Counted): number {
  return other.count - one.count || Buffer.compare(one.bytes, other.bytes)
}

function textsOf(counted: readonly Counted[], kind: CountedKind): ValueCount[] {
  const { length } = valueTerm(kind, '')
  return counted.map(({ bytes, count }) => ({
    // A copy: the bytes may be shared with threads.
    value: Buffer.from(bytes).toString('utf8').slice(length),
    count,
  }))
}

/** The terms of a kind. Those of the later segments are few, and most of them are also in the first. */
function countTerms({ segments }: SearchIndex, kind: CountedKind): Counted[] {
  const [base, ...others] = segments
  if (!base) return []
  const prefix = Buffer.from(valueTerm(kind, ''))
  const from = lowerBound(base.segment, prefix)
  const counted = countedIn(base, prefix)
  const added = new Map<string, Counted>()
  for (const other of others)
    for (const one of countedIn(other, prefix)) {
      const term = findTerm(base.segment, one.bytes)
      const text = Buffer.from(one.bytes).toString('latin1')
      const same = term < 0 ? added.get(text) : counted[term - from]
      if (same) same.count += one.count
      else added.set(text, one)
    }
  return added.size === 0 ? counted : [...counted, ...added.values()]
}

function countedIn(current: CurrentSegment, prefix: Uint8Array): Counted[] {
  const { segment } = current
  const from = lowerBound(segment, prefix)
  const until = prefixEnd(segment, prefix, from)
  return Array.from({ length: until - from }, (_, index) => ({
    bytes: bytesOf(segment, from + index),
    count: countCurrent(current, from + index),
  }))
}

function bytesOf(segment: Segment, term: number): Uint8Array {
  return segment.termBytes.subarray(termStart(segment, term), segment.termEnds[term])
}

/** A value is in one field only, so each posting is another connection. */
function countCurrent({ segment, gone }: CurrentSegment, term: number): number {
  const [start, end] = [postingStart(segment, term), segment.postingEnds[term] ?? 0]
  if (!gone) return end - start
  let count = 0
  for (let at = start; at < end; at += 1)
    if (gone[(segment.postings[at] ?? 0) >>> FIELD_BITS] !== 1) count += 1
  return count
}
