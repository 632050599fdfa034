/** Reads and writes whole tables, to copy or compare databases. */

import type { Rows } from './database.ts'
import type { SqlValue, Statement } from './statement.ts'

export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[]
}

/** The rows of all members, in one transaction that ends without effect unless it is committed. */
export interface TableAccess extends AsyncDisposable {
  /** Pages of all rows in the order of the primary key. Values are in the order of `table.columns`. */
  pages(table: CopiedTable): AsyncIterable<readonly (readonly SqlValue[])[]>
  /** The first row of a statement over all members; undefined if there is none. */
  first<Row>(statement: Statement<object, Row>): Promise<Row | undefined>
  insert(rows: Rows): Promise<void>
  commit(): Promise<void>
}

/** Rows per page. A row can have hundreds of kilobytes. */
export const ROWS_PER_PAGE = 500
