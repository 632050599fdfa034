/**
 * What is compared for everyone in a network, as numbers in typed arrays over shared memory: threads exchange it without
 * copying, and 100,000 people take about 8 MB. People are in the order of their connection IDs.
 */

import { firstNotBelow } from '../../base/sorted-numbers.ts'
import type { ChangedRange } from '../model/search-changes.ts'

export interface PeopleTable {
  readonly ids: Uint32Array
  /** Of each person, the numbers of `COLUMN`; 0 for none. */
  readonly columns: Float64Array
  /** The lists of `LIST` of each person, one after the other. */
  readonly numbers: Float64Array
  /** Where each list of each person ends in `numbers`. */
  readonly ends: Uint32Array
  /** 1 for each person whose words are only those of the beginning of the name, which is stored. */
  readonly truncated: Uint8Array
}

export const COLUMN = {
  /** The number of the full words. */
  name: 0,
  company: 1,
  location: 2,
  profileUrl: 3,
} as const
export type Column = (typeof COLUMN)[keyof typeof COLUMN]
const COLUMNS = Object.keys(COLUMN).length

export const LIST = {
  /** Of the name. */
  words: 0,
  /** With nicknames replaced by full names; empty if there are none. */
  fullWords: 1,
  emails: 2,
  /** The keys of the phone numbers, each once. */
  phones: 3,
} as const
export type List = (typeof LIST)[keyof typeof LIST]
const LISTS = Object.keys(LIST).length

export function columnOf({ columns }: PeopleTable, position: number, column: Column): number {
  return columns[position * COLUMNS + column] ?? 0
}

/** Where a list begins in `numbers`. */
export function listStart({ ends }: PeopleTable, position: number, list: List): number {
  const at = position * LISTS + list
  return at === 0 ? 0 : (ends[at - 1] ?? 0)
}

export function listEnd({ ends }: PeopleTable, position: number, list: List): number {
  return ends[position * LISTS + list] ?? 0
}

export function listLength(table: PeopleTable, position: number, list: List): number {
  return listEnd(table, position, list) - listStart(table, position, list)
}

/** The list of a person's full words. */
export function fullList(table: PeopleTable, position: number): List {
  return listLength(table, position, LIST.fullWords) > 0 ? LIST.fullWords : LIST.words
}

/** A plain loop is much faster than a view of a few numbers. */
export function listAt(table: PeopleTable, position: number, list: List): readonly number[] {
  const end = listEnd(table, position, list)
  const numbers: number[] = []
  for (let at = listStart(table, position, list); at < end; at += 1)
    numbers.push(table.numbers[at] ?? 0)
  return numbers
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

export function tableBytes({ ids, columns, numbers, ends, truncated }: PeopleTable): number {
  return [ids, columns, numbers, ends, truncated].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  )
}

/** Add people in the order of their IDs. */
export class PeopleTableBuilder {
  /** The numbers of all lists, `length` of which are used. */
  numbers = new Float64Array(1024)
  length = 0
  #people = 0
  #lists = 0
  #ids = new Uint32Array(128)
  #columns = new Float64Array(128 * COLUMNS)
  #ends = new Uint32Array(128 * LISTS)
  #truncated = new Uint8Array(128)

  /** Starts the next person: all lists follow in their order, and columns in any. */
  begin(connectionId: number): void {
    if (this.#people === this.#ids.length) this.#reserve(1)
    this.#ids[this.#people++] = connectionId
  }

  set(column: Column, number: number): void {
    this.#columns[(this.#people - 1) * COLUMNS + column] = number
  }

  /** Adds a number to the list. */
  push(number: number): void {
    if (this.length === this.numbers.length)
      this.numbers = grown(this.numbers, new Float64Array(2 * this.length))
    this.numbers[this.length++] = number
  }

  endList(): void {
    this.#ends[this.#lists++] = this.length
  }

  setTruncated(): void {
    this.#truncated[this.#people - 1] = 1
  }

  /** Adds the people of a table whose IDs are in this range. */
  copy(table: PeopleTable, { first, last }: ChangedRange): void {
    const [from, until] = [firstPosition(table, first), firstPosition(table, last + 1)]
    const [start, end] = [listStart(table, from, 0), listStart(table, until, 0)]
    const needed = this.length + end - start
    if (needed > this.numbers.length)
      this.numbers = grown(this.numbers, new Float64Array(2 * needed))
    this.#reserve(until - from)
    this.#ids.set(table.ids.subarray(from, until), this.#people)
    this.#truncated.set(table.truncated.subarray(from, until), this.#people)
    const columns = table.columns.subarray(from * COLUMNS, until * COLUMNS)
    this.#columns.set(columns, this.#people * COLUMNS)
    this.numbers.set(table.numbers.subarray(start, end), this.length)
    for (let list = from * LISTS; list < until * LISTS; list += 1)
      this.#ends[this.#lists++] = (table.ends[list] ?? 0) - start + this.length
    this.#people += until - from
    this.length = needed
  }

  finish(): PeopleTable {
    const people = this.#people
    return {
      ids: shared(this.#ids.subarray(0, people), Uint32Array),
      columns: shared(this.#columns.subarray(0, people * COLUMNS), Float64Array),
      numbers: shared(this.numbers.subarray(0, this.length), Float64Array),
      ends: shared(this.#ends.subarray(0, this.#lists), Uint32Array),
      truncated: shared(this.#truncated.subarray(0, people), Uint8Array),
    }
  }

  #reserve(people: number): void {
    const most = this.#people + people
    if (most <= this.#ids.length) return
    this.#ids = grown(this.#ids, new Uint32Array(2 * most))
    this.#columns = grown(this.#columns, new Float64Array(2 * most * COLUMNS))
    this.#ends = grown(this.#ends, new Uint32Array(2 * most * LISTS))
    this.#truncated = grown(this.#truncated, new Uint8Array(2 * most))
  }
}

type Numbers = Uint8Array | Uint32Array | Float64Array

function grown<Kind extends Numbers>(list: Kind, larger: Kind): Kind {
  larger.set(list)
  return larger
}

/** A copy that threads can share. */
function shared<Kind extends Numbers>(
  list: Kind,
  ArrayOfKind: { new (buffer: SharedArrayBuffer): Kind },
): Kind {
  const copy = new ArrayOfKind(new SharedArrayBuffer(list.byteLength))
  copy.set(list)
  return copy
}
