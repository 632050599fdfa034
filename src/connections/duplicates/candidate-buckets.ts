/**
 * Chooses the connections of a network to compare: those that share a key by which imports find candidates.
 * Work and memory grow linearly with the network instead of quadratically.
 */

import { findSharedFamilyKeys, findSharedKeys } from '../model/key-store.ts'
import { MAX_HOLDERS, maxHoldersOf } from '../model/match-keys.ts'
import type { MemberReader } from '../../db/database.ts'

/** Connection IDs. */
type Ids = readonly number[]

/** Connections that share something, and are therefore compared. */
export interface Bucket {
  /** Compared with each other. */
  readonly ids: Ids
  /** Compared with `ids`, but not with each other. */
  readonly others: Ids
  /** The number of people up to which it means something. If that is more than `MAX_HOLDERS`, neighbors are compared. */
  readonly maxSize: number
}

/** Includes deleted connections. */
export async function findBuckets(reader: MemberReader): Promise<Bucket[]> {
  // PostgreSQL answers the one while the other is read here.
  const [keys, families] = await Promise.all([findSharedKeys(reader), findSharedFamilyKeys(reader)])
  return [
    ...keys.map(({ key, ids }) => ({ ids, others: NO_IDS, maxSize: maxHoldersOf(key) })),
    ...families.map(({ without, withProfile }) => ({
      ids: without,
      others: withProfile,
      maxSize: MAX_HOLDERS,
    })),
  ]
}

const NO_IDS: Ids = []

/** The pairs of a bucket that are compared. Some are in several buckets. */
export function* pairsIn<Person>(
  { ids, others, maxSize }: Bucket,
  people: ReadonlyMap<number, Person>,
): Generator<readonly [one: Person, other: Person], void> {
  const [all, more] = [presentOf(ids, people), presentOf(others, people)]
  if (all.length > maxSize) return
  const isLarge = all.length > MAX_HOLDERS
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1, isLarge ? index + 2 : undefined)) yield [one, other]
    if (more.length <= MAX_HOLDERS) for (const other of more) yield [one, other]
  }
}

/** Deleted connections are not among the people. */
function presentOf<Person>(ids: Ids, people: ReadonlyMap<number, Person>): Person[] {
  return ids.map((id) => people.get(id)).filter((person) => person !== undefined)
}
