/** Queries for one member's connections. */

import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  CONNECTION_COLUMNS,
  UNDONE,
  connectionOf,
  type Connection,
  type ConnectionRow,
} from './connection.ts'
import { addressKeysOf, keysOf } from './match-keys.ts'
import { NO_DETAILS, type Details } from './details.ts'
import { addKeys, dropKeys } from './key-store.ts'
import { lastJobEnd } from './organizations.ts'
import { releasePhoto } from './photo-store.ts'
import { recordDeletion } from './record-deletion.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Also finds deleted and merged connections. */
export async function findConnection(
  reader: MemberReader,
  connectionId: number,
): Promise<Connection | undefined> {
  const row = await reader.get(BY_ID, { connection_id: connectionId })
  return row && connectionOf(row)
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

/** Reserves `count` numbers for new connections and returns the first. */
export async function numberConnections(tx: MemberTransaction, count: number): Promise<number> {
  const row = await tx.get(NUMBER_CONNECTIONS, { count })
  if (!row) throw new Error(`member ${tx.memberId} has no network`)
  return row.last_connection - count + 1
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
  const rows = connections.map(valuesOf)
  const isPlain = rows.every((row) =>
    DEFAULTS.every((value, index) => row[index + NEEDED.length] === value),
  )
  await tx.insertMany(
    isPlain
      ? { table: 'connections', columns: NEEDED, rows: rows.map(withoutDefaults) }
      : { table: 'connections', columns: COLUMNS, rows },
  )
}

/**
 * Writes every field of an existing connection and updates its keys. Keys of earlier names and companies are kept,
 * because a file that still has them means the same person.
 */
export async function updateConnection(
  tx: MemberTransaction,
  before: Connection,
  connection: Connection,
): Promise<void> {
  await updateConnectionRows(tx, [{ before, after: connection }])
  await insertKeys(tx, [connection])
  if (connection.deletedAt !== null) await recordDeletion(tx, connection.deletedAt)
}

/** An existing connection and its new state. */
interface ConnectionUpdate {
  readonly before: Connection
  readonly after: Connection
}

/**
 * Writes every field of existing connections and removes the keys of addresses that they no longer have, for a caller that
 * writes the other keys itself.
 */
export async function updateConnectionRows(
  tx: MemberTransaction,
  updates: readonly ConnectionUpdate[],
): Promise<void> {
  for (const [changed, group] of Map.groupBy(updates, changedIndexes)) {
    const names = new Set<string>(changed.split(' '))
    const places = COLUMNS.flatMap((column, place) =>
      place > 0 && (!INDEXED.has(column) || names.has(column)) ? [place] : [],
    )
    const [key] = COLUMNS
    const sent = [0, ...places]
    await tx.updateMany({
      table: 'connections',
      key: [key],
      columns: places.map((place) => COLUMNS[place] ?? key),
      rows: group.map(({ after }) => {
        const values = valuesOf(after)
        return sent.map((place) => values[place] ?? null)
      }),
    })
  }
  await dropKeys(
    tx,
    updates.flatMap(({ before, after }) =>
      lostAddressKeys(before, after).map((key) => ({ key, connectionId: after.connectionId })),
    ),
  )
  for (const { before, after } of updates) {
    const { photo } = before.details
    if (photo !== undefined && photo !== after.details.photo)
      await releasePhoto(tx, photo, after.updatedAt)
  }
}

/** The keys of addresses that a connection no longer has. */
export function lostAddressKeys(before: Connection, after: Connection): readonly string[] {
  if (before.emails === after.emails && before.profileUrl === after.profileUrl) return NO_KEYS
  const keys = new Set(addressKeysOf(after))
  return addressKeysOf(before).filter((key) => !keys.has(key))
}

const NO_KEYS: readonly string[] = []

/** Indexed columns. SQLite would replace their index entries even if the value stays the same. */
const INDEXED: ReadonlySet<string> = new Set(['name_key', 'connected_on', 'job_ended_on'])

/** The columns that change. */
function changedIndexes({ before, after }: ConnectionUpdate): string {
  return [
    before.name !== after.name && 'name_key',
    before.connectedOn !== after.connectedOn && 'connected_on',
    lastJobEnd(before.details) !== lastJobEnd(after.details) && 'job_ended_on',
  ]
    .filter((column) => column !== false)
    .join(' ')
}

async function insertKeys(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  await addKeys(
    tx,
    connections.flatMap((connection) =>
      keysOf(connection).map((key) => ({ key, connectionId: connection.connectionId })),
    ),
  )
}

/** The columns without which a row cannot be inserted, and those that most people have a value for. */
const NEEDED = [
  'connection_id',
  'name',
  'name_key',
  'given_name',
  'family_name',
  'company',
  'title',
  'emails',
  'profile_url',
  'connected_on',
  'source',
  'import_job_id',
  'version',
  'created_at',
  'updated_at',
] as const

const COLUMNS = [
  ...NEEDED,
  'location',
  'phones',
  'links',
  'birthday',
  'details',
  'job_ended_on',
  'field_sources',
  'deleted_at',
  'merged_into',
] as const

/** What the database stores in the columns that are not in `NEEDED`. Sending it takes as long as sending other values. */
const DEFAULTS = [null, '[]', '[]', null, '{}', null, '{}', null, null] as const

type Value = string | number | null

function withoutDefaults(row: readonly Value[]): readonly Value[] {
  return row.slice(0, NEEDED.length)
}

/** In the order of `COLUMNS`. */
function valuesOf(connection: Connection): Value[] {
  return [
    connection.connectionId,
    connection.name,
    nameKey(connection.name).slice(0, MAX_SORT_KEY_LENGTH).toWellFormed(),
    connection.givenName,
    connection.familyName,
    connection.company,
    connection.title,
    json(connection.emails),
    connection.profileUrl,
    connection.connectedOn,
    connection.source,
    connection.importJobId,
    connection.version,
    connection.createdAt,
    connection.updatedAt,
    connection.location,
    json(connection.phones),
    json(connection.links),
    connection.birthday,
    detailsJson(connection.details),
    lastJobEnd(connection.details),
    JSON.stringify(connection.fieldSources),
    connection.deletedAt,
    connection.mergedInto,
  ]
}

/** Characters that names are sorted by, limited because cursors contain them. */
export const MAX_SORT_KEY_LENGTH = 100

function detailsJson(details: Details): string {
  return details === NO_DETAILS ? '{}' : JSON.stringify(details)
}

function json(values: readonly string[]): string {
  return values.length === 0 ? '[]' : JSON.stringify(values)
}

/** By primary key, like `BY_IDS`. */
const BY_ID = memberStatement<{ connection_id: number }, ConnectionRow>()(
  `select ${CONNECTION_COLUMNS} from connections c where c.member_id = :member_id and c.connection_id = :connection_id`,
)

const BY_IDS = memberStatement<{ ids: readonly number[] }, ConnectionRow>()(
  `select ${CONNECTION_COLUMNS} from connections c each (connection_id = :ids...bigint)
   where c.member_id = :member_id order by c.connection_id`,
)

const NUMBER_CONNECTIONS = memberStatement<{ count: number }, { last_connection: number }>()(`
  update networks set last_connection = last_connection + :count
  where member_id = :member_id returning last_connection`)
