/** Updates and deletes a row by the names of its properties: `createdAt` is the column `created_at`. */

import { columnOf, type SqlParameter } from './statement.ts'
import type { MemberTransaction } from './database.ts'

type Properties = Readonly<Record<string, SqlParameter>>

/** Sets these properties. `key` are those of the primary key without `member_id`. Ignores a row that does not exist. */
export function updateRow(
  tx: Pick<MemberTransaction, 'updateMany'>,
  table: string,
  key: Properties,
  values: Properties,
): Promise<void> {
  return tx.updateMany({
    table,
    key: columnsOf(key),
    columns: columnsOf(values),
    rows: [[...Object.values(key), ...Object.values(values)]],
  })
}

/** Deletes the row, or all rows of the member with these values. */
export function deleteRow(
  tx: Pick<MemberTransaction, 'deleteMany'>,
  table: string,
  key: Properties,
): Promise<void> {
  return tx.deleteMany({ table, key: columnsOf(key), rows: [Object.values(key)] })
}

function columnsOf(properties: Properties): string[] {
  return Object.keys(properties).map(columnOf)
}
