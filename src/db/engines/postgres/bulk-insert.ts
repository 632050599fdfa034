/** Inserts, updates or deletes many rows in one statement: each column is sent as one array, and `unnest` turns them into rows. */

import { hash } from 'node:crypto'
import type { QueryConfig, QueryResult } from 'pg'
import { toSqlValue } from './prepared.ts'
import type { Rows, UpdatedRows } from '../../database.ts'
import type { SqlParameter } from '../../statement.ts'

/** The type of every column, and the primary key columns. */
export interface TableShape {
  readonly types: ReadonlyMap<string, string>
  readonly key: readonly string[]
}

/** Read from the catalog once per table. */
export class TableShapes {
  readonly #shapes = new Map<string, TableShape>()

  async of(table: string, ask: (query: QueryConfig) => Promise<QueryResult>): Promise<TableShape> {
    const known = this.#shapes.get(table)
    if (known) return known
    const rows = (await ask({ text: COLUMNS, values: [table] })).rows as ColumnRow[]
    const shape = {
      types: new Map(rows.map(({ name, type }) => [name, type])),
      key: rows.filter(({ in_key }) => in_key).map(({ name }) => name),
    }
    this.#shapes.set(table, shape)
    return shape
  }
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly in_key: boolean
}

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    coalesce(a.attnum = any (i.indkey), false) as in_key
  from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped`

export function bulkInsert(insert: Rows, shape: TableShape): QueryConfig {
  const { table, columns } = insert
  const text = `insert into ${table} (${columns.join(', ')})
    select * from ${unnested(insert, shape)}${onConflict(insert, shape)}`
  return queryOf(text, insert)
}

export function bulkUpdate(
  { table, key, columns, rows }: UpdatedRows,
  shape: TableShape,
): QueryConfig {
  const sent = { table, columns: [...key, ...columns], rows }
  const set = columns.map((column) => `${column} = sent.${column}`)
  const where = key.map((column) => `${table}.${column} = sent.${column}`)
  const text = `update ${table} set ${set.join(', ')}
    from ${unnested(sent, shape)} as sent (${sent.columns.join(', ')}) where ${where.join(' and ')}`
  return queryOf(text, sent)
}

export function bulkDelete(
  { table, key, rows }: Pick<UpdatedRows, 'table' | 'key' | 'rows'>,
  shape: TableShape,
): QueryConfig {
  const sent = { table, columns: key, rows }
  const where = key.map((column) => `${table}.${column} = sent.${column}`)
  const text = `delete from ${table}
    using ${unnested(sent, shape)} as sent (${key.join(', ')}) where ${where.join(' and ')}`
  return queryOf(text, sent)
}

function unnested({ table, columns }: Rows, shape: TableShape): string {
  const arrays = columns.map((column, index) => {
    const type = shape.types.get(column)
    if (type === undefined) throw new Error(`the table ${table} has no column ${column}`)
    return `$${index + 1}::${type}[]`
  })
  return `unnest(${arrays.join(', ')})`
}

function queryOf(text: string, { columns, rows }: Rows): QueryConfig {
  return {
    name: `weft_${hash('sha256', text, 'base64url').slice(0, 22)}`,
    text,
    values: columns.map((_, index) => arrayLiteral(rows, index)),
  }
}

/** One column as an array (PostgreSQL, chapter 8.15.2). `pg` would take several times as long to write it. */
function arrayLiteral(rows: Rows['rows'], index: number): string {
  let literal = '{'
  for (const row of rows) literal += (literal === '{' ? '' : ',') + elementOf(row[index] ?? null)
  return `${literal}}`
}

function elementOf(value: SqlParameter): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(toSqlValue(value))
  if (typeof value === 'string') {
    const text = String(toSqlValue(value))
    return `"${TO_ESCAPE.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
  }
  if (!(value instanceof Uint8Array)) throw new TypeError('a column of lists cannot be sent')
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
}

const TO_ESCAPE = /["\\]/

function onConflict({ onConflict: action, columns }: Rows, { key }: TableShape): string {
  if (action === undefined) return ''
  if (action === 'ignore') return ' on conflict do nothing'
  const others = columns.filter((column) => !key.includes(column))
  const set = others.map((column) => `${column} = excluded.${column}`)
  return ` on conflict (${key.join(', ')}) do update set ${set.join(', ')}`
}
