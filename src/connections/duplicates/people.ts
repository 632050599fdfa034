/**
 * The people of a network to compare: a few columns of everyone as numbers, and all that decides and ranks of those who are
 * probably in it twice.
 */

import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { readSearchChanges, type ChangedRange } from '../model/search-changes.ts'
import { fullWordsOf, nameNumberOf, NO_VALUE, wordsOf } from './name-words.ts'
import {
  columnOf,
  emailsAt,
  NO_POSITION,
  PeopleTableBuilder,
  phonesAt,
  positionOf,
  nameWordsAt,
  type PeopleTable,
} from './people-table.ts'
import { readPeople } from './read-people.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Matchable } from '../matching/match-person.ts'
import { NO_PHONE, type Person, type Phone, type WrittenPerson } from './same-person.ts'

/** Everyone who is not deleted. */
export interface People {
  /** The person at a position of the table, always as the same object. */
  at(position: number): Person
  find(connectionId: number): Person | undefined
  /** Whether `matchReasons` is certain to find none, by what takes least time: different profiles, and no email to share. */
  areUnlike(position: number, other: number): boolean
}

export function peopleOf(table: PeopleTable): People {
  const people = Array.from<Person | undefined>({ length: table.ids.length })
  const at = (position: number) => (people[position] ??= new PersonInTable(table, position))
  return {
    at,
    find(connectionId) {
      const position = positionOf(table, connectionId)
      return position === NO_POSITION ? undefined : at(position)
    },
    areUnlike(position, other) {
      const profileUrl = columnOf(table, position, 'profileUrl')
      const otherUrl = columnOf(table, other, 'profileUrl')
      if (profileUrl === otherUrl || profileUrl === NO_VALUE || otherUrl === NO_VALUE) return false
      return columnOf(table, position, 'emails') === 0 || columnOf(table, other, 'emails') === 0
    },
  }
}

/** Most people are compared by few values, so lists are made when they are needed. */
class PersonInTable implements Person {
  readonly #table: PeopleTable
  readonly #position: number
  #words: readonly number[] | undefined
  #fullWords: readonly number[] | undefined
  #emails: readonly number[] | undefined
  #phones: readonly number[] | undefined

  constructor(table: PeopleTable, position: number) {
    this.#table = table
    this.#position = position
  }

  get connectionId(): number {
    return this.#table.ids[this.#position] ?? 0
  }

  get words(): readonly number[] {
    return (this.#words ??= nameWordsAt(this.#table, this.#position, 'words'))
  }

  get fullWords(): readonly number[] {
    return (this.#fullWords ??= nameWordsAt(this.#table, this.#position, 'fullWords'))
  }

  get emails(): readonly number[] {
    return (this.#emails ??= emailsAt(this.#table, this.#position))
  }

  get phones(): readonly number[] {
    return (this.#phones ??= phonesAt(this.#table, this.#position))
  }

  get nameNumber(): number {
    return columnOf(this.#table, this.#position, 'name')
  }

  get isNameTruncated(): boolean {
    return columnOf(this.#table, this.#position, 'isNameTruncated') === 1
  }

  get companyNumber(): number {
    return columnOf(this.#table, this.#position, 'company')
  }

  get locationNumber(): number {
    return columnOf(this.#table, this.#position, 'location')
  }

  get profileUrl(): number | null {
    const profileUrl = columnOf(this.#table, this.#position, 'profileUrl')
    return profileUrl === NO_VALUE ? null : profileUrl
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
    await readPeople(reader, range, builder)
    next = range.last + 1
  }
  builder.copy(table, { first: next, last: EVERYONE.last })
  return builder.finish()
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

/** People per read. */
const PAGE = 1000

/** These people by ID, except those who were deleted meanwhile. */
export async function readWholePeople(
  reader: MemberReader,
  people: People,
  ids: Iterable<number>,
): Promise<Map<number, WholePerson>> {
  const found = new Map<number, WholePerson>()
  // In the order of the table, neighbors are read together.
  const all = Uint32Array.from(new Set(ids)).sort()
  for (let at = 0; at < all.length; at += PAGE)
    for (const row of await reader.all(WHOLE, { ids: [...all.subarray(at, at + PAGE)] })) {
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
  const { connectionId, words, fullWords, nameNumber, isNameTruncated } = person
  const { companyNumber, locationNumber } = person
  const whole = {
    connectionId,
    words,
    fullWords,
    nameNumber,
    isNameTruncated,
    companyNumber,
    locationNumber,
    name,
    location,
    fields,
    filled,
    emails: fields.emails,
    phones: writtenPhones.map(({ key }) => (key === '' ? NO_PHONE : key)),
    profileUrl: fields.profileUrl,
    writtenPhones,
  }
  if (!isNameTruncated) return whole
  const all = wordsOf(nameKey(name))
  const full = fullWordsOf(all)
  return { ...whole, words: all, fullWords: full, nameNumber: nameNumberOf(full) }
}

interface WholeRow {
  readonly connection_id: number
  readonly company: string | null
  readonly location: string | null
  /** JSON, as are `phones` and `links`; null for none. */
  readonly emails: string | null
  readonly phones: string | null
  readonly profile_url: string | null
  readonly name: string
  readonly given_name: string | null
  readonly family_name: string | null
  readonly title: string | null
  readonly links: string | null
  readonly birthday: string | null
  readonly connected_on: string | null
}

/** By primary key. */
const WHOLE = memberStatement<{ ids: readonly number[] }, WholeRow>()(`
  select connection_id, name, given_name, family_name, company, title, location, nullif(emails, '[]') as emails,
    nullif(phones, '[]') as phones, profile_url, nullif(links, '[]') as links, birthday, connected_on
  from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id and c.deleted_at is null`)
