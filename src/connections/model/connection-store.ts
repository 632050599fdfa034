/** Queries for one member's connections. */

import { memberStatement } from '../../db/statement.ts'
import {
  CONNECTION_COLUMNS,
  UNDONE,
  connectionOf,
  type Connection,
  type ConnectionRow,
} from './connection.ts'
import { COLUMNS, connectionValues } from './connection-columns.ts'
import { addressKeysOf, keysOf } from './match-keys.ts'
import { addKeys, dropKeys } from './key-store.ts'
import { relationKeysOf } from './relation-keys.ts'
import { releasePhoto } from './photo-store.ts'
import { recordDeletion } from './record-deletion.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Also finds deleted and merged connections. */
export async function findConnection(
  reader: MemberReader,
  connectionId: number,
): Promise<Connection | undefined> {
  return (await findConnections(reader, [connectionId]))[0]
}

/** Also finds deleted and merged connections. Ordered by ID. */
export async function findConnections(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Connection[]> {
  if (ids.length === 0) return []
  return (await reader.all(BY_IDS, { ids: [...new Set(ids)] })).map(connectionOf)
}

/**
 * Resolves merges: maps each ID to the connection itself, or to the one it was finally merged into. Omits connections
 * that were permanently deleted or undone; includes deleted ones that can be restored.
 */
export async function findPresent(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Connection>> {
  const found = new Map<number, Connection>()
  let wanted = ids
  while (wanted.length > 0) {
    const connections = await findConnections(reader, wanted)
    for (const connection of connections) found.set(connection.connectionId, connection)
    wanted = [...new Set(connections.flatMap(({ mergedInto }) => mergedInto ?? []))].filter(
      (id) => id !== UNDONE && !found.has(id),
    )
  }
  const present = new Map<number, Connection>()
  for (const id of ids) {
    let connection = found.get(id)
    while (connection !== undefined && connection.mergedInto !== null)
      connection = found.get(connection.mergedInto)
    if (connection) present.set(id, connection)
  }
  return present
}

/** Inserts new connections with their keys. */
export async function insertConnections(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  await insertConnectionRows(tx, connections)
  await insertKeys(tx, connections)
}

/** Inserts new connections without keys, for a caller that writes the keys itself. */
export async function insertConnectionRows(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  await tx.insertMany({
    table: 'connections',
    columns: COLUMNS,
    rows: connections.map(connectionValues),
  })
}

/** As `updateConnections`, for one. */
export async function updateConnection(
  tx: MemberTransaction,
  before: Connection,
  after: Connection,
): Promise<void> {
  await updateConnections(tx, [{ before, after }])
}

/**
 * Writes existing connections and updates their keys. Keys of earlier names and companies are kept,
 * because a file that still has them means the same person.
 */
export async function updateConnections(
  tx: MemberTransaction,
  updates: readonly ConnectionUpdate[],
): Promise<void> {
  const connections = updates.map(({ after }) => after)
  await updateConnectionRows(tx, updates)
  await insertKeys(tx, connections)
  const deletions = connections.flatMap(({ deletedAt }) => deletedAt ?? [])
  if (deletions.length > 0) await recordDeletion(tx, earliest(deletions))
}

function earliest(times: readonly number[]): number {
  return times.reduce((one, other) => Math.min(one, other), Infinity)
}

/** An existing connection as it is stored, and its new state. */
export interface ConnectionUpdate {
  readonly before: Connection
  readonly after: Connection
}

/**
 * Writes the fields of existing connections and removes the keys of addresses that they no longer have, for a caller that
 * writes the other keys itself.
 */
export async function updateConnectionRows(
  tx: MemberTransaction,
  updates: readonly ConnectionUpdate[],
): Promise<void> {
  // The first column is the key.
  const [idColumn, ...columns] = COLUMNS
  const rows = updates.map(({ after }) => connectionValues(after))
  if (idColumn) await tx.updateMany({ table: 'connections', key: [idColumn], columns, rows })
  await dropKeys(
    tx,
    updates.flatMap(({ before, after }) =>
      [...lostAddressKeys(before, after), ...lostRelationKeys(before, after)].map((key) => ({
        key,
        connectionId: after.connectionId,
      })),
    ),
  )
  for (const { before, after } of updates) {
    const { photo } = before.details
    if (photo !== undefined && photo !== after.details.photo)
      await releasePhoto(tx, photo, after.updatedAt)
  }
}

function lostAddressKeys(before: Connection, after: Connection): readonly string[] {
  if (before.emails === after.emails && before.profileUrl === after.profileUrl) return NO_KEYS
  const keys = new Set(addressKeysOf(after))
  return addressKeysOf(before).filter((key) => !keys.has(key))
}

function lostRelationKeys(before: Connection, after: Connection): readonly string[] {
  if (before.details.relations === after.details.relations) return NO_KEYS
  const kept = new Set(relationKeysOf(after).map(({ key }) => key))
  return relationKeysOf(before).flatMap(({ key }) => (kept.has(key) ? [] : [key]))
}

const NO_KEYS: readonly string[] = []

async function insertKeys(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  await addKeys(
    tx,
    connections.flatMap((connection) => [
      ...keysOf(connection).map((key) => ({ key, connectionId: connection.connectionId })),
      ...relationKeysOf(connection),
    ]),
  )
}

/** By primary key. */
const BY_IDS = memberStatement<{ ids: readonly number[] }, ConnectionRow>()(
  `select ${CONNECTION_COLUMNS} from connections c each (connection_id = :ids...bigint)
   where c.member_id = :member_id order by c.connection_id`,
)
