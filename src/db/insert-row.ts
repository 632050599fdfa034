/** Inserts single rows. */

import type { MemberTransaction, Rows, SharedTransaction } from './database.ts'
import type { SqlParameter } from './statement.ts'

/** The names in `row` are columns. The transaction of a member adds `member_id`. */
export function insertRow(
  tx: Pick<MemberTransaction | SharedTransaction, 'insertMany'>,
  table: string,
  row: Readonly<Record<string, SqlParameter>>,
  onConflict?: Rows['onConflict'],
): Promise<void> {
  const rows = { table, columns: Object.keys(row), rows: [Object.values(row)] }
  return tx.insertMany({ ...rows, ...(onConflict && { onConflict }) })
}
