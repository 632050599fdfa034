/**
 * Reads the people of a network to compare: a few columns of everyone, and all that decides and ranks of those who are
 * probably in it twice.
 */

import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { phoneKey } from '../../names/phone-number.ts'
import { MAX_SORT_KEY_LENGTH } from '../model/connection-store.ts'
import { nameWords, valueNumbers, type NameWords } from './name-words.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Matchable } from '../matching/match-person.ts'
import type { Person, Phone } from './same-person.ts'

export interface People {
  /** Everyone who is not deleted, by ID. */
  readonly everyone: ReadonlyMap<number, Person>
  readonly names: NameWords
}

/** Reads the columns that decide who is compared. */
export async function readEveryone(reader: MemberReader): Promise<People> {
  const everyone = new Map<number, Person>()
  const names = nameWords()
  const [companyNumber, locationNumber] = [valueNumbers(), valueNumbers()]
  for await (const rows of pagesOf(reader))
    for (const row of rows) {
      const words = names.wordsOf(row.name_key)
      const fullWords = names.fullWordsOf(words)
      everyone.set(row.connection_id, {
        connectionId: row.connection_id,
        words,
        fullWords,
        nameNumber: names.numberOf(fullWords),
        isNameTruncated: row.name_key.length >= MAX_SORT_KEY_LENGTH,
        companyNumber: companyNumber(row.company),
        locationNumber: locationNumber(row.location),
        emails: listOf(row.emails),
        phones: phonesOf(row.phones),
        profileUrl: row.profile_url,
      })
    }
  return { everyone, names }
}

/** Rows per read. */
const PAGE = 1000

/** The next page is read while the caller uses one. */
async function* pagesOf(reader: MemberReader): AsyncGenerator<readonly PersonRow[], void> {
  const read = (after: number) => reader.all(EVERYONE, { after, limit: PAGE })
  let next: Promise<PersonRow[]> | undefined = read(0)
  while (next) {
    const rows: PersonRow[] = await next
    const last = rows.at(-1)
    next = last && rows.length === PAGE ? read(last.connection_id) : undefined
    yield rows
  }
}

function phonesOf(json: string | null): readonly Phone[] {
  if (json === null) return NO_PHONES
  const phones: Phone[] = []
  for (const text of listOf(json)) {
    const phone = { key: phoneKey(text), text }
    const known = phones.findIndex(({ key }) => key === phone.key)
    if (known < 0) phones.push(phone)
    else phones[known] = phone
  }
  return phones
}

const NO_PHONES: readonly Phone[] = []

function listOf(json: string | null): readonly string[] {
  return json === null ? NONE : (JSON.parse(json) as string[])
}

const NONE: readonly string[] = []

/** A person with everything that decides whether two are the same, and which one to keep. */
export interface WholePerson extends Person {
  readonly name: string
  readonly location: string | null
  readonly fields: Matchable
  /** Number of filled values. */
  readonly filled: number
}

/** These people by ID, except those who were deleted meanwhile. */
export async function readWholePeople(
  reader: MemberReader,
  { everyone, names }: People,
  ids: Iterable<number>,
): Promise<Map<number, WholePerson>> {
  const people = new Map<number, WholePerson>()
  const all = [...new Set(ids)]
  for (let at = 0; at < all.length; at += PAGE)
    for (const row of await reader.all(WHOLE, { ids: all.slice(at, at + PAGE) })) {
      const person = everyone.get(row.connection_id)
      if (person) people.set(row.connection_id, wholePerson(person, row, names))
    }
  return people
}

function wholePerson(person: Person, row: WholeRow, names: NameWords): WholePerson {
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
  const whole = { ...person, name, location, fields, filled }
  if (!person.isNameTruncated) return whole
  const words = names.wordsOf(nameKey(name))
  const fullWords = names.fullWordsOf(words)
  return { ...whole, words, fullWords, nameNumber: names.numberOf(fullWords) }
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
const EVERYONE = memberStatement<{ after: number; limit: number }, PersonRow>()(`
  select connection_id, name_key, company, location, nullif(emails, '[]') as emails, nullif(phones, '[]') as phones,
    profile_url
  from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null
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
