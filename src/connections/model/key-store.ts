/** Queries for the keys by which imports match one member's connections. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader, MemberTransaction, Rows } from '../../db/database.ts'

export interface ConnectionKey {
  readonly key: string
  readonly connectionId: number
}

/** A connection that has a key. */
export interface FoundKey {
  readonly key: string
  readonly connection_id: number
}

/** The connections that have one of these keys, including deleted ones, in the order they were added. */
export async function findByKeys(
  reader: MemberReader,
  keys: readonly string[],
): Promise<readonly FoundKey[]> {
  return keys.length === 0 ? [] : reader.all(BY_KEYS, { keys: [...new Set(keys)] })
}

/** Adds keys by which imports match connections. Those that a connection has already are ignored. */
export async function addKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.insertMany({ ...rowsOf(keys), onConflict: 'ignore' })
}

/**
 * Adds the keys of new connections, each of them once. PostgreSQL takes twice as long if it has to ignore keys that are
 * there.
 */
export async function addKeysOfNew(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.insertMany(rowsOf(keys))
}

function rowsOf(keys: readonly ConnectionKey[]): Rows {
  return {
    table: 'connection_keys',
    columns: ['key', 'connection_id'],
    // In index order, so that neighboring keys are written to the same page.
    rows: keys.toSorted(byKey).map(({ key, connectionId }) => [key, connectionId]),
  }
}

/** Removes keys from connections, so that imports no longer match them by these. */
export async function dropKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.deleteMany({
    table: 'connection_keys',
    key: ['key', 'connection_id'],
    rows: keys.map(({ key, connectionId }) => [key, connectionId]),
  })
}

function byKey(one: ConnectionKey, other: ConnectionKey): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0
}

/** By primary key. */
const BY_KEYS = memberStatement<{ keys: readonly string[] }, FoundKey>()(`
  select k.key, k.connection_id from connection_keys k each (key = :keys...text)
  where k.member_id = :member_id order by k.connection_id`)
