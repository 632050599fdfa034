/**
 * What is compared for everyone in a network, as numbers in typed arrays over shared memory: threads exchange it without
 * copying, and 100,000 people take about 10 MB. People are in the order of their connection IDs.
 */

import { firstNotBelow } from '../../base/sorted-numbers.ts'
import type { ChangedRange } from '../model/search-changes.ts'

export interface PeopleTable {
  readonly ids: Uint32Array
  /** Where the record of each person ends in `numbers`. */
  readonly ends: Uint32Array
  /** Of each person: the columns of `COLUMN`, words, full words, emails and phone numbers. */
  readonly numbers: Float64Array
}

/** Each is 0 for none; in the order of `PeopleTableBuilder.add`. */
const COLUMN = {
  /** The number of the full words. */
  name: 0,
  company: 1,
  location: 2,
  profileUrl: 3,
  /** Number of words. */
  words: 4,
  /** Number of emails. */
  emails: 5,
  isNameTruncated: 6,
} as const

/** Where the words of a record begin. */
const WORDS = Object.keys(COLUMN).length

/** The values of one person. */
interface PersonNumbers {
  readonly name: number
  readonly company: number
  readonly location: number
  readonly profileUrl: number
  readonly isNameTruncated: boolean
  readonly words: readonly number[]
  /** As many as `words`. */
  readonly fullWords: readonly number[]
  readonly emails: readonly number[]
  readonly phones: readonly number[]
}

export function columnOf(
  table: PeopleTable,
  position: number,
  column: keyof typeof COLUMN,
): number {
  return table.numbers[startOf(table, position) + COLUMN[column]] ?? 0
}

/** Where words as written or full words are in `numbers`. */
export function wordRange(
  table: PeopleTable,
  position: number,
  kind: 'words' | 'fullWords',
): { readonly start: number; readonly end: number } {
  const first = startOf(table, position)
  const count = table.numbers[first + COLUMN.words] ?? 0
  const start = first + WORDS + (kind === 'words' ? 0 : count)
  return { start, end: start + count }
}

export function nameWordsAt(
  table: PeopleTable,
  position: number,
  kind: 'words' | 'fullWords',
): readonly number[] {
  const { start, end } = wordRange(table, position, kind)
  return numbersIn(table, start, end - start)
}

export function emailsAt(table: PeopleTable, position: number): readonly number[] {
  const first = startOf(table, position)
  const words = table.numbers[first + COLUMN.words] ?? 0
  return numbersIn(table, first + WORDS + 2 * words, table.numbers[first + COLUMN.emails] ?? 0)
}

export function phonesAt(table: PeopleTable, position: number): readonly number[] {
  const first = startOf(table, position)
  const { numbers, ends } = table
  const before = 2 * (numbers[first + COLUMN.words] ?? 0) + (numbers[first + COLUMN.emails] ?? 0)
  const start = first + WORDS + before
  return numbersIn(table, start, (ends[position] ?? 0) - start)
}

/** A plain loop is much faster than a view of a few numbers. */
function numbersIn({ numbers }: PeopleTable, start: number, count: number): readonly number[] {
  if (count === 0) return NO_NUMBERS
  const list: number[] = []
  for (let at = start; at < start + count; at += 1) list.push(numbers[at] ?? 0)
  return list
}

const NO_NUMBERS: readonly number[] = []

function startOf({ ends }: PeopleTable, position: number): number {
  return position === 0 ? 0 : (ends[position - 1] ?? 0)
}

/** The position of the first person whose ID is not smaller. */
function firstPosition({ ids }: PeopleTable, connectionId: number): number {
  return firstNotBelow(ids, connectionId)
}

/** Where the person with this ID is; `NO_POSITION` if there is none. */
export function positionOf(table: PeopleTable, connectionId: number): number {
  const position = firstPosition(table, connectionId)
  return table.ids[position] === connectionId ? position : NO_POSITION
}

export const NO_POSITION = -1

export function tableBytes({ ids, ends, numbers }: PeopleTable): number {
  return ids.byteLength + ends.byteLength + numbers.byteLength
}

/** Add people in the order of their IDs. */
export class PeopleTableBuilder {
  #ids = new Uint32Array(1024)
  #ends = new Uint32Array(1024)
  #numbers = new Float64Array(1024 * 16)
  #people = 0
  #length = 0

  add(connectionId: number, person: PersonNumbers): void {
    const { words, fullWords, emails, phones } = person
    this.#reserve(1, WORDS + 2 * words.length + emails.length + phones.length)
    this.#push(person.name)
    this.#push(person.company)
    this.#push(person.location)
    this.#push(person.profileUrl)
    this.#push(words.length)
    this.#push(emails.length)
    this.#push(person.isNameTruncated ? 1 : 0)
    for (const number of words) this.#push(number)
    for (const number of fullWords) this.#push(number)
    for (const number of emails) this.#push(number)
    for (const number of phones) this.#push(number)
    this.#ids[this.#people] = connectionId
    this.#ends[this.#people++] = this.#length
  }

  /** Adds the people of a table whose IDs are in this range. */
  copy(table: PeopleTable, { first, last }: ChangedRange): void {
    const [from, until] = [firstPosition(table, first), firstPosition(table, last + 1)]
    const [start, end] = [startOf(table, from), startOf(table, until)]
    this.#reserve(until - from, end - start)
    this.#ids.set(table.ids.subarray(from, until), this.#people)
    this.#numbers.set(table.numbers.subarray(start, end), this.#length)
    for (let position = from; position < until; position += 1)
      this.#ends[this.#people++] = (table.ends[position] ?? 0) - start + this.#length
    this.#length += end - start
  }

  finish(): PeopleTable {
    const ids = new Uint32Array(new SharedArrayBuffer(4 * this.#people))
    const ends = new Uint32Array(new SharedArrayBuffer(4 * this.#people))
    const numbers = new Float64Array(new SharedArrayBuffer(8 * this.#length))
    ids.set(this.#ids.subarray(0, this.#people))
    ends.set(this.#ends.subarray(0, this.#people))
    numbers.set(this.#numbers.subarray(0, this.#length))
    return { ids, ends, numbers }
  }

  /** After `#reserve`. */
  #push(number: number): void {
    this.#numbers[this.#length++] = number
  }

  #reserve(people: number, length: number): void {
    const most = this.#people + people
    if (most > this.#ids.length) {
      this.#ids = grown(this.#ids, new Uint32Array(2 * most))
      this.#ends = grown(this.#ends, new Uint32Array(2 * most))
    }
    const needed = this.#length + length
    if (needed > this.#numbers.length)
      this.#numbers = grown(this.#numbers, new Float64Array(2 * needed))
  }
}

function grown<List extends Uint32Array | Float64Array>(list: List, larger: List): List {
  larger.set(list)
  return larger
}
