/**
 * An immutable inverted index of some connections, in typed arrays over one buffer: opening a stored segment copies
 * nothing. The buffer of the same documents is always the same, in whatever order and steps it was built.
 *
 * Layout: a header of 32-bit numbers, then the arrays below in this order. Terms are sorted by their UTF-8 bytes. Postings
 * of a term are sorted; each is `person << 4 | field`. People are numbered in the order of their connection IDs.
 */

import { firstNotBelow } from './sorted-numbers.ts'
import { memoize } from '../../base/memoize.ts'
import { MergedRanges } from './merged-postings.ts'

export interface Segment {
  readonly buffer: ArrayBufferLike
  /** Connection IDs, ascending. */
  readonly ids: Uint32Array
  /** The date connected of each person, as YYYYMMDD; 0 for none. */
  readonly days: Uint32Array
  /** Words in each person's name. */
  readonly nameLengths: Uint8Array
  readonly history: RowHistory
  readonly termBytes: Uint8Array
  /** Where each term ends in `termBytes`. */
  readonly termEnds: Uint32Array
  /** Where the postings of each term end. */
  readonly postingEnds: Uint32Array
  readonly postings: Uint32Array
  /** Not stored. */
  readonly merged: MergedRanges
  /** Terms that typos are looked for in, by length, then in the order of the terms. */
  readonly typoTerms: Uint32Array
  /** The letters that each of `typoTerms` contains, as a bit mask. */
  readonly typoLetters: Uint32Array
  /** Where the terms of each length begin in `typoTerms`. */
  readonly typoStarts: Uint32Array
}

/** What a summary tells beside the people of a segment, from the rows that it was built from. */
export interface RowHistory {
  /** Connection IDs, ascending, that are deleted and can still be restored. */
  readonly deleted: Uint32Array
  /** The latest change of a connection, in milliseconds; 0 without connections. */
  readonly changedAt: number
}

export const NO_HISTORY: RowHistory = { deleted: new Uint32Array(0), changedAt: 0 }

/** Increase it whenever the layout or the analysis changes: stored segments of other formats are rebuilt. */
const SEGMENT_FORMAT = 20

/** Longer terms are not compared by edit distance. */
export const MAX_TYPO_LENGTH = 40

/** Also tells the byte order of the machine that wrote it. */
const MAGIC = 0x57656674
const HEADER_NUMBERS = 10 // see `allocateSegment`
const NUMBER_BYTES = 4

interface SegmentSize {
  readonly people: number
  readonly terms: number
  readonly postings: number
  readonly typoTerms: number
  readonly termBytes: number
  readonly deleted: number
  readonly changedAt: number
}

/** An empty segment of this size in a new buffer, which worker threads can share. */
export function allocateSegment(size: SegmentSize): Segment {
  const buffer = new SharedArrayBuffer(layoutOf(size).bytes)
  new Uint32Array(buffer, 0, HEADER_NUMBERS).set([
    MAGIC,
    SEGMENT_FORMAT,
    size.people,
    size.terms,
    size.postings,
    size.typoTerms,
    size.termBytes,
    size.deleted,
    size.changedAt % 2 ** 32,
    size.changedAt / 2 ** 32,
  ])
  return viewSegment(buffer, size)
}

/** Undefined for a buffer of another format or byte order, or one that is not complete. */
export function openSegment(buffer: ArrayBufferLike): Segment | undefined {
  const size = readHeader(new Uint8Array(buffer))
  return size && layoutOf(size).bytes === buffer.byteLength ? viewSegment(buffer, size) : undefined
}

/** The bytes of the segment that begins with these; undefined for another format or byte order. */
export function storedLength(start: Uint8Array): number | undefined {
  const size = readHeader(start)
  return size && layoutOf(size).bytes
}

function readHeader(start: Uint8Array): SegmentSize | undefined {
  if (start.length < HEADER_NUMBERS * NUMBER_BYTES) return undefined
  const header = new Uint32Array(start.slice(0, HEADER_NUMBERS * NUMBER_BYTES).buffer)
  const [magic, format, people = 0, terms = 0, postings = 0, typoTerms = 0, termBytes = 0] = header
  if (magic !== MAGIC || format !== SEGMENT_FORMAT) return undefined
  const [deleted = 0, low = 0, high = 0] = header.subarray(7)
  const changedAt = high * 2 ** 32 + low
  return { people, terms, postings, typoTerms, termBytes, deleted, changedAt }
}

function layoutOf({ people, terms, postings, typoTerms, termBytes, deleted }: SegmentSize) {
  const numbers = [
    people,
    people,
    terms,
    terms,
    postings,
    typoTerms,
    typoTerms,
    MAX_TYPO_LENGTH + 2,
    deleted,
  ]
  let at = HEADER_NUMBERS * NUMBER_BYTES
  const starts = numbers.map((length) => {
    const start = at
    at += length * NUMBER_BYTES
    return start
  })
  return { starts, ends: at, bytes: at + people + termBytes }
}

function viewSegment(buffer: ArrayBufferLike, size: SegmentSize): Segment {
  const { starts, ends } = layoutOf(size)
  const numbers = (index: number, length: number) =>
    new Uint32Array(buffer, starts[index] ?? 0, length)
  const postings = numbers(4, size.postings)
  return {
    buffer,
    ids: numbers(0, size.people),
    days: numbers(1, size.people),
    termEnds: numbers(2, size.terms),
    postingEnds: numbers(3, size.terms),
    postings,
    merged: new MergedRanges(postings, size.people),
    typoTerms: numbers(5, size.typoTerms),
    typoLetters: numbers(6, size.typoTerms),
    typoStarts: numbers(7, MAX_TYPO_LENGTH + 2),
    nameLengths: new Uint8Array(buffer, ends, size.people),
    history: { deleted: numbers(8, size.deleted), changedAt: size.changedAt },
    termBytes: new Uint8Array(buffer, ends + size.people, size.termBytes),
  }
}

/**
 * The UTF-8 bytes of a term, to find it by. Most terms are looked up several times for a query. Copied, because a small
 * `Buffer` would keep the whole pool that it is cut from.
 */
export const bytesOfTerm = memoize((term) => Uint8Array.from(Buffer.from(term)))

/** The number of terms, which are numbered from 0 in the order of their bytes. */
export function termCount({ termEnds }: Segment): number {
  return termEnds.length
}

/** The offset of a term in `termBytes`. */
export function termStart({ termEnds }: Segment, term: number): number {
  return term === 0 ? 0 : (termEnds[term - 1] ?? 0)
}

/** The offset of the first posting of a term. */
export function postingStart({ postingEnds }: Segment, term: number): number {
  return term === 0 ? 0 : (postingEnds[term - 1] ?? 0)
}

/** The text of a term. */
export function termText(segment: Segment, term: number): string {
  const { buffer, byteOffset } = segment.termBytes
  const start = termStart(segment, term)
  const length = (segment.termEnds[term] ?? 0) - start
  return Buffer.from(buffer, byteOffset + start, length).toString('utf8')
}

/** The first term that does not come before these bytes. */
export function lowerBound(segment: Segment, bytes: Uint8Array): number {
  let [low, high] = [0, termCount(segment)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTerm(segment, middle, bytes) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The first term from `from` on that does not begin with these bytes. */
export function prefixEnd(segment: Segment, bytes: Uint8Array, from: number): number {
  let [low, high] = [from, termCount(segment)]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hasPrefix(segment, middle, bytes)) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of the term with these bytes, or -1. */
export function findTerm(segment: Segment, bytes: Uint8Array): number {
  const term = lowerBound(segment, bytes)
  return isTerm(segment, term, bytes) ? term : -1
}

/** Whether the term with this number has these bytes. */
export function isTerm(segment: Segment, term: number, bytes: Uint8Array): boolean {
  return term < termCount(segment) && compareTerm(segment, term, bytes) === 0
}

/** The number of the person with this connection ID, or -1. */
export function findPerson(segment: Segment, connectionId: number): number {
  const person = firstPerson(segment, connectionId)
  return segment.ids[person] === connectionId ? person : -1
}

/** The first person whose connection ID is not smaller. */
export function firstPerson({ ids }: Segment, connectionId: number): number {
  return firstNotBelow(ids, connectionId)
}

function compareTerm(segment: Segment, term: number, bytes: Uint8Array): number {
  const { termBytes, termEnds } = segment
  const start = termStart(segment, term)
  const length = (termEnds[term] ?? 0) - start
  const shared = Math.min(length, bytes.length)
  for (let at = 0; at < shared; at += 1) {
    const difference = (termBytes[start + at] ?? 0) - (bytes[at] ?? 0)
    if (difference !== 0) return difference
  }
  return length - bytes.length
}

function hasPrefix(segment: Segment, term: number, bytes: Uint8Array): boolean {
  const { termBytes, termEnds } = segment
  const start = termStart(segment, term)
  if ((termEnds[term] ?? 0) - start < bytes.length) return false
  for (let at = 0; at < bytes.length; at += 1) if (termBytes[start + at] !== bytes[at]) return false
  return true
}

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

/** Numbers the people of all segments, one segment after the other. */
export function layOut({ segments }: SearchIndex): Layout {
  let size = 0
  const placed = segments.map(({ segment, gone }) => {
    const offset = size
    size += segment.ids.length
    return { segment, gone, offset }
  })
  return { segments: placed, size }
}
