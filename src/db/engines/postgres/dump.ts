/** Dumps and restores a PostgreSQL database with `pg_dump` and `pg_restore`, and counts the rows of both. */

import { codeOf } from '../../../base/thrown.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { RequestError } from '../../../base/request-error.ts'
import { assertNotEmpty, assertSameCounts, type RowCounts } from '../../compare-copy.ts'
import { withClient } from './connection-pool.ts'
import { showAllRows } from './table-access.ts'
import type { Client } from 'pg'

/**
 * Writes a dump of one snapshot to `target` and compares it with that snapshot: the rows of every table.
 *
 * @throws {RequestError} `conflict` when the role cannot see all rows.
 * @throws {RequestError} `not_found` when `pg_dump` is not installed.
 */
export async function dumpPostgres(url: string, target: string): Promise<RowCounts> {
  return withClient(optionsOf(url), async (client) => {
    await requireAllRows(client)
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ snapshot: string }>(
      'select pg_export_snapshot() as snapshot',
    )
    const counts = await countRows(client)
    await run('pg_dump', url, [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--snapshot=${rows[0]?.snapshot ?? ''}`,
      `--file=${target}`,
    ])
    assertSameCounts(counts, await countDumpedRows(target), 'The backup')
    return counts
  })
}

function optionsOf(url: string) {
  return { connectionString: url, application_name: 'weft backup' }
}

/**
 * Restores a dump into an empty database in one transaction, and compares the rows of every table. `url` is of the role that
 * will own the tables.
 *
 * @throws {RequestError} `conflict` when the database has tables.
 */
export async function restorePostgres(url: string, dump: string): Promise<RowCounts> {
  const dumped = await countDumpedRows(dump)
  assertNotEmpty(dumped, dump)
  await withClient(optionsOf(url), requireEmpty)
  const { pathname } = new URL(url)
  await run('pg_restore', url, [
    '--no-owner',
    '--no-privileges',
    '--exit-on-error',
    '--single-transaction',
    `--dbname=${pathname.slice(1)}`,
    dump,
  ])
  const restored = await withClient(optionsOf(url), async (client) => {
    await client.query('begin')
    await showAllRows(client)
    return countRows(client)
  })
  assertSameCounts(dumped, restored, 'The restored database')
  return dumped
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query(
    "select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace limit 1",
  )
  if (rows.length > 0)
    throw new RequestError('conflict', 'The database is not empty, so nothing was restored.', {
      hint: 'Create an empty database, set WEFT_DATABASE to it, and run the command again.',
    })
}

/** The rows of every table in a dump, read from its data. */
async function countDumpedRows(dump: string): Promise<RowCounts> {
  const child = start('pg_restore', {}, ['--data-only', '--file=-', dump])
  const failed = textOf(child.stderr)
  const exited = once(child, 'close').catch(missingProgram('pg_restore'))
  const counts: Record<string, number> = {}
  let table: string | undefined
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    if (table === undefined) {
      table = /^COPY public\.(\w+) \(.*\) FROM stdin;$/.exec(line)?.[1]
      if (table !== undefined) counts[table] = 0
    } else if (line === '\\.') table = undefined
    else counts[table] = (counts[table] ?? 0) + 1
  }
  const [code] = (await exited) as [number | null]
  if (code !== 0)
    throw new RequestError('conflict', `${dump} cannot be read: ${(await failed).trim()}`, {
      hint: 'Use another backup.',
    })
  return counts
}

async function countRows(client: Client): Promise<RowCounts> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by relname`,
  )
  const counts: [string, number][] = []
  for (const { name } of rows) {
    const counted = await client.query<{ rows: string }>(`select count(*) as rows from "${name}"`)
    counts.push([name, Number(counted.rows[0]?.rows)])
  }
  return Object.fromEntries(counts)
}

/** For a role that is subject to row-level security, pg_dump would succeed without dumping any private row. */
async function requireAllRows(client: Client): Promise<void> {
  const { rows } = await client.query<{ role: string; sees_all: boolean }>(
    'select rolname as role, rolsuper or rolbypassrls as sees_all from pg_roles where rolname = current_user',
  )
  const [found] = rows
  if (found?.sees_all === true) return
  throw new RequestError(
    'conflict',
    `The role ${found?.role} cannot back up the database, because row-level security hides members' rows from it.`,
    {
      hint: `Create a role for backups, and set WEFT_BACKUP_DATABASE to its URL:
  create role weft_backup login password '…' bypassrls;
  grant pg_read_all_data to weft_backup;`,
    },
  )
}

/** Runs a program of PostgreSQL. The password is passed in the environment, where other users cannot see it. */
async function run(program: string, url: string, args: readonly string[]): Promise<void> {
  const child = start(program, connectionVariables(url), args)
  child.stdout.resume()
  const [said, [code]] = await Promise.all([
    textOf(child.stderr),
    once(child, 'close').catch(missingProgram(program)) as Promise<[number | null]>,
  ])
  if (code !== 0)
    throw new RequestError('conflict', `${program} failed: ${said.trim() || `exit code ${code}`}`)
}

type Variables = Readonly<Record<string, string>>

function start(program: string, variables: Variables, args: readonly string[]) {
  const env = { PATH: PROGRAM_PATH, ...variables }
  return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Where packages install the programs of PostgreSQL. */
const PROGRAM_PATH =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin:/usr/local/pgsql/bin'

function missingProgram(program: string) {
  return (error: unknown): never => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new RequestError('not_found', `${program} is not installed.`, {
      hint: 'Install the PostgreSQL client programs of the same version as the server or newer (package postgresql-client), or copy the database to a SQLite file with `weft move --to sqlite:FILE`.',
    })
  }
}

/** As libpq reads them. https://www.postgresql.org/docs/current/libpq-envars.html */
function connectionVariables(url: string): Variables {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const value = (name: string, text: string) => (text === '' ? [] : [[name, text]])
  return Object.fromEntries([
    ...value('PGHOST', searchParams.get('host') ?? decodeURIComponent(hostname)),
    ...value('PGPORT', searchParams.get('port') ?? port),
    ...value('PGUSER', decodeURIComponent(username)),
    ...value('PGPASSWORD', decodeURIComponent(password)),
    ...value('PGDATABASE', decodeURIComponent(pathname.slice(1))),
    ...value('PGSSLMODE', searchParams.get('sslmode') ?? ''),
    ...value('PGSSLROOTCERT', searchParams.get('sslrootcert') ?? ''),
  ])
}
