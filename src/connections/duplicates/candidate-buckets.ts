/**
 * Chooses the connections of a network to compare: those that share a stored key, a phone number, the words of a name,
 * or a company and a word of the name. Work and memory grow linearly with the network instead of quadratically.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../db/statement.ts'
import { isInformative, type Bucket } from './buckets.ts'
import { EMPTY_VALUE } from './name-words.ts'
import { columnOf, NO_POSITION, phonesAt, positionOf, type PeopleTable } from './people-table.ts'
import { NO_PHONE } from './same-person.ts'
import { HeldNumbers } from './shared-numbers.ts'
import { shortenedNameBuckets } from './shortened-names.ts'
import type { MemberReader } from '../../db/database.ts'

/** A name that more people share is evidence only together with a company. */
const MAX_NAMESAKES = 5

interface Candidates {
  readonly buckets: readonly Bucket[]
  /** Numbers of names that many people share. */
  readonly common: ReadonlySet<number>
}

export async function findBuckets(reader: MemberReader, table: PeopleTable): Promise<Candidates> {
  // Once it is asked, PostgreSQL searches the keys while the names are compared here.
  const [keys, { buckets, common }] = await Promise.all([
    sharedKeys(reader, table),
    nextTurn().then(() => nameBuckets(table)),
  ])
  return { buckets: [...keys, ...buckets], common }
}

/** Connections that share a phone number or the words of a name. */
function nameBuckets(table: PeopleTable): Candidates {
  const { buckets: namesakes, common } = namesakeBuckets(table)
  const buckets = [...phoneBuckets(table), ...namesakes, ...shortenedNameBuckets(table)]
  return { buckets, common }
}

/** Connections that share a key that imports match by: email, profile URL, or name and company. */
async function sharedKeys(reader: MemberReader, table: PeopleTable): Promise<Bucket[]> {
  const rows = await reader.all(SHARED_KEYS, {})
  const holders = await manyHolders(reader, rows)
  return rows.map(({ key, first, last }) => {
    const positions = (holders.get(key) ?? [first, last]).map((id) => positionOf(table, id))
    return positions.includes(NO_POSITION)
      ? positions.filter((at) => at !== NO_POSITION)
      : positions
  })
}

/** Keys per read. */
const KEYS_READ = 1000

/** The IDs, ascending, of each key that more than two people share. */
async function manyHolders(
  reader: MemberReader,
  rows: readonly SharedKeyRow[],
): Promise<Map<string, number[]>> {
  const keys = rows.filter(({ count }) => count > 2).map(({ key }) => key)
  const holders = new Map<string, number[]>()
  for (let at = 0; at < keys.length; at += KEYS_READ)
    for (const row of await reader.all(HOLDERS, { keys: keys.slice(at, at + KEYS_READ) })) {
      const ids = holders.get(row.key)
      if (ids) ids.push(row.connection_id)
      else holders.set(row.key, [row.connection_id])
    }
  for (const ids of holders.values()) ids.sort((one, other) => one - other)
  return holders
}

function phoneBuckets(table: PeopleTable): Bucket[] {
  const held = new HeldNumbers()
  for (let position = 0; position < table.ids.length; position += 1)
    for (const phone of phonesAt(table, position))
      if (phone !== NO_PHONE) held.push(phone, position)
  return held
    .shared()
    .map(({ positions }) => positions)
    .filter(isInformative)
}

/** Connections with the same name; for common names only those at the same company. */
function namesakeBuckets(table: PeopleTable): Candidates {
  const held = new HeldNumbers()
  for (let position = 0; position < table.ids.length; position += 1)
    if (columnOf(table, position, 'words') > 1)
      held.push(columnOf(table, position, 'name'), position)
  const buckets: number[][] = []
  const common = new Set<number>()
  for (const { number, positions } of held.shared())
    if (positions.length <= MAX_NAMESAKES) buckets.push(positions)
    else {
      common.add(number)
      buckets.push(...Map.groupBy(positions, (position) => companyOf(table, position)).values())
    }
  return { buckets: buckets.filter(isInformative), common }
}

/** People without a company are together. */
function companyOf(table: PeopleTable, position: number): number {
  return Math.max(EMPTY_VALUE, columnOf(table, position, 'company'))
}

interface SharedKeyRow {
  readonly key: string
  readonly first: number
  readonly last: number
  readonly count: number
}

/**
 * One scan of the member's keys, most of which belong to one person; listing the people of each would take longer. Keys of
 * contacts (h, s) do not identify people.
 */
const SHARED_KEYS = memberStatement<object, SharedKeyRow>()(`
  select key, min(connection_id) as first, max(connection_id) as last, count(*) as count from connection_keys
  where member_id = :member_id and (key < 'h' or key > 'i') and (key < 's' or key > 't')
  group by key having count(*) > 1 order by key`)

/** By primary key. */
const HOLDERS = memberStatement<
  { keys: readonly string[] },
  { key: string; connection_id: number }
>()(`
  select k.key, k.connection_id from connection_keys k each (key = :keys...text)
  where k.member_id = :member_id`)
