/** Reads and writes whole tables of a SQLite file. Another connection may read meanwhile, but not write. */

import { SqliteConnection } from './sqlite-connection.ts'
import { getRow, insertRows } from './statements.ts'
import { ROWS_PER_PAGE, type CopiedTable, type TableAccess } from '../../whole-tables.ts'
import type { Rows } from '../../database.ts'
import type { SqlValue, Statement } from '../../statement.ts'

const CACHE_MEBIBYTES = 64

export function openSqliteTables(path: string, { readOnly }: { readOnly: boolean }): TableAccess {
  const connection = new SqliteConnection(path, { readOnly, cacheMebibytes: CACHE_MEBIBYTES })
  connection.handle.exec(readOnly ? 'begin' : 'begin immediate')
  return new SqliteTables(connection)
}

class SqliteTables implements TableAccess {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async *pages({ name, columns, key }: CopiedTable) {
    const { statement } = this.#connection.prepare(
      `select ${columns.join(', ')} from ${name} order by ${key.join(', ')}`,
    )
    let page: SqlValue[][] = []
    for (const row of statement.iterate()) {
      page.push(row as unknown as SqlValue[])
      if (page.length < ROWS_PER_PAGE) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  async first<Row>({ text }: Statement<object, Row>): Promise<Row | undefined> {
    return getRow(this.#connection, text, {})
  }

  async insert(rows: Rows): Promise<void> {
    insertRows(this.#connection, rows, [])
  }

  async commit(): Promise<void> {
    this.#connection.handle.exec('commit')
    this.#connection.handle.exec('pragma wal_checkpoint(truncate)')
  }

  /** Closing rolls back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close()
  }
}
