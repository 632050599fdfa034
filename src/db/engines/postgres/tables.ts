/** The tables of Weft's PostgreSQL database, in an order in which their rows can be inserted. */

import { withClient } from './connection-pool.ts'
import type { CopiedTable } from '../../whole-tables.ts'

interface TableRow {
  readonly name: string
  readonly columns: string[]
  readonly key: string[]
  readonly parents: string[]
}

/** Parents come before the tables that reference them. */
export async function listTables(url: string): Promise<CopiedTable[]> {
  return withClient({ connectionString: url, application_name: 'weft' }, async (client) =>
    inOrder((await client.query<TableRow>(TABLES)).rows),
  )
}

function inOrder(rows: readonly TableRow[]): CopiedTable[] {
  const tables: CopiedTable[] = []
  const waiting = new Map(rows.map((row) => [row.name, row]))
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(
      ({ parents }) => !parents.some((one) => waiting.has(one)),
    )
    if (!next) throw new Error(`the tables ${[...waiting.keys()].join()} reference each other`)
    waiting.delete(next.name)
    const { name, columns, key } = next
    tables.push({ name, columns, key })
  }
  return tables
}

/** Handles composite foreign keys and generated columns; ignores references of a table to itself. */
const TABLES = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          order by a.attnum) as columns,
    array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality k(attnum, place)
          join pg_attribute a on a.attnum = k.attnum
          where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.place) as key,
    array(select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
          where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid) as parents
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  order by c.relname`
