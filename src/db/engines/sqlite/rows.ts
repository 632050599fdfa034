/**
 * Reads rows as arrays and turns them into objects. node:sqlite would make objects with a hash table of properties, which
 * take longer to create and to read.
 */

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { Prepared } from './connection.ts'

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
