/**
 * Tables whose rows each belong to one connection. A merge moves the rows to the kept connection, an undo or a split moves them
 * back, and the purge of a connection removes them.
 */

import { formatPublicId } from '../../base/public-id.ts'
import { memberStatement } from '../../db/statement.ts'
import { columnName, type Columns } from '../../records/columns.ts'
import { FOLLOW_UPS } from '../follow-ups/follow-ups.ts'
import { NOTES } from '../notes/notes.ts'
import {
  connectionIdOf,
  recordNumberIn,
  type PersonRows,
  type Snapshot,
} from '../person/snapshot.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** A noun of a person is added here. */
export const PERSON_TABLES = [NOTES, FOLLOW_UPS].map(withStatements)

interface Declared {
  readonly table: string
  readonly plural: string
  readonly prefix: string
  readonly key: string
  readonly columns: Columns
}

function withStatements({ table, plural, prefix, key, columns }: Declared) {
  const id = columnName(columns, key)
  return {
    table,
    plural,
    prefix,
    id,
    rowsOf: memberStatement<{ ids: readonly number[] }, { connection_id: number; id: number }>()(`
      select connection_id, ${id} as id from ${table}
      where member_id = :member_id and connection_id in (:ids...bigint) order by connection_id, ${id}`),
    moveAll: memberStatement<{ kept_id: number; ids: readonly number[] }>()(`
      update ${table} set connection_id = :kept_id
      where member_id = :member_id and connection_id in (:ids...bigint)`),
    moveSome: memberStatement<{ kept_id: number; other_id: number; ids: readonly number[] }>()(`
      update ${table} set connection_id = :other_id
      where member_id = :member_id and connection_id = :kept_id and ${id} in (:ids...bigint)`),
    remove: memberStatement<{ ids: readonly number[] }>()(`
      delete from ${table} where member_id = :member_id and connection_id in (:ids...bigint)`),
  }
}

export const NO_ROWS: PersonRows = Object.fromEntries(
  PERSON_TABLES.map(({ plural }) => [plural, []]),
)

/** The rows of each connection, including deleted ones, in the order of `ids`. */
export async function personRowsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<PersonRows[]> {
  const all = new Map(ids.map((id) => [id, new Map<string, string[]>()]))
  for (const { plural, prefix, rowsOf } of PERSON_TABLES)
    for (const { connection_id, id } of await reader.all(rowsOf, { ids })) {
      const lists = all.get(connection_id)
      lists?.set(plural, [...(lists.get(plural) ?? []), formatPublicId(prefix, id)])
    }
  return ids.map((id) => ({ ...NO_ROWS, ...Object.fromEntries(all.get(id) ?? []) }))
}

/** The rows of several connections together. */
export function joinedRows(all: readonly PersonRows[]): PersonRows {
  return Object.fromEntries(
    PERSON_TABLES.map(({ plural }) => [plural, all.flatMap((rows) => rows[plural] ?? [])]),
  )
}

/** Moves all rows of these connections to another one. */
export async function moveRows(
  tx: MemberTransaction,
  kept_id: number,
  ids: readonly number[],
): Promise<void> {
  for (const { moveAll } of PERSON_TABLES) await tx.run(moveAll, { kept_id, ids })
}

/** Moves rows that the kept connection still has to another one. */
export async function moveSomeRows(
  tx: MemberTransaction,
  rows: PersonRows,
  { kept_id, other_id }: { readonly kept_id: number; readonly other_id: number },
): Promise<void> {
  for (const { plural, moveSome } of PERSON_TABLES) {
    const ids = (rows[plural] ?? []).map(recordNumberIn)
    if (ids.length > 0) await tx.run(moveSome, { kept_id, other_id, ids })
  }
}

/** Gives connections the rows of their snapshots, whether the rows are deleted or not. */
export async function placeRows(
  tx: MemberTransaction,
  snapshots: readonly Snapshot[],
): Promise<void> {
  for (const { table, plural, id } of PERSON_TABLES) {
    const rows = snapshots.flatMap((snapshot) =>
      (snapshot.moved_rows?.[plural] ?? []).map(
        (one) => [recordNumberIn(one), connectionIdOf(snapshot)] as const,
      ),
    )
    if (rows.length > 0) await tx.updateMany({ table, key: [id], columns: ['connection_id'], rows })
  }
}

/** Permanently removes the rows of these connections, which it returns. */
export async function purgeRows(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<PersonRows> {
  const purged = joinedRows(await personRowsOf(tx, ids))
  for (const { remove } of PERSON_TABLES) await tx.run(remove, { ids })
  return purged
}
