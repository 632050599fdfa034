/** Queries for the keys by which imports match one member's connections. */

import { memberStatement } from '../../db/statement.ts'
import { pagesOf, type PageParams } from '../../db/paged-rows.ts'
import { MAX_HOLDERS, maxHoldersOf } from './match-keys.ts'
import type { ConnectionKey, FoundKey } from './connection-key.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The connections that have one of these keys, including deleted ones, in the order they were added. */
export async function findByKeys(
  reader: MemberReader,
  keys: readonly string[],
): Promise<readonly FoundKey[]> {
  return keys.length === 0 ? [] : reader.all(BY_KEYS, { keys: [...new Set(keys)] })
}

/** Without the keys of so many people that they say nothing about one of them, even if some no longer exist. */
export function withoutCrowded(found: readonly FoundKey[]): readonly FoundKey[] {
  const holders = Map.groupBy(found, ({ key }) => key)
  return found.filter(
    ({ key }) => maxHoldersOf(key) === Infinity || (holders.get(key)?.length ?? 0) <= MAX_HOLDERS,
  )
}

/** Adds keys by which imports match connections. Those that a connection has already are ignored. */
export async function addKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.insertMany({
    table: 'connection_keys',
    columns: ['key', 'connection_id'],
    // In index order, so that neighboring keys are written to the same page.
    rows: keys.toSorted(byKey).map(({ key, connectionId }) => [key, connectionId]),
    onConflict: 'ignore',
  })
}

/** Removes keys from connections, so that imports no longer match them by these. */
export async function dropKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.deleteMany({
    table: 'connection_keys',
    key: ['key', 'connection_id'],
    rows: keys.map(({ key, connectionId }) => [key, connectionId]),
  })
}

function byKey(one: ConnectionKey, other: ConnectionKey): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0
}

interface SharedKey {
  readonly key: string
  readonly ids: readonly number[]
}

/**
 * Returns the keys that several connections share and that identify people, in order, without those of families. Fingerprints of
 * imported rows do not identify people.
 */
export async function findSharedKeys(reader: MemberReader): Promise<readonly SharedKey[]> {
  const shared: SharedKey[] = []
  for await (const page of pagesOf(reader, SHARED, { first: '', limit: SHARED_PAGE }))
    for (const { key, ids } of page) shared.push({ key, ids: idsIn(ids) })
  return shared
}

/** Colleagues with similar names. Those with a profile are only compared with those without one. */
interface SharedFamilyKey {
  readonly withProfile: readonly number[]
  readonly without: readonly number[]
}

/** Returns the connections that share the key of a family at a company, where one of them has no profile. */
export async function findSharedFamilyKeys(
  reader: MemberReader,
): Promise<readonly SharedFamilyKey[]> {
  const rows = await reader.all(SHARED_FAMILIES, {})
  return rows.map(({ with_profile, without }) => ({
    withProfile: idsIn(with_profile),
    without: idsIn(without),
  }))
}

/** Ascending. */
function idsIn(text: string | null): number[] {
  return text === null
    ? []
    : text
        .split(' ')
        .map(Number)
        .sort((one, other) => one - other)
}

/** Keys per statement. */
const SHARED_PAGE = 2000

/**
 * By primary key. Keys of fingerprints and cards begin with h, of skipped contacts with s, of families with f and g
 * (`match-keys.ts`), of related people with r (`relation-keys.ts`).
 */
const SHARED = memberStatement<PageParams<string>, { key: string; ids: string }>()(`
  select key, string_agg(cast(connection_id as text), ' ') as ids from connection_keys
  where member_id = :member_id and key > :after and substr(key, 1, 1) not in ('h', 's', 'f', 'g', 'r')
  group by key having count(*) > 1 order by key limit :limit`)

/** By primary key. Keys of people with a profile begin with f, those of others with g. */
const SHARED_FAMILIES = memberStatement<
  object,
  { with_profile: string | null; without: string | null }
>()(`
  select string_agg(cast(connection_id as text), ' ') filter (where key < 'g') as with_profile,
    string_agg(cast(connection_id as text), ' ') filter (where key >= 'g') as without
  from connection_keys where member_id = :member_id and key >= 'f' and key < 'h'
  group by substr(key, 2) having count(*) > 1 and max(key) >= 'g'`)

const BY_KEYS = memberStatement<{ keys: readonly string[] }, FoundKey>()(`
  select k.key, k.connection_id from connection_keys k each (key = :keys...text)
  where k.member_id = :member_id order by k.connection_id`)
