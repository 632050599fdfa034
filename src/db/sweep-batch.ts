/** Deletes rows whose time has passed, a batch at a time. */

import { serviceStatement } from './statement.ts'
import type { SharedTransaction } from './database.ts'

/** Rows that a sweep deletes per transaction: a few milliseconds, so that large tables do not block other work. */
export const SWEEP_BATCH = 1000

/**
 * Returns a function that deletes a batch of rows with a time in `column` that is at least `retentionMs` ago, and returns how
 * many. `key` has the columns of the primary key. `column` needs an index.
 */
export function sweepOf(table: string, key: string, column: string, retentionMs = 0) {
  const expired = serviceStatement<{ before: number }>(`
    delete from ${table} where (${key}) in (
      select ${key} from ${table} where ${column} is not null and ${column} <= :before
      order by ${column} limit ${SWEEP_BATCH})`)
  return (tx: SharedTransaction, now: number): Promise<number> =>
    tx.run(expired, { before: now - retentionMs })
}
