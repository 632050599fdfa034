/** Reads outside a transaction. */

import type { QueryResult } from 'pg'
import type { KeyedSemaphore } from '../../../base/keyed-semaphore.ts'
import type { BinaryColumns, BinaryStatement, MemberStatement, Statement } from '../../statement.ts'
import { copyScoped, memberScopeOf, queryScoped, type Acting } from './member-scope.ts'
import { copyText, type BinaryRow } from './binary-copy.ts'
import { ConnectionPool } from './connection-pool.ts'
import { bind, PreparedStatements } from './prepared.ts'
import { COMPUTE_SETTINGS } from './planner-settings.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { ThreadReaders } from '../../compute-messages.ts'
import type { DatabaseTimeouts } from '../../timeouts.ts'
import type { MemberReader, Reader } from '../../database.ts'

/** The same reads, of which members take turns. */
export function takingTurns(reader: MemberReader, turns: KeyedSemaphore<number>): MemberReader {
  const { memberId } = reader
  return {
    memberId,
    get: (statement, params) => turns.run(memberId, () => reader.get(statement, params)),
    all: (statement, params) => turns.run(memberId, () => reader.all(statement, params)),
  }
}

/** Reads on a separate connection, for a compute thread. */
export function openPostgresReaders(url: string, timeouts: DatabaseTimeouts): ThreadReaders {
  const pool = new ConnectionPool({ url, timeouts, size: 1, settings: COMPUTE_SETTINGS })
  const asking: Asking = { pool, prepared: new PreparedStatements() }
  return {
    shared: readerOf(asking),
    member: (memberId) => memberReaderOf(asking, memberId),
  }
}

/** Runs statements outside a transaction. */
export interface Asking {
  readonly pool: ConnectionPool
  readonly prepared: PreparedStatements
  /** Receives the time of every statement, in milliseconds. */
  readonly answered?: (milliseconds: number) => void
}

/** Reads of shared rows. */
export function readerOf(asking: Asking): Reader {
  return {
    async get<P, Row>(statement: Statement<P, Row>, params: P) {
      const { rows } = await ask(asking, memberScopeOf(statement), statement.text, params)
      return rows[0] as Row | undefined
    },
    async all<P, Row>(statement: Statement<P, Row>, params: P) {
      return (await ask(asking, memberScopeOf(statement), statement.text, params)).rows as Row[]
    },
  }
}

/** Reads of one member's rows. */
export function memberReaderOf(asking: Asking, memberId: number): MemberReader {
  return {
    memberId,
    async get<P, Row>(statement: MemberStatement<P, Row>, params: P) {
      return (await ask(asking, memberId, statement.text, params)).rows[0] as Row | undefined
    },
    async all<P, Row>(statement: MemberStatement<P, Row>, params: P) {
      const { binary, text } = statement
      if (!binary) return (await ask(asking, memberId, text, params)).rows as Row[]
      return retryConflicts(async () => {
        const rows: BinaryRow[] = []
        const onRow = (row: BinaryRow) => rows.push(copied(row))
        await receive(asking, memberId, { statement: { text, binary }, params, onRow })
        return rows as Row[]
      })
    },
    receive<P, Row>(statement: BinaryStatement<P, Row>, params: P, onRow: (row: Row) => void) {
      const passed = (row: BinaryRow) => onRow(row as Row)
      return receive(asking, memberId, { statement, params, onRow: passed })
    },
  }
}

interface Receiving {
  readonly statement: { readonly text: string; readonly binary: BinaryColumns }
  readonly params: unknown
  /** The bytes of a row are valid during the call. */
  readonly onRow: (row: BinaryRow) => void
}

/** See `BinaryColumns`. */
async function receive(
  { pool, prepared, answered }: Asking,
  memberId: number,
  { statement, params, onRow }: Receiving,
): Promise<void> {
  const { text, values = [] } = bind(prepared.prepare(statement.text), params as object, memberId)
  const copy = { text: copyText(text, values), columns: statement.binary, onRow }
  const startedAt = performance.now()
  await pool.lend((connection) => copyScoped(connection, memberId, copy))
  answered?.(performance.now() - startedAt)
}

function copied(row: BinaryRow): BinaryRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : value.slice(),
    ]),
  )
}

/** Runs a statement in its own transaction. */
export async function ask<P>(
  { pool, prepared, answered }: Asking,
  acting: Acting,
  text: string,
  params: P,
): Promise<QueryResult> {
  const memberId = typeof acting === 'number' ? acting : undefined
  const query = bind(prepared.prepare(text), params as object, memberId)
  const startedAt = performance.now()
  const result = await retryConflicts(() =>
    pool.lend((connection) => queryScoped(connection, acting, query)),
  )
  answered?.(performance.now() - startedAt)
  return result
}
