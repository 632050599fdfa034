/**
 * Chooses the connections of a network to compare: those that share a stored key, a phone number, the words of a name,
 * or a company and a word of the name. Work and memory grow linearly with the network instead of quadratically.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isIdentity } from '../model/key-run.ts'
import { readAllKeys } from '../model/key-store.ts'
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
  const { high, low, ids } = await readAllKeys(reader)
  const buckets: number[][] = []
  for (let from = 0, to = 1; from < ids.length; from = to, to += 1) {
    while (to < ids.length && high[to] === high[from] && low[to] === low[from]) to += 1
    if (to - from === 1 || !isIdentity(low[from] ?? 0)) continue
    const positions = [...ids.subarray(from, to)].map((id) => positionOf(table, id))
    buckets.push(positions.filter((at) => at !== NO_POSITION))
  }
  return buckets
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
