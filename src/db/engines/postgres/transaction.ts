/** A write transaction. It begins with its first statement, and each statement sets its scope. */

import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { transactionEnded } from '../../ended-transaction.ts'
import {
  changeText,
  type MemberStatement,
  type RecordedUpdate,
  type Statement,
} from '../../statement.ts'
import { setMemberScope, memberScopeOf, requireCommit, type Acting } from './member-scope.ts'
import {
  bulkDelete,
  bulkInsert,
  bulkUpdate,
  type TableShape,
  type TableShapes,
} from './bulk-insert.ts'
import { silenceAfter } from './connection-pool.ts'
import { bind, type PreparedStatements } from './prepared.ts'
import { unnamed, type Settings } from './scoped-query.ts'
import type { MemberTransaction, Rows, SharedRows, Transaction } from '../../database.ts'

interface TransactionOptions {
  /** The network of this member is locked for the whole transaction. */
  readonly memberId?: number | undefined
  /** Settings that the session does not have: see `ConnectionPool.settings`. */
  readonly settings?: Settings | undefined
  /** Time limit of each statement and lock, in milliseconds. */
  readonly statementTimeout?: number | undefined
}

export class PostgresTransaction implements Transaction {
  readonly #connection: PoolClient
  readonly #prepared: PreparedStatements
  readonly #shapes: TableShapes
  /** Undefined once the transaction has begun. */
  #opening: string | undefined
  #acting: Acting
  #hasEnded = false
  readonly #hasOwnSession: boolean
  readonly #silence: number | undefined
  /** The first failed statement. The server rejects all later ones. */
  #failure: { readonly error: unknown } | undefined

  /**
   * With a member, serializes the transactions of that member across nodes, so that none has to handle a concurrent one.
   */
  constructor(
    connection: PoolClient,
    prepared: PreparedStatements,
    shapes: TableShapes,
    { memberId, settings, statementTimeout }: TransactionOptions,
  ) {
    this.#connection = connection
    this.#hasOwnSession = settings === undefined
    this.#prepared = prepared
    this.#shapes = shapes
    this.#acting = memberId
    this.#silence = statementTimeout && silenceAfter(statementTimeout)
    this.#opening = [
      'begin',
      ...Object.entries(settings ?? {}).map(([name, value]) => `set local ${name} = '${value}'`),
      ...(memberId === undefined ? [] : [setMemberScope(memberId)]),
      ...(statementTimeout === undefined ? [] : [limitStatements(statementTimeout)]),
      ...(memberId === undefined ? [] : [lockNetwork(memberId)]),
    ].join('; ')
  }

  async get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return (await this.#ask(statement, params)).rows[0] as Row | undefined
  }

  async all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]> {
    return (await this.#ask(statement, params)).rows as Row[]
  }

  async run<P>(statement: Statement<P, never>, params: P): Promise<number> {
    return (await this.#ask(statement, params)).rowCount ?? 0
  }

  async insertMany(rows: SharedRows): Promise<void> {
    await this.sendMany(rows.service === true ? 'service' : undefined, rows, bulkInsert)
  }

  member(memberId: number): MemberTransaction {
    return memberTransaction(this, this.#prepared, memberId)
  }

  async sendMany<Many extends Pick<Rows, 'table' | 'rows'>>(
    acting: Acting,
    many: Many,
    queryOf: (many: Many, shape: TableShape) => QueryConfig,
  ): Promise<void> {
    this.#requireOpen()
    if (many.rows.length === 0) return
    const shape = await this.#shapes.of(many.table, (query) => this.send(undefined, query))
    await this.send(acting, queryOf(many, shape))
  }

  /** Sends a statement without waiting for earlier results, which arrive in order. */
  async send(acting: Acting, query: QueryConfig): Promise<QueryResult> {
    this.#requireOpen()
    const preamble = this.#preamble(acting)
    if (preamble === undefined) return this.#query(query)
    const [, result] = await Promise.all([this.#query({ text: preamble }), this.#query(query)])
    return result
  }

  async commit(): Promise<void> {
    this.#hasEnded = true
    if (this.#opening === undefined) requireCommit(await this.#connection.query('commit'))
  }

  /** If this fails, the pool discards the connection. */
  async rollback(): Promise<void> {
    this.#hasEnded = true
    if (this.#opening === undefined) await this.#connection.query('rollback').catch(() => {})
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw transactionEnded()
  }

  async #query(query: QueryConfig): Promise<QueryResult> {
    const sent = this.#hasOwnSession ? query : unnamed(query)
    const timed = this.#silence === undefined ? sent : { ...sent, query_timeout: this.#silence }
    try {
      return await this.#connection.query(timed)
    } catch (error) {
      this.#failure ??= { error }
      throw this.#failure.error
    }
  }

  #ask<P, Row>(statement: Statement<P, Row>, params: P): Promise<QueryResult> {
    const prepared = this.#prepared.prepare(statement.text)
    return this.send(memberScopeOf(statement), bind(prepared, params as object))
  }

  #preamble(acting: Acting): string | undefined {
    const before = this.#opening
    this.#opening = undefined
    const change = acting === this.#acting ? undefined : setMemberScope(acting)
    this.#acting = acting
    if (before === undefined) return change
    return change === undefined ? before : `${before}; ${change}`
  }
}

/** Within the scope of the member. */
function lockNetwork(memberId: number): string {
  return `select 1 from networks where member_id = ${memberId} for update`
}

/** Applies until the transaction ends. Accepts only whole milliseconds. */
function limitStatements(milliseconds: number): string {
  const limit = Math.ceil(milliseconds)
  return `set local statement_timeout = ${limit}; set local lock_timeout = ${limit}`
}

function memberTransaction(
  transaction: PostgresTransaction,
  prepared: PreparedStatements,
  memberId: number,
): MemberTransaction {
  const ask = (text: string, params: unknown) =>
    transaction.send(memberId, bind(prepared.prepare(text), params as object, memberId))
  const ownRows = (rows: Rows['rows']) => rows.map((row) => [memberId, ...row])
  return {
    memberId,
    shared: transaction,
    get: async <P, Row>({ text }: MemberStatement<P, Row>, params: P) =>
      (await ask(text, params)).rows[0] as Row | undefined,
    all: async <P, Row>({ text }: MemberStatement<P, Row>, params: P) =>
      (await ask(text, params)).rows as Row[],
    run: async ({ text }, params) => (await ask(text, params)).rowCount ?? 0,
    change: async <P, Row>(change: RecordedUpdate<P, Row>, params: P) =>
      (await ask(changeText(change), params)).rows[0] as Row | undefined,
    insertMany(many) {
      const columns = ['member_id', ...many.columns]
      const own = { ...many, columns, rows: ownRows(many.rows) }
      return transaction.sendMany(memberId, own, bulkInsert)
    },
    updateMany(many) {
      const own = { ...many, key: ['member_id', ...many.key], rows: ownRows(many.rows) }
      return transaction.sendMany(memberId, own, bulkUpdate)
    },
    deleteMany(many) {
      const own = { ...many, key: ['member_id', ...many.key], rows: ownRows(many.rows) }
      return transaction.sendMany(memberId, own, bulkDelete)
    },
  }
}
