/**
 * Sets the member that a transaction acts for: the second layer of isolation. Row-level security (see the migrations)
 * exposes private rows only to transactions of their member. The setting ends with the transaction, so a connection
 * returned to a pool, ours or a pooler's, acts for no one.
 */

import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { queryInScope, type Settings } from './scoped-query.ts'
import { isServiceStatement, type Statement } from '../../statement.ts'

/** A member's number; `service` for the few statements across members; undefined for shared tables only. */
export type Acting = number | 'service' | undefined

/** 0 is never a member's number; the policies treat it as the service. */
const SERVICE = 0

export function memberScopeOf(statement: Statement<never, unknown>): Acting {
  return isServiceStatement(statement) ? 'service' : undefined
}

/** The statement that sets the scope. Accepts only numbers. */
export function setMemberScope(acting: Acting): string {
  const scope = scopeOf(acting)
  return `set local weft.member_id = ${scope === '' ? "''" : scope}`
}

/** The value of the setting. */
function scopeOf(acting: Acting): string {
  const member = acting === 'service' ? SERVICE : acting
  if (member === undefined) return ''
  if (!Number.isSafeInteger(member)) throw new TypeError(`${member} is not a member's number`)
  return String(member)
}

/** Runs one statement in its own transaction and scope, in one round trip. `settings` are those of each transaction. */
export async function queryScoped(
  connection: PoolClient,
  acting: Acting,
  query: QueryConfig,
  settings: Settings | undefined,
): Promise<QueryResult> {
  return acting === undefined && settings === undefined
    ? connection.query(query)
    : queryInScope(connection, scopeOf(acting), query, settings)
}

/** The server answers COMMIT of a failed transaction with ROLLBACK and no error. */
export function requireCommit(result: QueryResult): void {
  if (result.command !== 'COMMIT') throw new Error(`the transaction ended with ${result.command}`)
}
