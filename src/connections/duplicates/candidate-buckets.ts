/**
 * Chooses the connections of a network to compare: those that share a key by which imports find candidates, and two people of
 * one name if a company is missing or they have one location or title. Work and memory grow linearly with the network instead of quadratically.
 */

import { memberStatement } from '../../db/statement.ts'
import { findSharedFamilyKeys, findSharedKeys } from '../model/key-store.ts'
import { isPhoneKey } from '../model/match-keys.ts'
import type { MemberReader } from '../../db/database.ts'

/** Connection IDs. */
type Ids = readonly number[]

/** Connections that share something, and are therefore compared. */
export interface Bucket {
  /** Compared with each other. */
  readonly ids: Ids
  /** Compared with `ids`, but not with each other. */
  readonly others: Ids
  /**
   * Whether a large bucket means nothing: a switchboard number, or a common family name in a large company. Of other large
   * buckets, neighbors are compared.
   */
  readonly isOnlySmall: boolean
}

/** Includes deleted connections. */
export async function findBuckets(reader: MemberReader): Promise<Bucket[]> {
  // PostgreSQL answers the one while the other is read here.
  const [keys, families, namesakes] = await Promise.all([
    findSharedKeys(reader),
    findSharedFamilyKeys(reader),
    reader.all(NAMESAKES, {}),
  ])
  return [
    ...keys.map(({ key, ids }) => ({ ids, others: NO_IDS, isOnlySmall: isPhoneKey(key) })),
    ...families.map(({ without, withProfile }) => ({
      ids: without,
      others: withProfile,
      isOnlySmall: true,
    })),
    ...namesakes.map(({ one, other }) => ({
      ids: [one, other],
      others: NO_IDS,
      isOnlySmall: true,
    })),
  ]
}

const NO_IDS: Ids = []

/** Larger buckets are not compared as a whole. */
const MAX_BUCKET_SIZE = 20

/** The pairs of a bucket that are compared. Some are in several buckets. */
export function* pairsIn<Person>(
  { ids, others, isOnlySmall }: Bucket,
  people: ReadonlyMap<number, Person>,
): Generator<readonly [one: Person, other: Person], void> {
  const [all, more] = [presentOf(ids, people), presentOf(others, people)]
  const isLarge = all.length > MAX_BUCKET_SIZE
  if (isOnlySmall && isLarge) return
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1, isLarge ? index + 2 : undefined)) yield [one, other]
    if (more.length <= MAX_BUCKET_SIZE) for (const other of more) yield [one, other]
  }
}

/** Deleted connections are not among the people. */
function presentOf<Person>(ids: Ids, people: ReadonlyMap<number, Person>): Person[] {
  return ids.map((id) => people.get(id)).filter((person) => person !== undefined)
}

/**
 * By connections_by_name. Two people of one name, if one has no company or both have one location or title. A name that more people
 * share is evidence only together with a company. SQLite reads the names first only in a cross join.
 */
const NAMESAKES = memberStatement<object, { one: number; other: number }>()(`
  select min(c.connection_id) as one, max(c.connection_id) as other from (
    select name_key from connections where member_id = :member_id group by name_key having count(*) between 2 and 5
  ) shared cross join connections c
  where c.member_id = :member_id and c.name_key = shared.name_key and c.deleted_at is null
  group by c.name_key
  having count(*) = 2 and (count(c.company) < 2 or
    count(c.location) = 2 and min(lower(c.location)) = max(lower(c.location)) or
    count(c.title) = 2 and min(lower(c.title)) = max(lower(c.title)))`)
