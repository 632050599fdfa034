/** Builds a segment from documents. */

import { FIELD_BITS } from '../index/search-fields.ts'
import { SegmentLists } from './segment-lists.ts'
import { NO_HISTORY, type RowHistory, type Segment } from '../index/segment.ts'
import { TermNumbers } from './term-numbers.ts'
import type { AnalyzedDocument, SharedTerms } from './analyzed-document.ts'

interface SegmentBuilder {
  /** Adds a connection that was not added before. */
  add(document: AnalyzedDocument): void
  finish(history?: RowHistory): Segment
}

/** Call `finish` once, after the last document. */
export function segmentBuilder(): SegmentBuilder {
  const numbers = new TermNumbers()
  const people: Person[] = []
  const occurrences = new NumberList()
  function numbersOf(list: SharedTerms): readonly number[] {
    if (list.numbered?.by !== numbers)
      list.numbered = { by: numbers, numbers: list.terms.map((term) => numbers.numberOf(term)) }
    return list.numbered.numbers
  }
  return {
    add({ connectionId, day, nameLength, terms }) {
      people.push({ connectionId, day, nameLength, start: occurrences.length })
      let [before, start] = [-1, 0]
      for (const [field, list] of terms) {
        if (field !== before) start = occurrences.length
        before = field
        // A value of another list of the same field.
        const until = occurrences.length
        for (const one of 'terms' in list ? numbersOf(list) : list) {
          const number = typeof one === 'string' ? numbers.numberOf(one) : one
          const occurrence = number * 2 ** FIELD_BITS + field
          if (!occurrences.has(occurrence, start, until)) occurrences.push(occurrence)
        }
      }
    },
    finish: (history = NO_HISTORY) => arrange(numbers, people, occurrences).toSegment(history),
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
  numbers: TermNumbers,
  people: readonly Person[],
  occurrences: NumberList,
): SegmentLists {
  const terms = sortByBytes(numbers.terms.slice())
  const bytes = Buffer.from(terms.join(''))
  const lists = new SegmentLists(people.length, occurrences.length, bytes.length)
  lists.termBytes.set(bytes)
  lists.termBytesLength = bytes.length
  const counts = new Uint32Array(terms.length)
  for (let at = 0; at < occurrences.length; at += 1) {
    const number = occurrences.at(at) >>> FIELD_BITS
    counts[number] = (counts[number] ?? 0) + 1
  }
  // By the number of a term: where its next posting comes.
  const places = new Uint32Array(terms.length)
  let [byteEnd, postingEnd] = [0, 0]
  for (const term of terms) {
    const number = numbers.numberOf(term)
    places[number] = postingEnd
    byteEnd += utf8Length(term)
    postingEnd += counts[number] ?? 0
    lists.termEnds.push(byteEnd)
    lists.postingEnds.push(postingEnd)
  }
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
      const term = occurrence >>> FIELD_BITS
      const place = places[term] ?? 0
      lists.postings[place] = number * 2 ** FIELD_BITS + (occurrence & (2 ** FIELD_BITS - 1))
      places[term] = place + 1
    }
  }
  lists.postingsLength = occurrences.length
  return lists
}

/** The bytes of a term as UTF-8. `Buffer.byteLength` takes several times as long for short terms. */
function utf8Length(term: string): number {
  for (let at = 0; at < term.length; at += 1)
    if (term.charCodeAt(at) > 0x7f) return Buffer.byteLength(term)
  return term.length
}

/** Sorts by UTF-8. JavaScript's own order differs for characters outside the basic plane. */
function sortByBytes(terms: string[]): string[] {
  if (terms.some((term) => /[\ud800-\udfff]/.test(term)))
    return terms
      .map((term) => Buffer.from(term))
      .sort((one, other) => Buffer.compare(one, other))
      .map(String)
  return terms.sort()
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

  has(number: number, start: number, end: number): boolean {
    for (let index = start; index < end; index += 1)
      if (this.#numbers[index] === number) return true
    return false
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0
  }
}
