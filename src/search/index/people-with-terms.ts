/** The people of an index who have a word in a field, a term, or a date connected. */

import { include, subtract, type PeopleSet } from './people-set.ts'
import { addPeople, type PostingRange } from './posting-ranges.ts'
import { bytesOfTerm, findTerm, isTerm, lowerBound, postingStart, prefixEnd } from './segment.ts'
import type { FieldNumber } from './search-fields.ts'
import type { Layout, PlacedSegment } from './segment.ts'
import type { QueryWord } from './query-word.ts'
import type { SearchScratch } from './people-set.ts'

interface FilterWord {
  readonly word: QueryWord
  readonly field: FieldNumber
  readonly isLast: boolean
}

export function peopleWith(
  layout: Layout,
  { word, field, isLast }: FilterWord,
  scratch: SearchScratch,
): PeopleSet {
  const set = scratch.emptySet()
  for (const { term, isPrefix, isWeak } of word.terms) {
    if (isWeak === true) continue
    const bytes = bytesOfTerm(term)
    for (const placed of layout.segments) {
      const from = lowerBound(placed.segment, bytes)
      const until =
        isLast && isPrefix === true
          ? prefixEnd(placed.segment, bytes, from)
          : from + (isTerm(placed.segment, from, bytes) ? 1 : 0)
      addPeople(rangeOf(placed, { from, until, field }), set)
    }
  }
  return set
}

/** The postings of terms from `from` up to, but not including, `until`. */
function rangeOf(
  placed: PlacedSegment,
  { from, until, field }: { from: number; until: number; field: FieldNumber },
): PostingRange {
  const { segment } = placed
  const range = {
    start: postingStart(segment, from),
    end: postingStart(segment, until),
    fields: 1 << field,
  }
  return {
    ...range,
    placed,
    present: 0,
    factor: 0,
    isWhole: false,
    isSorted: until === from + 1,
    merged: segment.merged.read(range),
  }
}

export function complementOf(set: PeopleSet, scratch: SearchScratch): PeopleSet {
  const everyone = scratch.emptySet().fill(0xffffffff)
  subtract(everyone, set)
  return everyone
}

export function peopleWithTerm(
  layout: Layout,
  { term, field }: { term: string; field: FieldNumber },
  scratch: SearchScratch,
): PeopleSet {
  const set = scratch.emptySet()
  const bytes = bytesOfTerm(term)
  for (const placed of layout.segments) {
    const from = findTerm(placed.segment, bytes)
    if (from >= 0) addPeople(rangeOf(placed, { from, until: from + 1, field }), set)
  }
  return set
}

export function peopleConnected(
  { segments }: Layout,
  from: number,
  until: number,
  scratch: SearchScratch,
): PeopleSet {
  const set = scratch.emptySet()
  for (const { segment, offset } of segments)
    for (let person = 0; person < segment.days.length; person += 1) {
      const day = segment.days[person] ?? 0
      if (day >= from && day < until) include(set, offset + person)
    }
  return set
}

interface TermRange {
  /** Inclusive. */
  readonly first: string
  /** Exclusive. */
  readonly last: string
  readonly field: FieldNumber
}

/** People with a term of the range: terms of days are sorted like the days. */
export function peopleBetween(
  { segments }: Layout,
  { first, last, field }: TermRange,
  scratch: SearchScratch,
): PeopleSet {
  const set = scratch.emptySet()
  const [start, end] = [bytesOfTerm(first), bytesOfTerm(last)]
  for (const placed of segments) {
    const from = lowerBound(placed.segment, start)
    const until = lowerBound(placed.segment, end)
    if (from < until) addPeople(rangeOf(placed, { from, until, field }), set)
  }
  return set
}
