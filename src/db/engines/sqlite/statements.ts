/** Runs statements on a connection. `memberId` is the value of `:member_id`. */

import type { Rows } from '../../database.ts'
import { bind, type SqliteConnection, type Prepared } from './sqlite-connection.ts'
import { translateFailure } from './failures.ts'
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

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

/** The first row; undefined if there is none. */
export function firstRow(
  { statement, columns }: Prepared,
  values: readonly SQLInputValue[],
): object | undefined {
  const row = statement.get(...values) as SQLOutputValue[] | undefined
  return row && toObject(columns, row)
}

export function everyRow(
  { statement, columns }: Prepared,
  values: readonly SQLInputValue[],
): object[] {
  const rows = statement.all(...values) as unknown as SQLOutputValue[][]
  return rows.map((row) => toObject(columns, row))
}

function toObject(columns: readonly string[], values: readonly SQLOutputValue[]): object {
  const row: Record<string, SQLOutputValue | undefined> = {}
  let at = 0
  for (const column of columns) {
    row[column] = values[at]
    at += 1
  }
  return row
}
