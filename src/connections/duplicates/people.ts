/**
 * Reads the people of a network to compare: a few columns of everyone as numbers, and all that decides and ranks of those
 * who are probably in it twice.
 */

import { nameKey } from '../../base/tokenize.ts'
import { remembering } from '../../base/remembering.ts'
import { memberStatement } from '../../db/statement.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { MAX_SORT_KEY_LENGTH } from '../model/connection-store.ts'
import { readSearchChanges, type ChangedRange } from '../model/search-changes.ts'
import {
  fullWordsOf,
  nameNumberOf,
  NO_VALUE,
  textNumber,
  valueNumber,
  wordsOf,
} from './name-words.ts'
import {
  columnOf,
  emailsAt,
  firstPosition,
  PeopleTableBuilder,
  phonesAt,
  nameWordsAt,
  type PeopleTable,
} from './people-table.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Matchable } from '../matching/match-person.ts'
import { NO_PHONE, type Person, type Phone, type WrittenPerson } from './same-person.ts'

/** Everyone who is not deleted. */
export interface People {
  readonly table: PeopleTable
  /** The person at a position of the table, always as the same object. */
  readonly at: (position: number) => Person
  find(connectionId: number): Person | undefined
}

export function peopleOf(table: PeopleTable): People {
  const people: Person[] = []
  const at = (position: number) => (people[position] ??= personAt(table, position))
  return {
    table,
    at,
    find(connectionId) {
      const position = firstPosition(table, connectionId)
      return table.ids[position] === connectionId ? at(position) : undefined
    },
  }
}

function personAt(table: PeopleTable, position: number): Person {
  const profileUrl = columnOf(table, position, 'profileUrl')
  return {
    connectionId: table.ids[position] ?? 0,
    words: nameWordsAt(table, position, 'words'),
    fullWords: nameWordsAt(table, position, 'fullWords'),
    nameNumber: columnOf(table, position, 'name'),
    isNameTruncated: columnOf(table, position, 'isNameTruncated') === 1,
    companyNumber: columnOf(table, position, 'company'),
    locationNumber: columnOf(table, position, 'location'),
    emails: emailsAt(table, position),
    phones: phonesAt(table, position),
    profileUrl: profileUrl === NO_VALUE ? null : profileUrl,
  }
}

/** Everyone as of a version of the network. */
export interface PeopleVersion {
  readonly version: number
  readonly table: PeopleTable
}

/** Everyone at this version or later. Of `known`, only the people who changed since are read again, if they are few. */
export async function currentPeople(
  reader: MemberReader,
  known: PeopleVersion | undefined,
  version: number,
): Promise<PeopleTable> {
  if (known === undefined) return readRanges(reader, NO_PEOPLE, [EVERYONE])
  if (known.version >= version) return known.table
  const ranges = await readSearchChanges(reader, known.version, version)
  const changed = ranges?.reduce((sum, { first, last }) => sum + last - first + 1, 0) ?? Infinity
  return changed > known.table.ids.length / 4
    ? readRanges(reader, NO_PEOPLE, [EVERYONE])
    : readRanges(reader, known.table, ranges ?? [])
}

const EVERYONE: ChangedRange = { first: 0, last: 2 ** 31 - 1 }
const NO_PEOPLE = new PeopleTableBuilder().finish()

/** The table with the people of these ascending ranges read again. */
async function readRanges(
  reader: MemberReader,
  table: PeopleTable,
  ranges: readonly ChangedRange[],
): Promise<PeopleTable> {
  const builder = new PeopleTableBuilder()
  let next = EVERYONE.first
  for (const range of ranges) {
    builder.copy(table, { first: next, last: range.first - 1 })
    await addPeople(reader, range, builder)
    next = range.last + 1
  }
  builder.copy(table, { first: next, last: EVERYONE.last })
  return builder.finish()
}

async function addPeople(
  reader: MemberReader,
  range: ChangedRange,
  builder: PeopleTableBuilder,
): Promise<void> {
  for await (const rows of pagesOf(reader, range))
    for (const row of rows) {
      const words = wordsOf(row.name_key)
      const fullWords = fullWordsOf(words)
      builder.add(row.connection_id, {
        name: nameNumberOf(fullWords),
        company: row.company === null ? NO_VALUE : repeatedNumber(row.company),
        location: row.location === null ? NO_VALUE : repeatedNumber(row.location),
        profileUrl: row.profile_url === null ? NO_VALUE : textNumber(row.profile_url),
        isNameTruncated: row.name_key.length >= MAX_SORT_KEY_LENGTH,
        words,
        fullWords,
        emails: row.emails === null ? NO_NUMBERS : listOf(row.emails).map(textNumber),
        phones: row.phones === null ? NO_NUMBERS : phonesOf(listOf(row.phones)).map(phoneNumber),
      })
    }
}

const NO_NUMBERS: readonly number[] = []

/** Texts that are remembered: most companies and locations of a large network. */
const MAX_KNOWN = 50_000

const repeatedNumber = remembering<number>(valueNumber, MAX_KNOWN)

/** Rows per read. */
const PAGE = 1000

/** The next page is read while the caller uses one. */
async function* pagesOf(
  reader: MemberReader,
  { first, last }: ChangedRange,
): AsyncGenerator<readonly PersonRow[], void> {
  const read = (from: number) => reader.all(PEOPLE, { from, last, limit: PAGE })
  let next: Promise<PersonRow[]> | undefined = read(first)
  while (next) {
    const rows: PersonRow[] = await next
    const end = rows.at(-1)
    next = end && rows.length === PAGE ? read(end.connection_id + 1) : undefined
    yield rows
  }
}

/** One per key. */
function phonesOf(texts: readonly string[]): readonly Phone[] {
  const phones: Phone[] = []
  for (const text of texts) {
    const phone = { key: phoneKey(text), text }
    const known = phones.findIndex(({ key }) => key === phone.key)
    if (known < 0) phones.push(phone)
    else phones[known] = phone
  }
  return phones
}

function phoneNumber({ key }: Phone): number {
  return key === '' ? NO_PHONE : textNumber(key)
}

function listOf(json: string | null): readonly string[] {
  return json === null ? NONE : (JSON.parse(json) as string[])
}

const NONE: readonly string[] = []

/** A person with everything that decides whether two are the same, and which one to keep. */
export interface WholePerson extends WrittenPerson {
  readonly fields: Matchable
  /** Number of filled values. */
  readonly filled: number
}

/** These people by ID, except those who were deleted meanwhile. */
export async function readWholePeople(
  reader: MemberReader,
  people: People,
  ids: Iterable<number>,
): Promise<Map<number, WholePerson>> {
  const found = new Map<number, WholePerson>()
  const all = [...new Set(ids)]
  for (let at = 0; at < all.length; at += PAGE)
    for (const row of await reader.all(WHOLE, { ids: all.slice(at, at + PAGE) })) {
      const person = people.find(row.connection_id)
      if (person) found.set(row.connection_id, wholePerson(person, row))
    }
  return found
}

/** Its addresses are texts, so that no two are equal by chance. */
function wholePerson(person: Person, row: WholeRow): WholePerson {
  const { name, location } = row
  const fields = {
    name,
    givenName: row.given_name,
    familyName: row.family_name,
    company: row.company,
    title: row.title,
    location,
    emails: listOf(row.emails),
    phones: listOf(row.phones),
    profileUrl: row.profile_url,
    birthday: row.birthday,
    connectedOn: row.connected_on,
  } satisfies Matchable
  const filled = Object.values(fields).reduce(
    (sum: number, value) => sum + (typeof value === 'object' ? (value?.length ?? 0) : 1),
    listOf(row.links).length,
  )
  const writtenPhones = phonesOf(fields.phones)
  const whole = {
    ...person,
    name,
    location,
    fields,
    filled,
    emails: fields.emails,
    phones: writtenPhones.map(({ key }) => (key === '' ? NO_PHONE : key)),
    profileUrl: fields.profileUrl,
    writtenPhones,
  }
  if (!person.isNameTruncated) return whole
  const words = wordsOf(nameKey(name))
  const fullWords = fullWordsOf(words)
  return { ...whole, words, fullWords, nameNumber: nameNumberOf(fullWords) }
}

interface PersonRow {
  readonly connection_id: number
  readonly name_key: string
  readonly company: string | null
  readonly location: string | null
  /** JSON, as are `phones` and `links`; null for none. */
  readonly emails: string | null
  readonly phones: string | null
  readonly profile_url: string | null
}

/** By primary key, as is the next one. */
const PEOPLE = memberStatement<{ from: number; last: number; limit: number }, PersonRow>()(`
  select connection_id, name_key, company, location, nullif(emails, '[]') as emails, nullif(phones, '[]') as phones,
    profile_url
  from connections
  where member_id = :member_id and connection_id >= :from and connection_id <= :last and deleted_at is null
  order by connection_id limit :limit`)

interface WholeRow extends Omit<PersonRow, 'name_key'> {
  readonly name: string
  readonly given_name: string | null
  readonly family_name: string | null
  readonly title: string | null
  readonly links: string | null
  readonly birthday: string | null
  readonly connected_on: string | null
}

const WHOLE = memberStatement<{ ids: readonly number[] }, WholeRow>()(`
  select connection_id, name, given_name, family_name, company, title, location, nullif(emails, '[]') as emails,
    nullif(phones, '[]') as phones, profile_url, nullif(links, '[]') as links, birthday, connected_on
  from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id and c.deleted_at is null`)
