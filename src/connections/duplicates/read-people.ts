/**
 * Reads a few columns of everyone into a table of numbers. The database joins the columns of many rows into one text, and
 * words are hashed where they are in it, so that no object or string per value is created.
 */

import { lazy } from '../../base/lazy.ts'
import { memberStatement } from '../../db/statement.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { MAX_SORT_KEY_LENGTH } from '../model/connection-columns.ts'
import {
  addWords,
  fullWordOf,
  isShortForm,
  nameNumberOf,
  NO_VALUE,
  plainValueNumber,
  textNumber,
  valueNumber,
} from './name-words.ts'
import { NumberTable } from './number-table.ts'
import { COLUMN, type PeopleTableBuilder } from './people-table.ts'
import { NO_PHONE } from './same-person.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ChangedRange } from '../model/search-changes.ts'

/** Adds the people of a range who are not deleted. */
export async function readPeople(
  reader: MemberReader,
  range: ChangedRange,
  builder: PeopleTableBuilder,
): Promise<void> {
  for await (const page of pagesOf(reader, range)) new PackedPeople(page, builder).read()
}

/** People per read: about half a megabyte. */
const PAGE = 4000

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
const SEPARATOR_CODE = SEPARATOR.charCodeAt(0)
/** For null. */
const NULL = '\u001d'
/** As in a list of the database. */
const EMPTY_LIST = '[]'

/** Reads the people of one page from the beginning. */
class PackedPeople {
  readonly #text: string
  readonly #builder: PeopleTableBuilder
  /** Without a backslash, no list of the page has an escaped character. */
  readonly #hasEscapes: boolean
  readonly #values = knownValues()
  /** Where the next value begins. */
  #at = 0

  constructor(text: string, builder: PeopleTableBuilder) {
    this.#text = text
    this.#builder = builder
    this.#hasEscapes = text.includes('\\')
  }

  read(): void {
    const builder = this.#builder
    while (this.#at < this.#text.length) {
      builder.begin(this.#wholeNumber())
      builder.set(COLUMN.name, this.#name())
      builder.set(COLUMN.company, this.#value())
      builder.set(COLUMN.location, this.#value())
      this.#emails()
      builder.endList()
      this.#phones()
      builder.endList()
      const start = this.#at
      const profileUrl = textNumber(this.#text, start, this.#next())
      builder.set(COLUMN.profileUrl, profileUrl === NULL_NUMBER ? NO_VALUE : profileUrl)
    }
  }

  /** Moves to the next value. Returns the end of this one. */
  #next(): number {
    const found = this.#text.indexOf(SEPARATOR, this.#at)
    const end = found < 0 ? this.#text.length : found
    this.#at = end + 1
    return end
  }

  #wholeNumber(): number {
    let number = 0
    for (; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === SEPARATOR_CODE) break
      number = 10 * number + code - ZERO
    }
    this.#at += 1
    return number
  }

  /** Adds the words and the full words. Returns the number of the name. */
  #name(): number {
    const builder = this.#builder
    const start = builder.length
    const end = addWords(this.#text, this.#at, SEPARATOR_CODE, builder)
    if (end - this.#at >= MAX_SORT_KEY_LENGTH) builder.setTruncated()
    this.#at = end + 1
    builder.endList()
    return addFullWords(builder, start)
  }

  #value(): number {
    const start = this.#at
    const end = this.#next()
    if (end === start + NULL.length && this.#text[start] === NULL) return NO_VALUE
    return plainValueNumber(this.#text, start, end) ?? this.#values.numberOf(this.#text, start, end)
  }

  #emails(): void {
    const start = this.#at
    const end = this.#next()
    if (end - start === EMPTY_LIST.length) return
    if (this.#hasEscapes && this.#text.slice(start, end).includes('\\')) {
      for (const email of this.#list(start, end)) this.#builder.push(textNumber(email))
      return
    }
    // ["a","b"]
    for (let at = start + 2; at < end;) {
      const quote = this.#text.indexOf('"', at)
      this.#builder.push(textNumber(this.#text, at, quote))
      at = quote + 3
    }
  }

  #phones(): void {
    const start = this.#at
    const end = this.#next()
    if (end - start === EMPTY_LIST.length) return
    for (const number of phoneNumbers(this.#list(start, end))) this.#builder.push(number)
  }

  /** The value as a list; written by `JSON.stringify`. */
  #list(start: number, end: number): string[] {
    return JSON.parse(this.#text.slice(start, end)) as string[]
  }
}

const ZERO = '0'.charCodeAt(0)
const NULL_NUMBER = textNumber(NULL)

/** Adds the full words for the words from `start` on, if they differ. Returns the number of the name. */
export function addFullWords(builder: PeopleTableBuilder, start: number): number {
  const end = builder.length
  let isShort = false
  for (let at = start; at < end && !isShort; at += 1)
    isShort = isShortForm(builder.numbers[at] ?? 0)
  if (isShort)
    for (let at = start; at < end; at += 1) builder.push(fullWordOf(builder.numbers[at] ?? 0))
  builder.endList()
  return nameNumberOf(builder.numbers, isShort ? end : start, builder.length)
}

/** One per key. */
export function phoneNumbers(phones: readonly string[]): readonly number[] {
  const numbers = phones.map(phoneNumber)
  return numbers.length > 1 ? [...new Set(numbers)] : numbers
}

function phoneNumber(phone: string): number {
  const key = phoneKey(phone)
  return key === '' ? NO_PHONE : textNumber(key)
}

/** Texts that are remembered: most of the companies and locations of a large network that are not plain ASCII. */
const MAX_KNOWN = 50_000

/** Numbers of companies and locations, which repeat, by the hash of the text. Cutting out the text takes longer than hashing it. */
class ValueNumbers {
  readonly #numbers = new NumberTable()

  numberOf(text: string, start: number, end: number): number {
    const hash = textNumber(text, start, end)
    const known = this.#numbers.get(hash)
    if (known !== undefined) return known
    const number = valueNumber(text.slice(start, end))
    if (this.#numbers.size === MAX_KNOWN) this.#numbers.clear()
    this.#numbers.set(hash, number)
    return number
  }
}

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
