/**
 * Chooses the connections of a network to compare: those that share a stored key, a phone number, the words of a name,
 * or a company and a word of the name. Work and memory grow linearly with the network instead of quadratically.
 */

import { isInformative, type Bucket } from './buckets.ts'
import { EMPTY_VALUE } from './name-words.ts'
import {
  COLUMN,
  columnOf,
  LIST,
  listEnd,
  listLength,
  listStart,
  type PeopleTable,
} from './people-table.ts'
import { NO_PHONE } from './same-person.ts'
import { sharedKeyBuckets } from './shared-keys.ts'
import { HeldNumbers } from './shared-numbers.ts'
import { shortenedNameBuckets } from './shortened-names.ts'
import type { KeyRun } from '../model/key-run.ts'

/** A name that more people share is evidence only together with a company. */
const MAX_NAMESAKES = 5

interface Candidates {
  readonly buckets: readonly Bucket[]
  /** Numbers of names that many people share. */
  readonly common: ReadonlySet<number>
}

/** `keys` are those that several connections have. */
export function findBuckets(table: PeopleTable, keys: KeyRun): Candidates {
  const { buckets: namesakes, common } = namesakeBuckets(table)
  const buckets = [
    ...sharedKeyBuckets(keys, table),
    ...phoneBuckets(table),
    ...namesakes,
    ...shortenedNameBuckets(table),
  ]
  return { buckets, common }
}

function phoneBuckets(table: PeopleTable): Bucket[] {
  const held = new HeldNumbers()
  for (let position = 0; position < table.ids.length; position += 1) {
    const end = listEnd(table, position, LIST.phones)
    for (let at = listStart(table, position, LIST.phones); at < end; at += 1) {
      const phone = table.numbers[at] ?? NO_PHONE
      if (phone !== NO_PHONE) held.push(phone, position)
    }
  }
  return held
    .shared()
    .map(({ positions }) => positions)
    .filter(isInformative)
}

/** Connections with the same name; for common names only those at the same company. */
function namesakeBuckets(table: PeopleTable): Candidates {
  const held = new HeldNumbers()
  for (let position = 0; position < table.ids.length; position += 1)
    if (listLength(table, position, LIST.words) > 1)
      held.push(columnOf(table, position, COLUMN.name), position)
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
  return Math.max(EMPTY_VALUE, columnOf(table, position, COLUMN.company))
}
