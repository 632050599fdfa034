/**
 * Fixed statistics for SQLite's query planner
 * (https://sqlite.org/optoverview.html#manual_control_of_query_plans_using_sqlite_stat_tables). Without any, it assumes
 * ten rows per value of an index's first column, so it reads all notes of a member to find those of one connection.
 * Statistics of `analyze` would depend on what was stored when it ran.
 */

import type { DatabaseSync } from 'node:sqlite'

const ROWS = 1_000_000
/** Rows that share a value of the first column, such as those of one member. */
const [ROWS_OF_MEMBER, ROWS_OF_VALUE] = [1000, 10]
/** Rows with one value of the first two columns, and of more. */
const [ROWS_OF_TWO, ROWS_OF_MORE] = [10, 2]
/** The share of the rows that a partial index has. */
const PARTIAL = 0.1

interface Index {
  readonly table: string
  /** As `sqlite_stat1` names it: the primary key of a table without rowid has the name of the table. */
  readonly name: string
  readonly isUnique: boolean
  readonly isPartial: boolean
  readonly columns: readonly (string | null)[]
}

/** Adds statistics of the indexes that have none, and keeps the results of `analyze`. Call it in a transaction. */
export function writePlannerStatistics(handle: DatabaseSync): void {
  handle.exec('analyze sqlite_schema') // creates the table of statistics
  const known = handle.prepare('select 1 from sqlite_stat1 where tbl = ? and idx = ?')
  const add = handle.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
  for (const index of indexesOf(handle))
    if (known.get(index.table, index.name) === undefined)
      add.run(index.table, index.name, statisticsOf(index))
}

function indexesOf(handle: DatabaseSync): Index[] {
  const columns = handle.prepare('select name from pragma_index_info(?) order by seqno')
  const rows = handle
    .prepare(
      `select t.name as tableName, i.name as indexName, t.wr as isWithoutRowid, i."unique" as isUnique,
         i.partial as isPartial, i.origin as origin
       from pragma_table_list t join pragma_index_list(t.name) i
       where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`,
    )
    .all() as {
    tableName: string
    indexName: string
    isWithoutRowid: number
    isUnique: number
    isPartial: number
    origin: string
  }[]
  return rows.map((row) => ({
    table: row.tableName,
    name: row.isWithoutRowid === 1 && row.origin === 'pk' ? row.tableName : row.indexName,
    isUnique: row.isUnique === 1,
    isPartial: row.isPartial === 1,
    columns: columns.all(row.indexName).map(({ name }) => name as string | null),
  }))
}

/** The number of rows, and for each column the rows with equal values up to it. */
function statisticsOf({ isUnique, isPartial, columns }: Index): string {
  const counts = columns.map((column, at) => {
    if (isUnique && at === columns.length - 1) return 1
    if (at === 0) return column === 'member_id' ? ROWS_OF_MEMBER : ROWS_OF_VALUE
    return at === 1 ? ROWS_OF_TWO : ROWS_OF_MORE
  })
  const share = isPartial ? PARTIAL : 1
  return [ROWS, ...counts].map((count) => Math.max(1, count * share)).join(' ')
}
