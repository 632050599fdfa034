/** Inserts rows by the names of their columns. */

import type { MemberTransaction, Rows, SharedTransaction } from './database.ts'
import { columnOf, type SqlParameter } from './statement.ts'

type Inserting = Pick<MemberTransaction | SharedTransaction, 'insertMany'>
type Row = Readonly<Record<string, SqlParameter>>

/** The names in `row` are columns, or properties: `createdAt` is `created_at`. The transaction of a member adds `member_id`. */
export function insertRow(
  tx: Inserting,
  table: string,
  row: Row,
  onConflict?: Rows['onConflict'],
): Promise<void> {
  return insertRows(tx, table, [row], onConflict)
}

/** The same for several rows, which have the same names in the same order. */
export async function insertRows(
  tx: Inserting,
  table: string,
  rows: readonly Row[],
  onConflict?: Rows['onConflict'],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).map(columnOf)
  const values = rows.map((row) => Object.values(row))
  await tx.insertMany({ table, columns, rows: values, ...(onConflict && { onConflict }) })
}
