/** Reads outside a transaction. */

import type { QueryResult } from 'pg'
import type { KeyedSemaphore } from '../../../base/concurrency/keyed-semaphore.ts'
import type { PostgresAddress } from '../../database-address.ts'
import type { Statement } from '../../statement.ts'
import { memberScopeOf, queryScoped, type Acting } from './member-scope.ts'
import { ConnectionPool } from './connection-pool.ts'
import { bind, PreparedStatements } from './prepared.ts'
import { COMPUTE_SETTINGS } from './planner-settings.ts'
import { retryConflicts } from './retry-conflicts.ts'
import type { ThreadReaders } from '../../compute-messages.ts'
import type { DatabaseTimeouts } from '../../timeouts.ts'
import type { MemberReader, Reader } from '../../database.ts'

/** The same reads of a member, who takes turns with the others. */
export function takingTurns(
  asking: Asking,
  memberId: number,
  turns: KeyedSemaphore<number>,
): MemberReader {
  const { get, all } = readerOf(asking, memberId)
  return {
    memberId,
    get: (statement, params) => turns.run(memberId, () => get(statement, params)),
    all: (statement, params) => turns.run(memberId, () => all(statement, params)),
  }
}

/** Reads on a separate connection, for a compute thread. */
export function openPostgresReaders(
  { url, poolMode }: Pick<PostgresAddress, 'url' | 'poolMode'>,
  timeouts: DatabaseTimeouts,
): ThreadReaders {
  const pool = new ConnectionPool({ url, poolMode, timeouts, size: 1, settings: COMPUTE_SETTINGS })
  const asking: Asking = { pool, prepared: new PreparedStatements() }
  return {
    shared: readerOf(asking),
    member: (memberId) => ({ memberId, ...readerOf(asking, memberId) }),
  }
}

/** Runs statements outside a transaction. */
export interface Asking {
  readonly pool: ConnectionPool
  readonly prepared: PreparedStatements
  /** Receives the time of every statement, in milliseconds. */
  readonly answered?: (milliseconds: number) => void
}

/** Reads of shared rows, or of those of a member. */
export function readerOf(asking: Asking, memberId?: number) {
  const read = async <P, Row>(statement: Statement<P, Row>, params: P) =>
    (await ask(asking, memberId ?? memberScopeOf(statement), statement.text, params)).rows as Row[]
  return {
    get: async <P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> =>
      (await read(statement, params))[0],
    all: read,
  } satisfies Reader & Omit<MemberReader, 'memberId'>
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
    pool.lend((connection) => queryScoped(connection, acting, query, pool.settings)),
  )
  answered?.(performance.now() - startedAt)
  return result
}
