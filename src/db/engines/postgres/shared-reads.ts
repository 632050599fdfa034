/**
 * Reads that are the same share one query: the same statement with the same values for the same member, asked for in the
 * same turn of the event loop. An agent that sends many calls at once looks up one token and one balance. No caller sees an
 * older state for it: nothing that it could have learned in between was sent yet.
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

/** With a list of its own, which the caller may change. */
function copyOf(result: QueryResult): QueryResult {
  return { ...result, rows: [...result.rows] }
}
