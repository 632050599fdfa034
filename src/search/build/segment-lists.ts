/** The arrays of a segment that is being built. */

import { allocateSegment, type RowHistory, type Segment } from '../index/segment.ts'
import { indexTypos, typoTermsByLength } from '../index/typos.ts'

/** The arrays of a segment while their lengths are not known yet. */
export class SegmentLists {
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
  constructor(people: number, postings: number, termBytes: number) {
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

  toSegment({ deleted, changedAt }: RowHistory): Segment {
    const parts = {
      people: this.#people,
      terms: this.termEnds.length,
      postings: this.postingsLength,
      termBytes: this.termBytesLength,
      deleted: deleted.length,
      changedAt,
    }
    // Typo terms are counted on the terms alone, before the size of the segment is known.
    const draft = this.#fill(allocateSegment({ ...parts, typoTerms: 0 }))
    const byLength = typoTermsByLength(draft)
    const typoTerms = byLength.reduce((total, list) => total + list.length, 0)
    const segment = this.#fill(allocateSegment({ ...parts, typoTerms }))
    indexTypos(segment, byLength)
    segment.history.deleted.set(deleted)
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
