/** Gives members the network of another member by SQL, which is a hundred times as fast as importing each. */

import { DatabaseSync } from 'node:sqlite'
import { withClient } from '../../test/support/postgres.ts'

/** Runs statements that both engines understand, on every member's rows. */
interface Sql {
  run(text: string): Promise<void>
  columnsOf(table: string): Promise<string[]>
}

/** The copies of a member's network. */
export interface Copied {
  readonly from: number
  readonly to: readonly number[]
}

/** `file` must not be in use. */
export async function copyNetworksOnSqlite(file: string, copied: readonly Copied[]): Promise<void> {
  using handle = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  handle.exec('pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -500000')
  await copyNetworks(copied, {
    run: async (text) => handle.exec(text),
    columnsOf: async (table) =>
      handle
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name)),
  })
  handle.exec('pragma wal_checkpoint(truncate)')
}

/** `url` is a superuser's, because no policy or foreign key applies to one. */
export async function copyNetworksOnPostgres(
  url: string,
  copied: readonly Copied[],
): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('set session_replication_role = replica; set synchronous_commit = off')
    await copyNetworks(copied, {
      run: async (text) => void (await client.query(text)),
      columnsOf: async (table) => {
        const { rows } = await client.query<{ name: string }>(
          'select column_name as name from information_schema.columns where table_name = $1',
          [table],
        )
        return rows.map(({ name }) => name)
      },
    })
    // As autovacuum would, some time later.
    for (const table of ['members', ...TABLES]) await client.query(`vacuum analyze ${table}`)
  })
}

/** What an import leaves, but for its job and the data to undo it. */
const TABLES = [
  'networks',
  'connections',
  'connection_keys',
  'search_changes',
  'activity',
  'credit_accounts',
  'credit_periods',
  'credit_ledger',
]

/** Members per statement. */
const BATCH = 200

async function copyNetworks(copied: readonly Copied[], sql: Sql): Promise<void> {
  // In the order of the primary keys, so that rows are only appended.
  const owners = copied
    .flatMap(({ from, to }) => to.map((memberId) => ({ memberId, from })))
    .sort((a, b) => a.memberId - b.memberId)
  await sql.run('create temporary table owners (member_id bigint primary key, origin bigint)')
  for (const { memberId, from } of owners)
    await sql.run(`insert into owners values (${memberId}, ${from})`)
  for (const table of TABLES) {
    await sql.run(
      `create temporary table original as select * from ${table}
       where member_id in (${copied.map(({ from }) => from).join()})`,
    )
    await sql.run(`delete from ${table} where member_id in (select member_id from owners)`)
    const columns = (await sql.columnsOf(table)).filter((column) => column !== 'member_id')
    for (let first = 0; first < owners.length; first += BATCH) {
      const last = owners[Math.min(first + BATCH, owners.length) - 1]
      await sql.run(
        `insert into ${table} (member_id, ${columns.join()})
         select o.member_id, ${columns.map((column) => `t.${column}`).join()}
         from owners o join original t on t.member_id = o.origin
         where o.member_id between ${owners[first]?.memberId ?? 0} and ${last?.memberId ?? 0}
         order by o.member_id`,
      )
    }
    await sql.run('drop table original')
  }
  await sql.run(
    'insert into networks (member_id) select member_id from members where true on conflict do nothing',
  )
}
