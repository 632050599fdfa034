/** Builds a segment from documents, or one segment from several. */

import { FIELD_BITS } from './fields.ts'
import { allocateSegment, postingStart, termCount, termStart, type Segment } from './segment.ts'
import { indexTypos, typoTermsByLength } from './typos.ts'
import type { AnalyzedDocument } from './analyze-document.ts'

interface SegmentBuilder {
  /** Adds a connection that was not added before. */
  add(document: AnalyzedDocument): void
  finish(): Segment
}

/** Call `finish` once, after the last document. */
export function segmentBuilder(): SegmentBuilder {
  const numbers = new Map<string, number>()
  const shared = new Map<readonly string[], readonly number[]>()
  const people: Person[] = []
  const occurrences = new NumberList()
  function numberOf(term: string): number {
    let number = numbers.get(term)
    if (number === undefined) numbers.set(term, (number = numbers.size))
    return number
  }
  function numbersOf(list: readonly string[]): readonly number[] {
    let known = shared.get(list)
    if (!known) shared.set(list, (known = list.map(numberOf)))
    return known
  }
  return {
    add({ connectionId, day, nameLength, terms }) {
      people.push({ connectionId, day, nameLength, start: occurrences.length })
      for (const [field, list, isShared] of terms) {
        if (list.length === 0) continue
        if (isShared)
          for (const number of numbersOf(list)) occurrences.push(number * 2 ** FIELD_BITS + field)
        else for (const term of list) occurrences.push(numberOf(term) * 2 ** FIELD_BITS + field)
      }
    },
    finish: () => arrange(numbers, people, occurrences),
  }
}

interface Person {
  readonly connectionId: number
  readonly day: number
  readonly nameLength: number
  /** Where their occurrences begin. */
  readonly start: number
}

/** Sorts the terms by bytes and the people by ID, and distributes the occurrences. */
function arrange(
  numbers: ReadonlyMap<string, number>,
  people: readonly Person[],
  occurrences: NumberList,
): Segment {
  const terms = sortByBytes([...numbers.keys()])
  const rankOf = new Uint32Array(terms.length)
  for (const [rank, term] of terms.entries()) rankOf[numbers.get(term) ?? 0] = rank
  const bytes = Buffer.from(terms.join(''))
  const lists = new SegmentLists(terms.length, people.length, occurrences.length, bytes.length)
  let end = 0
  for (const term of terms) {
    end += Buffer.byteLength(term)
    lists.termEnds.push(end)
  }
  lists.termBytes.set(bytes)
  lists.termBytesLength = bytes.length
  const ends = new Uint32Array(terms.length + 1)
  for (let at = 0; at < occurrences.length; at += 1) {
    const rank = rankOf[occurrences.at(at) >>> FIELD_BITS] ?? 0
    ends[rank + 1] = (ends[rank + 1] ?? 0) + 1
  }
  for (let rank = 1; rank <= terms.length; rank += 1)
    ends[rank] = (ends[rank] ?? 0) + (ends[rank - 1] ?? 0)
  for (let rank = 0; rank < terms.length; rank += 1) lists.postingEnds.push(ends[rank + 1] ?? 0)
  const untilOf = people.map((_, index) => people[index + 1]?.start ?? occurrences.length)
  const order = people
    .map((_, index) => index)
    .sort((one, other) => (people[one]?.connectionId ?? 0) - (people[other]?.connectionId ?? 0))
  for (const [number, index] of order.entries()) {
    const person = people[index]
    if (!person) continue
    lists.addPerson(person.connectionId, person.day, person.nameLength)
    for (let at = person.start; at < (untilOf[index] ?? 0); at += 1) {
      const occurrence = occurrences.at(at)
      const rank = rankOf[occurrence >>> FIELD_BITS] ?? 0
      const place = ends[rank] ?? 0
      lists.postings[place] = number * 2 ** FIELD_BITS + (occurrence & (2 ** FIELD_BITS - 1))
      ends[rank] = place + 1
    }
  }
  lists.postingsLength = occurrences.length
  return lists.toSegment()
}

/** As UTF-8; JavaScript's own order differs for characters outside the basic plane. */
function sortByBytes(terms: string[]): string[] {
  if (terms.some((term) => /[\ud800-\udfff]/.test(term)))
    return terms
      .map((term) => Buffer.from(term))
      .sort((one, other) => Buffer.compare(one, other))
      .map(String)
  return terms.sort()
}

/** The people of a segment that are still current: `isCurrent(connectionId)`. */
interface MergeSource {
  readonly segment: Segment
  readonly isCurrent: (connectionId: number) => boolean
}

/**
 * One segment with the current people of all sources. Each connection may be current in only one of them. Terms without
 * postings are dropped.
 */
export function mergeSegments(sources: readonly MergeSource[]): Segment {
  const segments = sources.map(({ segment }) => segment)
  const sum = (count: (segment: Segment) => number) =>
    segments.reduce((total, segment) => total + count(segment), 0)
  const lists = new SegmentLists(
    sum(termCount),
    sum(({ ids }) => ids.length),
    sum(({ postings }) => postings.length),
    sum(({ termBytes }) => termBytes.length),
  )
  const numbers = numberPeople(sources, lists)
  const next = segments.map(() => 0)
  for (;;) {
    const first = firstTerm(segments, next)
    if (first < 0) return lists.toSegment()
    mergeTerm(segments, { next, first, numbers }, lists)
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
}

function mergeTerm(
  segments: readonly Segment[],
  { next, first, numbers }: MergeState,
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
    copyPostings(segment, mine, numbers[index], lists)
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
  numbers: Uint32Array | undefined,
  lists: SegmentLists,
): void {
  const end = segment.postingEnds[term] ?? 0
  for (let at = postingStart(segment, term); at < end; at += 1) {
    const posting = segment.postings[at] ?? 0
    const number = numbers?.[posting >>> FIELD_BITS] ?? GONE
    if (number === GONE) continue
    lists.postings[lists.postingsLength++] =
      number * 2 ** FIELD_BITS + (posting & (2 ** FIELD_BITS - 1))
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

/** The arrays of a segment while their lengths are not known yet. */
class SegmentLists {
  readonly termEnds: number[] = []
  readonly postingEnds: number[] = []
  readonly postings: Uint32Array
  postingsLength = 0
  readonly termBytes: Uint8Array
  termBytesLength = 0
  readonly #ids: Uint32Array
  readonly #days: Uint32Array
  readonly #nameLengths: Uint8Array
  #people = 0

  /** Each at most. */
  constructor(_terms: number, people: number, postings: number, termBytes: number) {
    this.#ids = new Uint32Array(people)
    this.#days = new Uint32Array(people)
    this.#nameLengths = new Uint8Array(people)
    this.postings = new Uint32Array(postings)
    this.termBytes = new Uint8Array(termBytes)
  }

  addPerson(connectionId: number, day: number, nameLength: number): void {
    this.#ids[this.#people] = connectionId
    this.#days[this.#people] = day
    this.#nameLengths[this.#people] = nameLength
    this.#people += 1
  }

  /** With the postings since the previous term. */
  addTerm(bytes: Uint8Array): void {
    this.termBytes.set(bytes, this.termBytesLength)
    this.termBytesLength += bytes.length
    this.termEnds.push(this.termBytesLength)
    this.postingEnds.push(this.postingsLength)
  }

  toSegment(): Segment {
    const parts = {
      people: this.#people,
      terms: this.termEnds.length,
      postings: this.postingsLength,
      termBytes: this.termBytesLength,
    }
    // Typo terms are counted on the terms alone, before the size of the segment is known.
    const draft = this.#fill(allocateSegment({ ...parts, typoTerms: 0 }))
    const byLength = typoTermsByLength(draft)
    const typoTerms = byLength.reduce((total, list) => total + list.length, 0)
    const segment = this.#fill(allocateSegment({ ...parts, typoTerms }))
    indexTypos(segment, byLength)
    return segment
  }

  #fill(segment: Segment): Segment {
    segment.ids.set(this.#ids.subarray(0, this.#people))
    segment.days.set(this.#days.subarray(0, this.#people))
    segment.nameLengths.set(this.#nameLengths.subarray(0, this.#people))
    segment.termEnds.set(this.termEnds)
    segment.postingEnds.set(this.postingEnds)
    segment.postings.set(this.postings.subarray(0, this.postingsLength))
    segment.termBytes.set(this.termBytes.subarray(0, this.termBytesLength))
    return segment
  }
}

/** A growing list of unsigned 32-bit numbers. */
class NumberList {
  #numbers = new Uint32Array(1024)
  length = 0

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(2 * this.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0
  }
}
