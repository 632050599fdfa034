/** Reads and writes whole tables of a PostgreSQL database. The service must be stopped: the tables are locked. */

import { codeOf } from '../../../base/thrown.ts'
import { RequestError } from '../../../base/request-error.ts'
import { SECOND } from '../../../base/clock.ts'
import { databaseTimeouts } from '../../timeouts.ts'
import { ROWS_PER_PAGE, type CopiedTable, type TableAccess } from '../../whole-tables.ts'
import { bulkInsert, TableShapes } from './bulk-insert.ts'
import { connectionOptions, openCommandClient } from './connection-pool.ts'
import { INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE, translateFailure } from './failures.ts'
import { bind, PreparedStatements } from './prepared.ts'
import type { Client, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import type { Rows } from '../../database.ts'
import type { SqlValue, Statement } from '../../statement.ts'

/** How long to wait for transactions that use the tables. Milliseconds. */
const LOCK_TIMEOUT_MS = 10 * SECOND

/**
 * `url` is the owner's: row-level security applies to owners only if it is forced. It is forced again before the commit, so
 * other transactions never see it off.
 *
 * @throws {RequestError} `conflict` when the role does not own the tables, or others use them.
 */
export async function openPostgresTables(
  url: string,
  { readOnly }: { readOnly: boolean },
): Promise<TableAccess> {
  const client = await openCommandClient({
    ...connectionOptions(url, databaseTimeouts()),
    query_timeout: 0,
  })
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const forced = await showAllRows(client)
    if (readOnly) return new PostgresTables(client, [])
    const indexes = await dropIndexes(client)
    return new PostgresTables(client, [
      ...indexes,
      ...forced.map((name) => `alter table ${name} force row level security`),
      'analyze',
    ])
  } catch (error) {
    await client.end()
    throw openingFailure(error)
  }
}

/** Shows the owner all rows until the transaction ends. Returns the tables in which row-level security was forced. */
export async function showAllRows(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(FORCED)
  for (const { name } of rows) await client.query(`alter table ${name} no force row level security`)
  return rows.map(({ name }) => name)
}

/** Tables whose policies also apply to their owner. */
const FORCED = `
  select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relforcerowsecurity order by relname`

/** An index is built much faster from a full table, and in more memory. Returns the statements that create the indexes again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(INDEXES)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return ["set local maintenance_work_mem = '256MB'", ...rows.map(({ definition }) => definition)]
}

/** Indexes that enforce nothing. */
const INDEXES = `
  select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and not i.indisunique
  order by t.relname, name`

function openingFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === INSUFFICIENT_PRIVILEGE)
    return new RequestError(
      'conflict',
      'The role does not own the tables, so it cannot read them.',
      {
        hint: 'Set WEFT_OWNER_DATABASE to the URL of the role that owns them. For the target, give its URL to --to.',
      },
    )
  if (code === LOCK_NOT_AVAILABLE)
    return new RequestError('conflict', 'The tables are in use.', {
      hint: 'Stop Weft on every node, and run the command again.',
    })
  return translateFailure(error)
}

class PostgresTables implements TableAccess {
  readonly #client: Client
  readonly #beforeCommit: readonly string[]
  readonly #shapes = new TableShapes()
  #inserted: Promise<unknown> = Promise.resolve()

  constructor(client: Client, beforeCommit: readonly string[]) {
    this.#client = client
    this.#beforeCommit = beforeCommit
  }

  async *pages({ name, columns, key }: CopiedTable) {
    await this.#inserted
    await this.#query(
      `declare page cursor for select ${columns.join(', ')} from ${name} order by ${key.join(', ')}`,
    )
    for (;;) {
      const text = `fetch ${ROWS_PER_PAGE} from page`
      const { rows } = await this.#query<SqlValue[]>({ text, rowMode: 'array' })
      if (rows.length > 0) yield rows
      if (rows.length < ROWS_PER_PAGE) break
    }
    await this.#query('close page')
  }

  async first<Row>({ text }: Statement<object, Row>): Promise<Row | undefined> {
    await this.#inserted
    const { rows } = await this.#query<object>(bind(new PreparedStatements().prepare(text), {}))
    return rows[0] as Row | undefined
  }

  /** Resolves when the rows have been sent, so that the caller prepares the next ones while the server works. */
  async insert(rows: Rows): Promise<void> {
    if (rows.rows.length === 0) return
    const shape = await this.#shapes.of(rows.table, (query) => this.#query(query))
    await this.#inserted
    this.#inserted = this.#query(bulkInsert(rows, shape))
    this.#inserted.catch(() => {}) // The next call rejects.
  }

  async commit(): Promise<void> {
    await this.#inserted
    for (const statement of this.#beforeCommit) await this.#query(statement)
    await this.#query('commit')
  }

  async #query<Row extends QueryResultRow>(
    query: string | (QueryConfig & { readonly rowMode?: 'array' }),
  ): Promise<QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(query)
    } catch (error) {
      throw translateFailure(error)
    }
  }

  /** Disconnecting rolls back. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}
