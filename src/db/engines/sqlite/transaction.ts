/** Reads and writes within a transaction. */

import type { SQLInputValue } from 'node:sqlite'
import type {
  MemberTransaction,
  Rows,
  SharedTransaction,
  Transaction,
  UpdatedRows,
} from '../../database.ts'
import { transactionEnded } from '../../ended-transaction.ts'
import type { MemberStatement, RecordedUpdate, Statement } from '../../statement.ts'
import { allRows, conditionOn, getRow, insertRows, recordRow, runWrite } from './statements.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** The transaction that is open on the writer's connection. Disposed with its `work`, before the commit or rollback. */
export class SqliteTransaction implements Transaction, Disposable {
  readonly #connection: SqliteConnection
  #hasEnded = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
  }

  /** For one statement. */
  get connection(): SqliteConnection {
    if (this.#hasEnded) throw transactionEnded()
    return this.#connection
  }

  async get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.connection, statement.text, params as object)
  }

  async all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.connection, statement.text, params as object)
  }

  async run<P>(statement: Statement<P, never>, params: P): Promise<number> {
    return runWrite(this.connection, statement.text, params as object)
  }

  async insertMany(rows: Rows): Promise<void> {
    insertRows(this.connection, rows, [])
  }

  member(memberId: number): MemberTransaction {
    return new SqliteMemberTransaction(memberId, this)
  }
}

class SqliteMemberTransaction implements MemberTransaction {
  readonly memberId: number
  readonly #transaction: SqliteTransaction

  constructor(memberId: number, transaction: SqliteTransaction) {
    this.memberId = memberId
    this.#transaction = transaction
  }

  get #connection(): SqliteConnection {
    return this.#transaction.connection
  }

  get shared(): SharedTransaction {
    return this.#transaction
  }

  async get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.#connection, statement.text, params as object, this.memberId)
  }

  async all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.#connection, statement.text, params as object, this.memberId)
  }

  async run<P>(statement: MemberStatement<P, never>, params: P): Promise<number> {
    return runWrite(this.#connection, statement.text, params as object, this.memberId)
  }

  async change<P, Row>(change: RecordedUpdate<P, Row>, params: P): Promise<Row | undefined> {
    const changed = getRow<Row>(this.#connection, change.update, params as object, this.memberId)
    if (changed)
      recordRow(this.#connection, change.record, params as object, changed, this.memberId)
    return changed
  }

  async insertMany(rows: Rows): Promise<void> {
    insertRows(this.#connection, { ...rows, columns: ['member_id', ...rows.columns] }, [
      this.memberId,
    ])
  }

  async updateMany({ table, key, columns, rows }: UpdatedRows): Promise<void> {
    const set = columns.map((column) => `${column} = ?`).join(', ')
    const text = `update ${table} set ${set} where ${conditionOn(key)}`
    const { statement } = this.#connection.prepare(text)
    for (const row of rows as readonly (readonly SQLInputValue[])[]) {
      const values = [...row.slice(key.length), this.memberId, ...row.slice(0, key.length)]
      statement.get(...values)
    }
  }

  async deleteMany({ table, key, rows }: Pick<UpdatedRows, 'table' | 'key' | 'rows'>) {
    const text = `delete from ${table} where ${conditionOn(key)}`
    const { statement } = this.#connection.prepare(text)
    for (const row of rows as readonly (readonly SQLInputValue[])[])
      statement.get(this.memberId, ...row)
  }
}
