/**
 * A directory of a million members on PostgreSQL: created within ten minutes, and searched with the former and the
 * current statements.
 */

import { startCluster, withClient, workingDatabase } from '../../test/support/postgres.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import { statement } from '../../src/db/statement.ts'
import { ID_SPACE, insertPeople, SCATTER } from './directory-members.ts'
import { requirePostgres } from './engines.ts'
import type { Database, Reader } from '../../src/db/database.ts'

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
  await withClient(url, (client) => client.query(UNINDEXED))
  await insertPeople(database, written, seed)
  await copyMembers(url, written, Math.floor(size / written) - 1)
  while ((await database.write((tx) => tx.fullText.resize(tx), { bulk: true })) > 0);
  await withClient(url, (client) => client.query('vacuum analyze directory_head'))
}

/** Rows are added faster without the indexes, and with an empty head. */
const UNINDEXED = `
  drop index directory_entries_by_terms, directory_entries_by_keys;
  update directory_head_end set position = -1`

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
      'create index directory_entries_by_terms on directory_entries using gin (terms) with (fastupdate = off)',
    )
    await client.query(
      'create index directory_entries_by_keys on directory_entries using gin (directory_keys(terms)) with (fastupdate = off)',
    )
    await client.query('vacuum analyze members')
    await client.query('vacuum analyze directory_entries')
  })
}

/**
 * The first page as it was asked for before: one query, and the planner's choice between the positions and the GIN
 * index. `words` are folded.
 */
export async function searchByPlanner(
  reader: Reader,
  words: readonly string[],
  limit: number,
): Promise<number> {
  if (words.length === 0) return (await reader.all(EVERYONE, { limit })).length
  const inName = allOf(words.map((word) => `=${word}`))
  const params = {
    limit,
    username: words.join('-'),
    name: words.join(' '),
    in_name: inName,
    anywhere: `${allOf(words)} & !(${inName})`,
  }
  return (await reader.all(BY_PLANNER, params)).length
}

function allOf(words: readonly string[]): string {
  return `(${words.map((word, index) => `'${word}'${index === words.length - 1 ? ':*' : ''}`).join(' & ')})`
}

const EVERYONE = statement<{ limit: number }, object>(
  `select e.position, m.username, m.name, m.headline from directory_entries e
   join members m on m.member_id = e.member_id order by e.position limit :limit`,
)

/** Planned with its words, as the connections of `heavy` do. */
const BY_PLANNER = statement<Record<string, string | number>, object>(`
  select found.tier, found.place, m.username, m.name, m.headline
  from (
    (select 0 as tier, t.* from (
      select e.position as place, e.member_id from members m
      join directory_entries e on e.member_id = m.member_id where m.username = :username
      order by e.position limit :limit) t)
    union all (select 1 as tier, t.* from (
      select e.position as place, e.member_id from directory_entries e
      where e.name_key = :name and e.username <> :username order by e.position limit :limit) t)
    union all (select 2 as tier, t.* from (
      select e.position as place, e.member_id from directory_entries e
      where e.terms @@ cast(:in_name as tsquery) and e.name_key <> :name and e.username <> :username
      order by e.position limit :limit) t)
    union all (select 3 as tier, t.* from (
      select e.position as place, e.member_id from directory_entries e
      where e.terms @@ cast(:anywhere as tsquery) order by e.position limit :limit) t)
    limit :limit
  ) found
  join members m on m.member_id = found.member_id
  order by found.tier, found.place`)
