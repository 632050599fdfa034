/** Inspects a database without changing it: missing migrations and defects. */

import { messageOf } from '../../base/thrown.ts'
import { DatabaseSync } from 'node:sqlite'
import { assertSound } from './sqlite/copy-sqlite.ts'
import { pendingMigrations, readMigrations, type AppliedMigration } from '../migrate.ts'
import type { DatabaseAddress } from '../database-address.ts'
import { clockAheadOf, SERVER_CLOCK } from './postgres/server-clock.ts'
import type { Client } from 'pg'
import type { RolePowers } from './postgres/runtime-role.ts'

export interface Inspection {
  /** Names of migrations that the next start applies; all of them if the database is new. */
  readonly pending: readonly string[]
  /** How far the database server's clock is ahead of this one; 0 on SQLite. Milliseconds. */
  readonly clockAheadMs: number
}

/** @throws {Error} when the database cannot be opened. */
export async function inspectDatabase(address: DatabaseAddress): Promise<Inspection> {
  return address.engine === 'sqlite' ? inspectSqlite(address.path) : inspectPostgres(address.url)
}

/** Defects in the engine's own structures, as sentences. */
export async function findDefects(address: DatabaseAddress): Promise<readonly string[]> {
  if (address.engine === 'postgres')
    return withPostgres(address.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(INVALID_INDEXES)
      return rows.map(({ name }) => `The index ${name} is invalid.`)
    })
  const { path } = address
  return withSqlite(path, (handle) => defectsOf(handle, path))
}

/** The privileges of the serving role; undefined on SQLite. */
export async function readServingPowers(address: DatabaseAddress): Promise<RolePowers | undefined> {
  if (address.engine === 'sqlite') return undefined
  const { readPowers } = await import('./postgres/runtime-role.ts')
  return withPostgres(address.url, readPowers)
}

export interface InspectedRole {
  readonly role: string
  readonly database: string
  /** The same for every URL of a database, also of a standby. */
  readonly databaseId: string
  /** Whether row-level security does not apply to it. */
  readonly seesAllRows: boolean
  readonly readsTables: boolean
  readonly ownsTables: boolean
}

/**
 * The role of a PostgreSQL URL, and its database.
 *
 * @throws {Error} when it cannot connect.
 */
export async function inspectRole(url: string): Promise<InspectedRole> {
  return withPostgres(url, async (client) => {
    const { rows } = await client.query<InspectedRole>(ROLE)
    const [role] = rows
    if (!role) throw new Error('PostgreSQL does not know the role')
    return role
  })
}

interface ConnectionUse {
  /** The connections that the server accepts from Weft's role. */
  readonly accepted: number
  /** The name of what limits them. */
  readonly limit: string
  /** Processes of Weft that are connected. */
  readonly runningNodes: number
}

/** Counts the processes that connect with the same role. Others are not visible to it. */
export async function readConnectionUse(url: string): Promise<ConnectionUse> {
  return withPostgres(url, async (client) => {
    const [limits, nodes] = [
      await client.query<{ accepted: number; limit: string }>(CONNECTION_LIMITS),
      await client.query<{ nodes: number }>(RUNNING_NODES),
    ]
    const { accepted = 0, limit = '' } = limits.rows[0] ?? {}
    return { accepted, limit, runningNodes: nodes.rows[0]?.nodes ?? 0 }
  })
}

async function inspectSqlite(path: string): Promise<Inspection> {
  const migrations = await readMigrations('sqlite')
  const applied = withSqlite(
    path,
    (handle) => handle.prepare(APPLIED).all() as unknown as AppliedMigration[],
  )
  return {
    pending: pendingMigrations(migrations, applied).map(({ name }) => name),
    clockAheadMs: 0,
  }
}

/** Maximum wait for other processes' locks. */
const LOCK_TIMEOUT_MS = 10_000

function withSqlite<T>(path: string, use: (handle: DatabaseSync) => T): T {
  using handle = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
  return use(handle)
}

function defectsOf(handle: DatabaseSync, path: string): string[] {
  try {
    assertSound(handle, path)
    return []
  } catch (error) {
    return [messageOf(error)]
  }
}

async function inspectPostgres(url: string): Promise<Inspection> {
  return withPostgres(url, async (client) => {
    const sentAt = Date.now()
    const { rows } = await client.query<{ now: number }>(SERVER_CLOCK)
    const clockAheadMs = clockAheadOf(rows[0]?.now ?? sentAt, sentAt)
    const { readApplied } = await import('./postgres/run-migrations.ts')
    const pending = pendingMigrations(await readMigrations('postgres'), await readApplied(client))
    return { pending: pending.map(({ name }) => name), clockAheadMs }
  })
}

async function withPostgres<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const { openClient } = await import('./postgres/connection-pool.ts')
  const client = await openClient({ connectionString: url, application_name: 'weft doctor' })
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const APPLIED = 'select number, name, digest from schema_migrations order by number'

const ROLE = `
  with tables as (
    select oid, relowner from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
  select r.rolname as role, d.datname as database, r.rolsuper or r.rolbypassrls as "seesAllRows",
    (select system_identifier from pg_control_system()) || '/' || d.oid as "databaseId",
    not exists (select 1 from tables where not has_table_privilege(oid, 'select')) as "readsTables",
    not exists (select 1 from tables where not pg_has_role(relowner, 'member')) as "ownsTables"
  from pg_roles r, pg_database d
  where r.rolname = current_user and d.datname = current_database()`

/** Reserved connections are for superusers and for members of pg_use_reserved_connections. */
const CONNECTION_LIMITS = `
  select accepted, "limit" from (
    select setting::int - (select sum(setting::int) from pg_settings
      where name in ('superuser_reserved_connections', 'reserved_connections')) as accepted,
      'max_connections' as "limit" from pg_settings where name = 'max_connections'
    union all
    select rolconnlimit, 'the connection limit of the role' from pg_roles where rolname = current_user
    union all
    select datconnlimit, 'the connection limit of the database' from pg_database
      where datname = current_database()) limits
  where accepted >= 0 order by accepted limit 1`

/** Roles see the names of their own connections only. */
const RUNNING_NODES = `
  select count(distinct application_name)::int as nodes from pg_stat_activity
  where datname = current_database() and application_name like 'weft %:%'`

const INVALID_INDEXES =
  'select indexrelid::regclass::text as name from pg_index where not indisvalid'
