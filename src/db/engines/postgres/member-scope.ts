/**
 * For whom a transaction acts: the second wall. Row-level security (see the migrations) shows a private row only to a
 * transaction that acts for its member. The setting ends with its transaction, so a connection that goes back to the
 * pool, ours or a pooler's, acts for nobody.
 */

import type { QueryResult, QueryConfig } from 'pg'
import { isServiceStatement } from '../../statement.ts'
import type { Statement } from '../../statement.ts'
import type { Connection } from './connection-pool.ts'

/** A member's number; `service`, for the few statements across members; or nobody: shared tables alone. */
export type Acting = number | 'service' | undefined

/** 0 is no member's number; the policies know it as the service. */
const SERVICE = 0

export function memberScopeOf(statement: Statement<never, unknown>): Acting {
  return isServiceStatement(statement) ? 'service' : undefined
}

/** The statement that makes the transaction act; a number and nothing else gets into it. */
export function setMemberScope(acting: Acting): string {
  const member = acting === 'service' ? SERVICE : acting
  if (member === undefined) return "set local weft.member_id = ''"
  if (!Number.isSafeInteger(member)) throw new TypeError(`${member} is no member's number`)
  return `set local weft.member_id = ${member}`
}

/** Asks one statement, acting for somebody: begin, statement and commit go out together, as one round trip. */
export async function queryScoped(
  connection: Connection,
  acting: Acting,
  query: QueryConfig,
): Promise<QueryResult> {
  if (acting === undefined) return connection.query(query)
  const [begun, answered, ended] = await Promise.allSettled([
    connection.query(`begin; ${setMemberScope(acting)}`),
    connection.query(query),
    connection.query('commit'),
  ])
  // Each is answered whatever became of those before it. Where the first failed, the others acted for nobody.
  if (begun.status === 'rejected') throw begun.reason
  if (answered.status === 'rejected') throw answered.reason
  if (ended.status === 'rejected') throw ended.reason
  requireCommit(ended.value)
  return answered.value
}

/** COMMIT of a transaction that has failed is answered with ROLLBACK, and no error. */
export function requireCommit(result: QueryResult): void {
  if (result.command !== 'COMMIT') throw new Error(`the transaction ended with ${result.command}`)
}
