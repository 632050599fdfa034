/**
 * A directory of a million members on PostgreSQL: created within ten minutes.
 */

import { startCluster, withClient, workingDatabase } from '../../test/support/postgres.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import { ID_SPACE, insertPeople, SCATTER } from './directory-members.ts'
import { requirePostgres } from './engines.ts'
import type { Database } from '../../src/db/database.ts'

export interface Directory extends AsyncDisposable {
  readonly database: Database
}

/** Members that the service itself writes; the others are copies of them, made by SQL. */
const WRITTEN = 40_000

/** A directory of the people of a seed, on a cluster of its own. */
export async function openDirectory(size: number, seed: number): Promise<Directory> {
  await using opening = new AsyncDisposableStack()
  const cluster = opening.use(await startCluster(await requirePostgres()))
  const url = await workingDatabase(cluster.url)
  const options = { clock: systemClock, searchThreads: 1 }
  const { database } = await openDatabase({ engine: 'postgres', url }, options)
  opening.use(database)
  await fillDirectory(database, url, { size, seed })
  const opened = opening.move()
  return { database, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

/** `url` is of the role that owns the tables of `database`, which has no members yet. */
export async function fillDirectory(
  database: Database,
  url: string,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<void> {
  const written = Math.min(size, WRITTEN)
  await insertPeople(database, written, seed)
  await copyMembers(url, written, Math.floor(size / written) - 1)
}

/** Each copy has the words of its original under a username, a number and a position of its own. */
async function copyMembers(url: string, written: number, copies: number): Promise<void> {
  const id = `((m.member_id + k * ${written}::bigint * ${SCATTER}) % ${ID_SPACE})`
  const copied: Readonly<Record<string, string>> = {
    member_id: id,
    username: `m.username || '-' || k`,
    email: 'null',
  }
  await withClient(url, async (client) => {
    await client.query("set work_mem = '256MB'; set maintenance_work_mem = '1GB'")
    const { rows } = await client.query<{ name: string }>(
      "select column_name as name from information_schema.columns where table_name = 'members'",
    )
    const names = rows.map(({ name }) => name)
    const values = names.map((name) => copied[name] ?? `m.${name}`)
    await client.query(
      `insert into members (${names.join()}) select ${values.join()}
       from members m cross join generate_series(1, ${copies}) k`,
    )
    await client.query(
      `insert into directory_entries (position, member_id, username, name_key, terms)
       select m.position / ${ID_SPACE} * ${ID_SPACE} + ${id}, ${id}, m.username || '-' || k, m.name_key, m.terms
       from directory_entries m cross join generate_series(1, ${copies}) k`,
    )
    await client.query(
      `insert into directory_terms (term, position)
       select t.term, t.position / ${ID_SPACE} * ${ID_SPACE} + ${id}
       from directory_terms t join directory_entries m on m.position = t.position
       cross join generate_series(1, ${copies}) k where m.username !~ '-[0-9]+$'`,
    )
    await client.query('vacuum analyze members')
    await client.query('vacuum analyze directory_entries, directory_terms')
  })
}
