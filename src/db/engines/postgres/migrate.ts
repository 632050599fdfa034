/** Migrates a PostgreSQL database, checks Weft's requirements, and prints the resulting schema. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { MINUTE, SECOND } from '../../../base/clock.ts'
import { RequestError } from '../../../base/request-error.ts'
import { pendingMigrations, type AppliedMigration, type Migration } from '../../migrate.ts'
import { databaseTimeouts } from '../../timeouts.ts'
import { connectionOptions, requireReadWrite } from './connection-pool.ts'
import { currentRole, grantRows } from './runtime-role.ts'

/** An arbitrary advisory lock ID. Nodes that start at the same time wait for each other on it. */
const MIGRATION_LOCK = 8_437_621

const MIN_VERSION = 15

/** How often a node checks whether another one has finished migrating. Milliseconds. */
const POLL_INTERVAL_MS = 100
/**
 * How long a statement of a migration waits for a lock. All reads of the table queue behind it, so it gives up quickly
 * to let them proceed. Milliseconds.
 */
const MIGRATION_LOCK_TIMEOUT_MS = SECOND
/** Between two attempts, multiplied by the attempt up to the maximum. Milliseconds. */
const ATTEMPT_PAUSE_MS = SECOND / 2
const MAX_ATTEMPT_PAUSE_MS = 5 * SECOND
/** Long enough for a backup or a report to end. Milliseconds. */
const MAX_LOCK_WAIT_MS = 10 * MINUTE

/**
 * Applies each pending migration in a separate transaction, so that locks are held only briefly. A migration that
 * does not get a lock in time is rolled back and retried. Returns the names of the applied migrations.
 *
 * With an owner's URL, that role migrates, and the role of `url` is allowed to read and write rows.
 */
export async function migratePostgres(
  { url, ownerUrl }: { readonly url: string; readonly ownerUrl?: string },
  migrations: readonly Migration[],
  now: number,
): Promise<string[]> {
  const client = await connect(ownerUrl ?? url)
  try {
    const servingRole =
      ownerUrl === undefined ? await checkServer(client) : await checkServingRole(url)
    await takeMigrationLock(client)
    const names: string[] = []
    for (const migration of pendingMigrations(migrations, await readApplied(client))) {
      await applyWithRetry(client, migration, now)
      names.push(migration.name)
    }
    if (ownerUrl !== undefined) await grantRows(client, 'public', servingRole)
    return names
  } catch (error) {
    throw isForbidden(error) ? forbidden(await currentRole(client), error) : error
  } finally {
    await client.end()
  }
}

/**
 * Returns its name.
 *
 * @throws {RequestError} `conflict` when the server or the role does not meet Weft's requirements.
 */
async function checkServingRole(url: string): Promise<string> {
  const client = await connect(url)
  try {
    return await checkServer(client)
  } finally {
    await client.end()
  }
}

/** insufficient_privilege (PostgreSQL, appendix A). */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

function forbidden(role: string, cause: unknown): RequestError {
  const error = new RequestError(
    'conflict',
    `The role ${role} is not allowed to migrate the database: ${cause instanceof Error ? cause.message : String(cause)}.`,
    {
      hint: 'Make it the owner of the database: alter database <database> owner to <role>. Or set WEFT_OWNER_DATABASE to the URL of the role that owns it, and run `weft migrate`.',
    },
  )
  error.cause = cause
  return error
}

/**
 * Polls, because a statement that waits for the lock would hold a snapshot, for which `create index concurrently` of the
 * migrating node would wait in turn. The lock ends with the connection.
 */
async function takeMigrationLock(client: Client): Promise<void> {
  const lock = `select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`
  while ((await client.query<{ taken: boolean }>(lock)).rows[0]?.taken !== true)
    await sleep(POLL_INTERVAL_MS)
}

/** `create table if not exists` needs the privilege even if the table exists. */
async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.schema_migrations') is not null as exists",
  )
  if (found[0]?.exists !== true)
    await client.query(`create table schema_migrations (
      number bigint primary key, name text collate "C" not null, digest text collate "C" not null,
      applied_at bigint not null)`)
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, digest from schema_migrations order by number',
  )
  return rows
}

/** @throws {RequestError} `unavailable` when another transaction holds a lock for too long. */
async function applyWithRetry(client: Client, migration: Migration, now: number): Promise<void> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply(client, migration, now)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (performance.now() - startedAt > MAX_LOCK_WAIT_MS)
        throw new RequestError(
          'unavailable',
          `Migration ${migration.name} waits for a lock that another transaction holds.`,
          { hint: 'Find it in pg_stat_activity, end it, and start Weft again.' },
        )
      await sleep(Math.min(attempt * ATTEMPT_PAUSE_MS, MAX_ATTEMPT_PAUSE_MS))
    }
  }
}

async function apply(client: Client, migration: Migration, now: number): Promise<void> {
  const { number, name, digest, sql } = migration
  const isConcurrent = /^\s*(create|drop) index concurrently/im.test(sql)
  await client.query(`set lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`)
  try {
    // `concurrently` cannot run in a transaction, nor beside other statements.
    if (isConcurrent) for (const statement of sql.split(/;\s*$/m)) await client.query(statement)
    await client.query('begin')
    if (!isConcurrent) await client.query(sql)
    await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [
      number,
      name,
      digest,
      now,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** lock_not_available (PostgreSQL, appendix A). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

async function connect(url: string): Promise<Client> {
  // A migration has no time limit.
  const timeouts = databaseTimeouts()
  const client = new Client({ ...connectionOptions(url, timeouts), query_timeout: 0 })
  client.on('error', () => {})
  try {
    await client.connect()
    await requireReadWrite(client, timeouts.wait, { statement_timeout: '0' })
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const reason = reasonOf(error)
    throw new RequestError('unavailable', `Cannot open the PostgreSQL database: ${reason}.`, {
      hint: 'Check that WEFT_DATABASE is correct, the server is running, and the role and database exist.',
    })
  }
}

/** Connecting to a host with several addresses fails with one error per address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message || error.constructor.name : String(error)
}

interface Server {
  readonly version: number
  readonly role: string
  readonly passes: boolean
  readonly encoding: string
}

/** Returns the name of the role. */
async function checkServer(client: Client): Promise<string> {
  const { rows } = await client.query<Server>(SERVER)
  const [server] = rows
  if (!server) throw new Error('the server returned no information about itself')
  if (server.version < MIN_VERSION * 10_000)
    throw new RequestError(
      'conflict',
      `Weft requires PostgreSQL ${MIN_VERSION} or later. Upgrade the server.`,
    )
  if (server.encoding !== 'UTF8')
    throw new RequestError(
      'conflict',
      `The database encoding is ${server.encoding}, but Weft requires UTF8.`,
      {
        hint: "Create another database: create database weft owner weft encoding 'UTF8' template template0",
      },
    )
  if (server.passes)
    throw new RequestError(
      'conflict',
      `The role ${server.role} bypasses row-level security, which isolates members' data.`,
      {
        hint: `Use a separate role without SUPERUSER and BYPASSRLS that owns the database:
  create role weft login password '…';
  create database weft owner weft encoding 'UTF8' template template0;`,
      },
    )
  return server.role
}

const SERVER = `
  select current_setting('server_version_num')::int as version, rolname as role,
    rolsuper or rolbypassrls as passes, current_setting('server_encoding') as encoding
  from pg_roles where rolname = current_user`

/** All tables with columns, constraints, indexes, policies and triggers, in a stable order: the content of `src/db/schema.postgres.sql`. */
export async function dumpPostgresSchema(url: string): Promise<string> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ sql: string }>(DUMP)
    return `${rows.map(({ sql }) => `${sql};`).join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

/** Constraint and policy names come from the catalog, as does their text. */
const DUMP = `
  with tables as (
    select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  ), lines as (
    select t.oid, 1 as part, a.attnum::text as place, '  ' || quote_ident(a.attname) || ' ' ||
      format_type(a.atttypid, a.atttypmod) ||
      case when l.collname <> 'default' then ' collate ' || quote_ident(l.collname) else '' end ||
      case when a.attnotnull then ' not null' else '' end ||
      coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line, a.attnum as number
    from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all
    select t.oid, 2, c.conname, '  constraint ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid), 0
    from tables t join pg_constraint c on c.conrelid = t.oid and c.contype in ('p', 'u', 'f', 'c')
  ), parts as (
    select t.relname, 1 as part, '' as place, 'create table ' || t.relname || ' (' || chr(10) ||
      (select string_agg(l.line, ',' || chr(10) order by l.part, l.number, l.place collate "C")
       from lines l where l.oid = t.oid) || chr(10) || ')' as sql from tables t
    union all
    select t.relname, 2, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
    from tables t join pg_index i on i.indrelid = t.oid
    where not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
    union all
    select t.relname, 3, '', 'alter table ' || t.relname || ' enable row level security, force row level security'
    from tables t where t.relrowsecurity and t.relforcerowsecurity
    union all
    select p.tablename, 4, p.policyname, 'create policy ' || p.policyname || ' on ' || p.tablename || ' for ' ||
      lower(p.cmd) || coalesce(' using (' || p.qual || ')', '') || coalesce(' with check (' || p.with_check || ')', '')
    from pg_policies p where p.schemaname = 'public'
    union all
    select t.relname, 5, g.tgname, pg_get_triggerdef(g.oid)
    from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
    union all
    select t.relname, 6, a.attname, 'alter table ' || t.relname || ' alter column ' || a.attname || ' set storage external'
    from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.attstorage = 'e'
    union all
    select '', 0, f.proname, pg_get_functiondef(f.oid)
    from pg_proc f where f.pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend e where e.objid = f.oid and e.deptype = 'e')
  )
  select rtrim(sql, chr(10)) as sql from parts order by relname collate "C", part, place collate "C"`
