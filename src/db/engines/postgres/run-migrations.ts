/** Migrates a PostgreSQL database and checks Weft's requirements. */

import { codeOf, messageOf } from '../../../base/thrown.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../../base/clock.ts'
import { RequestError } from '../../../base/request-error.ts'
import { pendingMigrations, type AppliedMigration, type Migration } from '../../migrate.ts'
import { databaseTimeouts } from '../../timeouts.ts'
import { connectionOptions, requireReadWrite, withClient } from './connection-pool.ts'
import { INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE } from './failures.ts'
import { currentRole, grantRows } from './runtime-role.ts'
import type { PostgresAddress } from '../../database-address.ts'
import type { Client } from 'pg'

/** An arbitrary advisory lock ID. */
const MIGRATION_LOCK = 8_437_621

const MIN_VERSION = 15

/** Milliseconds. */
const POLL_INTERVAL_MS = 100
/** Short, because all reads of the table queue behind a waiting statement. Milliseconds. */
const MIGRATION_LOCK_TIMEOUT_MS = SECOND
/** Multiplied by the attempt, up to the maximum. Milliseconds. */
const ATTEMPT_PAUSE_MS = SECOND / 2
const MAX_ATTEMPT_PAUSE_MS = 5 * SECOND
/** Long enough for a backup or a report. Milliseconds. */
const MAX_LOCK_WAIT_MS = 10 * MINUTE

/**
 * Applies each pending migration in its own transaction and retries one that does not get a lock. Returns their names. With
 * an owner's URL, that role migrates and grants the role of `url` access to rows.
 */
export async function migratePostgres(
  { url, ownerUrl, poolMode }: Omit<PostgresAddress, 'engine'>,
  migrations: readonly Migration[],
  now: number,
): Promise<string[]> {
  if (poolMode === 'transaction' && ownerUrl === undefined)
    return withClient(clientOptions(url, poolMode), (client) => requireMigrated(client, migrations))
  return withClient(clientOptions(ownerUrl ?? url), async (client) => {
    try {
      const servingRole = await (ownerUrl === undefined
        ? checkServer(client)
        : withClient(clientOptions(url, poolMode), checkServer))
      await takeMigrationLock(client)
      const names: string[] = []
      const applied = await readApplied(client)
      if (applied.length === 0) await client.query(MIGRATIONS_TABLE)
      for (const migration of pendingMigrations(migrations, applied)) {
        await applyWithRetry(client, migration, now)
        names.push(migration.name)
      }
      if (ownerUrl !== undefined) await grantRows(client, servingRole)
      return names
    } catch (error) {
      throw codeOf(error) === INSUFFICIENT_PRIVILEGE
        ? forbidden(await currentRole(client), error)
        : error
    }
  })
}

function forbidden(role: string, cause: unknown): RequestError {
  const error = new RequestError(
    'conflict',
    `The role ${role} is not allowed to migrate the database: ${messageOf(cause)}.`,
    {
      hint: 'Make it the owner of the database: alter database <database> owner to <role>. Or set WEFT_OWNER_DATABASE to the URL of the role that owns it, and run `weft migrate`.',
    },
  )
  error.cause = cause
  return error
}

/**
 * Polls: a statement that waits for the lock would hold a snapshot, for which `create index concurrently` would wait in
 * turn.
 */
async function takeMigrationLock(client: Client): Promise<void> {
  const lock = `select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`
  while ((await client.query<{ taken: boolean }>(lock)).rows[0]?.taken !== true)
    await sleep(POLL_INTERVAL_MS)
}

/** Needs the privilege even if the table exists. */
const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  number bigint primary key, name text collate "C" not null, digest text collate "C" not null,
  applied_at bigint not null)`

/** None if the table does not exist. */
export async function readApplied(client: Client): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.schema_migrations') is not null as exists",
  )
  if (found[0]?.exists !== true) return []
  const { rows } = await client.query<AppliedMigration>(
    'select number::int as number, name, digest from schema_migrations order by number',
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
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
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
    // `concurrently` cannot run in a transaction or beside another statement.
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
    // Fails if the connection is lost, which also rolls back.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Migrations need one session for their lock and settings.
 *
 * @throws {RequestError} `conflict` when one is missing.
 */
async function requireMigrated(
  client: Client,
  migrations: readonly Migration[],
): Promise<string[]> {
  await checkServer(client)
  const [next] = pendingMigrations(migrations, await readApplied(client))
  if (next)
    throw new RequestError(
      'conflict',
      `The migration ${next.name} is pending, and a pooler in transaction mode cannot apply it.`,
      {
        hint: 'Set WEFT_OWNER_DATABASE to a URL that leads to PostgreSQL itself, and run `weft migrate`.',
      },
    )
  return []
}

/** A migration has no time limit. Sessions of a pooler in transaction mode keep their settings. */
function clientOptions(url: string, poolMode?: PostgresAddress['poolMode']) {
  const timeouts = databaseTimeouts()
  const settings = poolMode === undefined ? { statement_timeout: '0' } : {}
  return {
    ...connectionOptions(url, timeouts),
    query_timeout: 0,
    prepare: (client: Client) => requireReadWrite(client, timeouts.wait, settings),
  }
}

interface Server {
  readonly version: number
  readonly role: string
  readonly passes: boolean
  readonly encoding: string
}

/**
 * Returns the name of the role.
 *
 * @throws {RequestError} `conflict` when the server or the role does not meet Weft's requirements.
 */
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
