/**
 * Postings of words and prefixes that many people have, merged by person. `m` has 200,000 postings in a network of 100,000
 * people, but only 25,000 people. They are merged when a word is first searched, and kept with the segment.
 */

import { FIELD_BITS, FIELD_MASK } from './search-fields.ts'
import { countBits, include, setLength, type PeopleSet } from './people-set.ts'

export interface MergedPostings {
  /** The people of the segment who have any. */
  readonly people: PeopleSet
  /** A bit mask of the fields of all of them. */
  readonly present: number
  /** A bit mask of the fields of each of these people, in ascending order. */
  readonly fields: Uint16Array
  /** By word of `people`: the place of its first person in `fields`. */
  readonly starts: Uint32Array
}

interface PostingsOfFields {
  readonly start: number
  /** After the last posting. */
  readonly end: number
  /** A bit mask of the fields that count. */
  readonly fields: number
}

/** Smaller networks are searched as quickly without. */
const MIN_PEOPLE = 8192
/** Fewer postings, compared with the people of the segment, are visited as quickly. */
const MIN_SHARE = 1 / 8
/** Share of the bytes of the postings. All prefixes of one and two letters take about as much. */
const MAX_SHARE = 1 / 4

/** The merged postings of one segment. The least recently used make room for others. */
export class MergedRanges {
  /** At most; counted as if all of it were used. */
  readonly maxBytes: number
  readonly #postings: Uint32Array
  readonly #people: number
  readonly #merged = new Map<string, MergedPostings>()
  #bytes = 0

  constructor(postings: Uint32Array, people: number) {
    this.#postings = postings
    this.#people = people
    this.maxBytes = people < MIN_PEOPLE ? 0 : Math.floor(postings.byteLength * MAX_SHARE)
  }

  /** Undefined for postings that are not worth merging. */
  read(range: PostingsOfFields): MergedPostings | undefined {
    const isLong = range.end - range.start >= this.#people * MIN_SHARE
    if (!isLong || this.maxBytes === 0) return undefined
    const key = `${range.start} ${range.end} ${range.fields}`
    const known = this.#merged.get(key)
    const merged = known ?? mergePostings(this.#postings, this.#people, range)
    if (known) this.#merged.delete(key)
    else this.#makeRoom(bytesOf(merged))
    this.#merged.set(key, merged)
    return merged
  }

  #makeRoom(bytes: number): void {
    this.#bytes += bytes
    for (const [key, oldest] of this.#merged) {
      if (this.#bytes <= this.maxBytes) return
      this.#merged.delete(key)
      this.#bytes -= bytesOf(oldest)
    }
  }
}

function bytesOf({ people, fields, starts }: MergedPostings): number {
  return people.byteLength + fields.byteLength + starts.byteLength
}

function mergePostings(
  postings: Uint32Array,
  size: number,
  { start, end, fields: wanted }: PostingsOfFields,
): MergedPostings {
  const fieldsOf = new Uint16Array(size)
  const people = new Uint32Array(setLength(size))
  let [count, present] = [0, 0]
  for (let index = start; index < end; index += 1) {
    const posting = postings[index] ?? 0
    const field = 1 << (posting & FIELD_MASK)
    if ((wanted & field) === 0) continue
    const person = posting >>> FIELD_BITS
    present |= field
    count += include(people, person)
    fieldsOf[person] = (fieldsOf[person] ?? 0) | field
  }
  return {
    people,
    present,
    fields: count === size ? fieldsOf : withoutZeros(fieldsOf, count),
    starts: startsOf(people),
  }
}

/** The numbers other than 0, of which there are `count`. Several times faster than a filter. */
function withoutZeros(numbers: Uint16Array, count: number): Uint16Array {
  const others = new Uint16Array(count)
  for (let at = 0, next = 0; next < count; at += 1) {
    const number = numbers[at] ?? 0
    others[next] = number
    if (number !== 0) next += 1
  }
  return others
}

function startsOf(people: PeopleSet): Uint32Array {
  const starts = new Uint32Array(people.length)
  let count = 0
  for (let word = 0; word < people.length; word += 1) {
    starts[word] = count
    count += countBits(people[word] ?? 0)
  }
  return starts
}

/** A bit mask of the fields in which a person of the segment has a posting. */
export function fieldsOfPerson({ people, fields, starts }: MergedPostings, person: number): number {
  const word = people[person >>> 5] ?? 0
  const bit = 1 << (person & 31)
  if ((word & bit) === 0) return 0
  return fields[(starts[person >>> 5] ?? 0) + countBits(word & (bit - 1))] ?? 0
}
