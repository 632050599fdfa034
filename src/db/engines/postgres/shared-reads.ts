/**
 * Identical reads share one query: the same statement with the same values for the same member, in the same turn of the
 * event loop. An agent that sends many calls at once looks up its token and balance once. The result is never stale,
 * because the query is sent only after the turn.
 */

import type { QueryConfig, QueryResult } from 'pg'
import type { Acting } from './member-scope.ts'

export class SharedReads {
  /** The queries of this turn. */
  readonly #queries = new Map<string, Promise<QueryResult>>()

  ask(
    acting: Acting,
    { name = '', values = [] }: QueryConfig,
    send: () => Promise<QueryResult>,
  ): Promise<QueryResult> {
    const key = JSON.stringify([name, acting, values], bigintText)
    const sent = this.#queries.get(key)
    if (sent) return sent.then(copyOf)
    const query = send()
    if (this.#queries.size === 0) setImmediate(() => this.#queries.clear())
    this.#queries.set(key, query)
    return query
  }
}

/** JSON has no bigint. */
function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** Each caller gets its own list, which it may change. */
function copyOf(result: QueryResult): QueryResult {
  return { ...result, rows: [...result.rows] }
}
