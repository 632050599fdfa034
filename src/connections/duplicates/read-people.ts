/**
 * Reads a few columns of everyone into a table of numbers. The database joins the columns of many rows into one text, and
 * words are hashed where they are in it, so that no object or string per value is created.
 */

import { lazy } from '../../base/lazy.ts'
import { memberStatement } from '../../db/statement.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { MAX_SORT_KEY_LENGTH } from '../model/connection-store.ts'
import {
  fullWordsOf,
  nameNumberOf,
  NO_VALUE,
  textNumber,
  valueNumber,
  wordsOf,
} from './name-words.ts'
import { NO_PHONE } from './same-person.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ChangedRange } from '../model/search-changes.ts'
import type { PeopleTableBuilder } from './people-table.ts'

/** Adds the people of a range who are not deleted. */
export async function readPeople(
  reader: MemberReader,
  range: ChangedRange,
  builder: PeopleTableBuilder,
): Promise<void> {
  for await (const page of pagesOf(reader, range)) new PackedPeople(page).addTo(builder)
}

/** People per read. */
const PAGE = 1000

/** The next page is read while the caller uses one. */
async function* pagesOf(
  reader: MemberReader,
  { first, last }: ChangedRange,
): AsyncGenerator<string, void> {
  const read = (from: number) => reader.get(PACKED, { from, last, limit: PAGE })
  let next: Promise<PackedPage | undefined> | undefined = read(first)
  while (next) {
    const page: PackedPage | undefined = await next
    if (!page || page.packed === null) return
    next = page.count === PAGE ? read(page.until + 1) : undefined
    yield page.packed
  }
}

interface PackedPage {
  readonly count: number
  /** The last ID. */
  readonly until: number
  /** Null for no one. */
  readonly packed: string | null
}

/** Between values, of which each person has as many. */
const SEPARATOR = '\u001f'
/** For null. */
const NULL = '\u001d'
/** As in a list of the database. */
const EMPTY_LIST = '[]'

/** Reads the people of one page from the beginning. */
class PackedPeople {
  readonly #text: string
  /** Without a backslash, no list of the page has an escaped character. */
  readonly #hasEscapes: boolean
  readonly #values = knownValues()
  #start = 0
  #end = -1

  constructor(text: string) {
    this.#text = text
    this.#hasEscapes = text.includes('\\')
  }

  addTo(builder: PeopleTableBuilder): void {
    while (this.#end < this.#text.length) {
      this.#find()
      const connectionId = Number(this.#text.slice(this.#start, this.#end))
      this.#find()
      const words = wordsOf(this.#text, this.#start, this.#end)
      const isNameTruncated = this.#end - this.#start >= MAX_SORT_KEY_LENGTH
      const fullWords = fullWordsOf(words)
      const name = nameNumberOf(fullWords)
      const [company, location] = [this.#value(), this.#value()]
      const [emails, phones] = [this.#emails(), this.#phones()]
      this.#find()
      const profileUrl = this.#isNull ? NO_VALUE : textNumber(this.#text, this.#start, this.#end)
      const values = { words, fullWords, emails, phones, isNameTruncated }
      builder.add(connectionId, { ...values, name, company, location, profileUrl })
    }
  }

  /** Moves to the next value. */
  #find(): void {
    this.#start = this.#end + 1
    const end = this.#text.indexOf(SEPARATOR, this.#start)
    this.#end = end < 0 ? this.#text.length : end
  }

  get #isNull(): boolean {
    return this.#end === this.#start + NULL.length && this.#text[this.#start] === NULL
  }

  #value(): number {
    this.#find()
    return this.#isNull ? NO_VALUE : this.#values.numberOf(this.#text, this.#start, this.#end)
  }

  #emails(): readonly number[] {
    this.#find()
    const [start, end] = [this.#start, this.#end]
    if (end - start === EMPTY_LIST.length) return NO_NUMBERS
    if (this.#isEscaped) return this.#list().map((email) => textNumber(email))
    const numbers: number[] = []
    // ["a","b"]
    for (let at = start + 2; at < end;) {
      const quote = this.#text.indexOf('"', at)
      numbers.push(textNumber(this.#text, at, quote))
      at = quote + 3
    }
    return numbers
  }

  #phones(): readonly number[] {
    this.#find()
    return this.#end - this.#start === EMPTY_LIST.length ? NO_NUMBERS : phoneNumbers(this.#list())
  }

  get #isEscaped(): boolean {
    if (!this.#hasEscapes) return false
    const escape = this.#text.indexOf('\\', this.#start)
    return escape >= 0 && escape < this.#end
  }

  /** The value as a list; written by `JSON.stringify`. */
  #list(): string[] {
    return JSON.parse(this.#text.slice(this.#start, this.#end)) as string[]
  }
}

const NO_NUMBERS: readonly number[] = []

/** One per key. */
function phoneNumbers(phones: readonly string[]): readonly number[] {
  const numbers = phones.map(phoneNumber)
  return numbers.length > 1 ? [...new Set(numbers)] : numbers
}

function phoneNumber(phone: string): number {
  const key = phoneKey(phone)
  return key === '' ? NO_PHONE : textNumber(key)
}

/** Texts that are remembered: most companies and locations of a large network. */
const MAX_KNOWN = 50_000

/** Numbers of companies and locations, which repeat, by the hash of the text. Cutting out the text takes longer than hashing it. */
class ValueNumbers {
  /** Pairs of a hash and a number, with linear probing; 0 for an empty slot. At most half of them are used. */
  readonly #slots = new Float64Array(2 * SLOTS)
  #count = 0

  numberOf(text: string, start: number, end: number): number {
    const hash = textNumber(text, start, end)
    let slot = (hash & (SLOTS - 1)) * 2
    for (; this.#slots[slot] !== 0; slot = (slot + 2) & (2 * SLOTS - 1))
      if (this.#slots[slot] === hash) return this.#slots[slot + 1] ?? 0
    const number = valueNumber(text.slice(start, end))
    if (this.#count === MAX_KNOWN) this.#clear()
    else this.#add(slot, hash, number)
    return number
  }

  #add(slot: number, hash: number, number: number): void {
    this.#slots[slot] = hash
    this.#slots[slot + 1] = number
    this.#count += 1
  }

  #clear(): void {
    this.#slots.fill(0)
    this.#count = 0
  }
}

/** A power of two. */
const SLOTS = 2 ** 17

const knownValues = lazy(() => new ValueNumbers())

/**
 * By primary key. A separator in a value becomes a space, which makes no difference for a company or location; lists have
 * it escaped.
 */
const PACKED = memberStatement<{ from: number; last: number; limit: number }, PackedPage>()(`
  select count(*) as count, max(connection_id) as until, string_agg(
    concat_ws('${SEPARATOR}', connection_id, name_key,
      coalesce(replace(company, '${SEPARATOR}', ' '), '${NULL}'),
      coalesce(replace(location, '${SEPARATOR}', ' '), '${NULL}'),
      emails, phones, coalesce(replace(profile_url, '${SEPARATOR}', ' '), '${NULL}')),
    '${SEPARATOR}') as packed
  from (
    select connection_id, name_key, company, location, emails, phones, profile_url from connections
    where member_id = :member_id and connection_id >= :from and connection_id <= :last and deleted_at is null
    order by connection_id limit :limit
  ) page`)
