/** Runs statements on a connection. `memberId` is the value of `:member_id`. */

import type { SQLInputValue } from 'node:sqlite'
import type { Rows } from '../../database.ts'
import { bind, type SqliteConnection } from './connection.ts'
import { translateFailure } from './failures.ts'
import { everyRow, firstRow } from './rows.ts'

/** The first row; undefined if there is none. */
export function getRow<Row>(
  connection: SqliteConnection,
  text: string,
  params: object,
  memberId?: number,
): Row | undefined {
  try {
    const prepared = connection.prepare(text)
    return firstRow(prepared, bind(prepared, params, memberId)) as Row | undefined
  } catch (error) {
    throw translateFailure(error)
  }
}

export function allRows<Row>(
  connection: SqliteConnection,
  text: string,
  params: object,
  memberId?: number,
): Row[] {
  try {
    const prepared = connection.prepare(text)
    return everyRow(prepared, bind(prepared, params, memberId)) as Row[]
  } catch (error) {
    throw translateFailure(error)
  }
}

/** Returns the number of changed rows. */
export function runWrite(
  connection: SqliteConnection,
  text: string,
  params: object,
  memberId?: number,
): number {
  const prepared = connection.prepareWrite(text)
  return Number(prepared.statement.run(...bind(prepared, params, memberId)).changes)
}

/** Finds one row of a member. */
export function conditionOn(key: readonly string[]): string {
  return ['member_id', ...key].map((column) => `${column} = ?`).join(' and ')
}

/** `changed` is the updated row. SQLite does not allow an update in a WITH clause, so its values are parameters. */
export function recordRow(
  connection: SqliteConnection,
  record: string,
  params: object,
  changed: object,
  memberId: number,
): void {
  const columns = Object.keys(changed).map((column) => `:changed_${column} as ${column}`)
  const values = Object.entries(changed).map(([column, value]) => [`changed_${column}`, value])
  runWrite(
    connection,
    `with changed as (select ${columns.join(', ')}) ${record}`,
    { ...params, ...Object.fromEntries(values) },
    memberId,
  )
}

/**
 * One row per statement: several would copy each page that they change again, to be able to undo the statement. `get`
 * returns nothing, and so takes less time than `run`.
 */
export function insertRows(
  connection: SqliteConnection,
  { table, columns, rows, onConflict }: Rows,
  first: readonly SQLInputValue[],
): void {
  const conflict = onConflict === undefined ? '' : `or ${onConflict} `
  const places = columns.map(() => '?').join(', ')
  const { statement } = connection.prepare(
    `insert ${conflict}into ${table} (${columns.join(', ')}) values (${places})`,
  )
  const values = [...first]
  for (const row of rows as readonly (readonly SQLInputValue[])[]) {
    values.length = first.length
    for (const value of row) values.push(value)
    statement.get(...values)
  }
}
