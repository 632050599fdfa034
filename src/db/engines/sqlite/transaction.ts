/** Reads and writes within a transaction. */

import type { SQLInputValue } from 'node:sqlite'
import { transactionEnded } from '../../ended-transaction.ts'
import { readerOn } from './readers.ts'
import { conditionOn, getRow, insertRows, recordRow, runWrite } from './statements.ts'
import type { MemberTransaction, SharedTransaction, Transaction } from '../../database.ts'
import type { RecordedUpdate } from '../../statement.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** The transaction that is open on the writer's connection. Disposed with its `work`, before the commit or rollback. */
export function openTransaction(connection: SqliteConnection): Transaction & Disposable {
  let hasEnded = false
  const open: OpenConnection = () => {
    if (hasEnded) throw transactionEnded()
    return connection
  }
  const shared: SharedTransaction = {
    ...readerOn(open),
    run: async ({ text }, params) => runWrite(open(), text, params as object),
    insertMany: async (rows) => insertRows(open(), rows, []),
  }
  return {
    ...shared,
    member: (memberId) => memberTransaction(memberId, open, shared),
    [Symbol.dispose]: () => void (hasEnded = true),
  }
}

/** For one statement. */
type OpenConnection = () => SqliteConnection

function memberTransaction(
  memberId: number,
  open: OpenConnection,
  shared: SharedTransaction,
): MemberTransaction {
  return {
    memberId,
    shared,
    ...readerOn(open, memberId),
    run: async ({ text }, params) => runWrite(open(), text, params as object, memberId),
    async change<P, Row>({ update, record }: RecordedUpdate<P, Row>, params: P) {
      const changed = getRow<Row>(open(), update, params as object, memberId)
      if (changed) recordRow(open(), record, params as object, changed, memberId)
      return changed
    },
    async insertMany(rows) {
      insertRows(open(), { ...rows, columns: ['member_id', ...rows.columns] }, [memberId])
    },
    async updateMany({ table, key, columns, rows }) {
      const set = columns.map((column) => `${column} = ?`).join(', ')
      const text = `update ${table} set ${set} where ${conditionOn(key)}`
      const { statement } = open().prepare(text)
      for (const row of rows as readonly (readonly SQLInputValue[])[])
        statement.get(...row.slice(key.length), memberId, ...row.slice(0, key.length))
    },
    async deleteMany({ table, key, rows }) {
      const { statement } = open().prepare(`delete from ${table} where ${conditionOn(key)}`)
      for (const row of rows as readonly (readonly SQLInputValue[])[])
        statement.get(memberId, ...row)
    },
  }
}
