/**
 * The people of a network to compare: a few columns of everyone as numbers, and all that decides and ranks of those who are
 * probably in it twice.
 */

import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { readSearchChanges, type ChangedRange } from '../model/search-changes.ts'
import { addWords, NO_CHARACTER, NO_VALUE, textNumber, valueNumber } from './name-words.ts'
import { COLUMN, PeopleTableBuilder, positionOf, type PeopleTable } from './people-table.ts'
import { addFullWords, phoneNumbers, readPeople } from './read-people.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Matchable } from '../matching/match-person.ts'

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

function listOf(json: string | null): readonly string[] {
  return json === null ? NONE : (JSON.parse(json) as string[])
}

const NONE: readonly string[] = []

/** A person with everything that decides whether two are the same, and which one to keep. */
export interface WholePerson {
  readonly connectionId: number
  /** In the table. */
  readonly position: number
  readonly fields: Matchable
  /** Number of filled values. */
  readonly filled: number
}

/** People per read. */
const PAGE = 1000

/** These people by their position in the table, except those who were deleted meanwhile. */
export async function readWholePeople(
  reader: MemberReader,
  table: PeopleTable,
  positions: Iterable<number>,
): Promise<Map<number, WholePerson>> {
  const found = new Map<number, WholePerson>()
  // In the order of the table, neighbors are read together.
  const all = Uint32Array.from(new Set(positions)).sort()
  const read = async (page: Uint32Array) => {
    const ids = Array.from(page, (position) => table.ids[position] ?? 0)
    for (const row of await reader.all(WHOLE, { ids })) {
      const position = positionOf(table, row.connection_id)
      found.set(position, wholePerson(row, position))
    }
  }
  const pages = Array.from({ length: Math.ceil(all.length / PAGE) }, (_, page) =>
    all.subarray(page * PAGE, (page + 1) * PAGE),
  )
  await Promise.all(pages.map(read))
  return found
}

function wholePerson(row: WholeRow, position: number): WholePerson {
  const fields = {
    name: row.name,
    givenName: row.given_name,
    familyName: row.family_name,
    company: row.company,
    title: row.title,
    location: row.location,
    emails: listOf(row.emails),
    phones: listOf(row.phones),
    profileUrl: row.profile_url,
    birthday: row.birthday,
    connectedOn: row.connected_on,
  } satisfies Matchable
  const { givenName, familyName, company, title, location, emails, phones } = fields
  const single = [givenName, familyName, company, title, location, fields.profileUrl]
  let filled = 1 + emails.length + phones.length + listOf(row.links).length
  for (const value of single) if (value !== null) filled += 1
  for (const value of [fields.birthday, fields.connectedOn]) if (value !== null) filled += 1
  return { connectionId: row.connection_id, position, fields, filled }
}

/**
 * Two people as a table. Unlike in the table of everyone, their words are those of the whole names, and their addresses the
 * current ones.
 */
export function tableOfTwo(one: WholePerson, other: WholePerson): PeopleTable {
  const builder = new PeopleTableBuilder()
  for (const { connectionId, fields } of [one, other]) {
    builder.begin(connectionId)
    const start = builder.length
    addWords(nameKey(fields.name), 0, NO_CHARACTER, builder)
    builder.endList()
    builder.set(COLUMN.name, addFullWords(builder, start))
    builder.set(COLUMN.company, fields.company === null ? NO_VALUE : valueNumber(fields.company))
    builder.set(COLUMN.location, fields.location === null ? NO_VALUE : valueNumber(fields.location))
    const { profileUrl } = fields
    builder.set(COLUMN.profileUrl, profileUrl === null ? NO_VALUE : textNumber(profileUrl))
    for (const email of fields.emails) builder.push(textNumber(email))
    builder.endList()
    for (const phone of phoneNumbers(fields.phones)) builder.push(phone)
    builder.endList()
  }
  return builder.finish()
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
