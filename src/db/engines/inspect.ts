/** Inspects a database without changing it: missing migrations and defects. */

import { DatabaseSync } from 'node:sqlite'
import { assertSound } from './sqlite/backup.ts'
import { pendingMigrations, readMigrations, type AppliedMigration } from '../migrate.ts'
import type { DatabaseAddress } from '../address.ts'
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
    return [error instanceof Error ? error.message : String(error)]
  }
}

async function inspectPostgres(url: string): Promise<Inspection> {
  return withPostgres(url, async (client) => {
    const sentAt = Date.now()
    const { rows } = await client.query<{ now: number; has_migrations: boolean }>(
      `select extract(epoch from clock_timestamp())::float8 * 1000 as now,
         to_regclass('public.schema_migrations') is not null as has_migrations`,
    )
    const now = rows[0]?.now ?? sentAt
    // The server's clock was read between our two readings.
    const clockAheadMs = now < sentAt ? now - sentAt : Math.max(0, now - Date.now())
    const applied =
      rows[0]?.has_migrations === true
        ? (await client.query<AppliedMigration & { number: string }>(APPLIED)).rows
        : []
    const known = applied.map(({ number, name, digest }) => ({
      number: Number(number),
      name,
      digest,
    }))
    const pending = pendingMigrations(await readMigrations('postgres'), known)
    return { pending: pending.map(({ name }) => name), clockAheadMs }
  })
}

async function withPostgres<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url, application_name: 'weft doctor' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const APPLIED = 'select number, name, digest from schema_migrations order by number'

const INVALID_INDEXES =
  'select indexrelid::regclass::text as name from pg_index where not indisvalid'
