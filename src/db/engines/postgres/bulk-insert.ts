/** Many rows in one statement: each column goes out as one array, and `unnest` makes rows of them again. */

import { hash } from 'node:crypto'
import type { QueryConfig, QueryResult } from 'pg'
import { storable } from './prepared.ts'
import type { Rows } from '../../database.ts'

type Types = ReadonlyMap<string, string>

/** The type of every column, read from the catalog once a table. */
export class ColumnTypes {
  readonly #tables = new Map<string, Types>()

  async of(table: string, ask: (query: QueryConfig) => Promise<QueryResult>): Promise<Types> {
    const known = this.#tables.get(table)
    if (known) return known
    const { rows } = await ask({ text: COLUMNS, values: [table] })
    const types = new Map(
      (rows as { name: string; type: string }[]).map((row) => [row.name, row.type]),
    )
    this.#tables.set(table, types)
    return types
  }
}

const COLUMNS = `
  select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
  where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`

export function bulkInsert({ table, columns, rows, onConflict }: Rows, types: Types): QueryConfig {
  const arrays = columns.map((column, index) => {
    const type = types.get(column)
    if (type === undefined) throw new Error(`the table ${table} has no column ${column}`)
    return `$${index + 1}::${type}[]`
  })
  const conflict = onConflict === 'ignore' ? ' on conflict do nothing' : ''
  const text = `insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})${conflict}`
  return {
    name: `weft_${hash('sha256', text, 'base64url').slice(0, 22)}`,
    text,
    values: columns.map((_, index) => rows.map((row) => storable(row[index] ?? null))),
  }
}
