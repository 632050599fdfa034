/** Reads and writes within a transaction. */

import type { SQLInputValue } from 'node:sqlite'
import type {
  DeletedRows,
  MemberTransaction,
  Rows,
  SharedTransaction,
  Transaction,
  UpdatedRows,
} from '../../database.ts'
import { transactionEnded } from '../../ended-transaction.ts'
import type { MemberStatement, RecordedUpdate, Statement } from '../../statement.ts'
import { sqliteFullText } from './full-text.ts'
import {
  allRows,
  changeRow,
  deleteRows,
  getRow,
  insertRows,
  runWrite,
  updateRows,
} from './statements.ts'
import type { SqliteConnection } from './connection.ts'
import type { Writer } from './writer.ts'

/** The transaction that is open on the writer's connection. Disposed with its `work`, before the commit or rollback. */
export class SqliteTransaction implements Transaction, Disposable {
  readonly fullText = sqliteFullText
  readonly #connection: SqliteConnection
  readonly #writer: Writer
  #hasEnded = false

  constructor(connection: SqliteConnection, writer: Writer) {
    this.#connection = connection
    this.#writer = writer
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
  }

  /** For one statement. */
  get connection(): SqliteConnection {
    if (this.#hasEnded) throw transactionEnded()
    return this.#connection
  }

  get isAwaited(): boolean {
    return this.#writer.waiting > 0
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

  get isAwaited(): boolean {
    return this.#transaction.isAwaited
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
    return changeRow<Row>(this.#connection, change, params as object, this.memberId)
  }

  async insertMany(rows: Rows): Promise<void> {
    insertRows(this.#connection, ...withMember(rows, this.memberId))
  }

  async updateMany(rows: UpdatedRows): Promise<void> {
    updateRows(this.#connection, rows, this.memberId)
  }

  async deleteMany(rows: DeletedRows): Promise<void> {
    deleteRows(this.#connection, rows, this.memberId)
  }
}

/** Rows of a member for `insertRows`. */
export function withMember(
  rows: Rows,
  memberId: number,
): [rows: Rows, first: readonly SQLInputValue[]] {
  return [{ ...rows, columns: ['member_id', ...rows.columns] }, [memberId]]
}
