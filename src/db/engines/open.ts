/** Opens and migrates the configured database. */

import { migrateSqlite } from './sqlite/run-migrations.ts'
import { ComputeThreads, LEAST_COMPUTE_THREADS } from '../compute-threads.ts'
import { DEFAULT_DATABASE_CONNECTIONS, divideConnections } from './postgres/divide-connections.ts'
import { SqliteDatabase } from './sqlite/sqlite-database.ts'
import { openSqliteTables } from './sqlite/table-access.ts'
import { tightenDatabaseFile, type LoosePath } from './sqlite/file-permissions.ts'
import { newestOf, readMigrations } from '../migrate.ts'
import { databaseTimeouts } from '../timeouts.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { DatabaseAddress } from '../database-address.ts'
import type { Database, DatabaseTimings } from '../database.ts'
import type { TableAccess } from '../whole-tables.ts'

interface OpenOptions {
  readonly clock: Clock
  /** Search threads on SQLite, with half as many more for anonymous callers. As many, at least two, run computations. */
  readonly searchThreads: number
  /** `WEFT_DATABASE_CONNECTIONS`: the maximum on PostgreSQL. */
  readonly connections?: number
  /** `WEFT_SEARCH_MEMORY_MB`, in bytes. */
  readonly memoryBytes?: number
  /** `WEFT_DATABASE_TIMEOUT`. */
  readonly timeoutSeconds?: number
  readonly timings?: DatabaseTimings | undefined
}

export interface OpenedDatabase {
  readonly database: Database
  /** Names of the migrations that were just applied. */
  readonly applied: readonly string[]
  /** The latest migration of this version. */
  readonly newest: number
  /** Files that other users could open. Empty on PostgreSQL. */
  readonly loose: readonly LoosePath[]
}

/** Creates a missing SQLite database, and applies missing migrations on both engines. */
export async function openDatabase(
  address: DatabaseAddress,
  options: OpenOptions,
): Promise<OpenedDatabase> {
  const loose = address.engine === 'sqlite' ? tightenDatabaseFile(address.path) : []
  const applied = await migrateDatabase(address, options.clock)
  const opened = await openMigratedDatabase(address, options)
  return { ...opened, applied, loose }
}

/** Opens a database that has all migrations of this version. */
export async function openMigratedDatabase(
  address: DatabaseAddress,
  options: OpenOptions,
): Promise<OpenedDatabase> {
  const newest = newestOf(await readMigrations(address.engine))
  const { searchThreads, timings } = options
  const timeouts = databaseTimeouts(options.timeoutSeconds)
  const memory = options.memoryBytes === undefined ? {} : { memoryBytes: options.memoryBytes }
  if (address.engine === 'sqlite') {
    const { path } = address
    const anonymousThreads = Math.ceil(searchThreads / 2)
    const computeThreads = Math.max(searchThreads, LEAST_COMPUTE_THREADS)
    const computing = new ComputeThreads({ address, timeouts }, computeThreads)
    const threads = { searchThreads, anonymousThreads, computing }
    return {
      database: new SqliteDatabase({ path, timeouts, ...memory, ...threads, timings }),
      applied: [],
      newest,
      loose: [],
    }
  }
  const { PostgresDatabase } = await importPostgres()
  const { computeThreads, ...pools } = divideConnections(
    options.connections ?? DEFAULT_DATABASE_CONNECTIONS,
    searchThreads,
  )
  // Threads only read, so they do not get the owner's password.
  const { engine, url, poolMode } = address
  const reading = { engine, url, ...(poolMode && { poolMode }) }
  const computing = new ComputeThreads({ address: reading, timeouts }, computeThreads)
  const database = new PostgresDatabase({
    url,
    poolMode,
    ...pools,
    timeouts,
    ...memory,
    computing,
    timings,
  })
  return { database, applied: [], newest, loose: [] }
}

/**
 * The tables of a migrated database, with the rows of all members. Stop the service first.
 *
 * @throws {RequestError} `conflict` when other processes use the tables, or when the role of PostgreSQL does not own them.
 */
export async function openTables(
  address: DatabaseAddress,
  options: { readonly readOnly: boolean },
): Promise<TableAccess> {
  if (address.engine === 'sqlite') return openSqliteTables(address.path, options)
  const { openPostgresTables } = await import('./postgres/table-access.ts')
  return openPostgresTables(address.ownerUrl ?? address.url, options)
}

/** Logs which files other users could open. */
export function logLoosePaths(log: Log, loose: readonly LoosePath[]): void {
  for (const { path, mode, isTightened } of loose)
    if (isTightened) log.info({ path, mode }, 'permissions were too open and have been restricted')
    else
      log.warn(
        { path, mode },
        'other users can open this file; ask its owner to run chmod go= on it',
      )
}

/** Returns the names of the applied migrations. */
export async function migrateDatabase(
  address: DatabaseAddress,
  clock: Clock,
): Promise<readonly string[]> {
  const migrations = await readMigrations(address.engine)
  if (address.engine === 'sqlite') return migrateSqlite(address.path, migrations, clock.now())
  const { migratePostgres } = await importPostgres()
  return migratePostgres(address, migrations, clock.now())
}

/** `pg` is slow to load. */
async function importPostgres() {
  const [{ PostgresDatabase }, { migratePostgres }] = await Promise.all([
    import('./postgres/postgres-database.ts'),
    import('./postgres/run-migrations.ts'),
  ])
  return { PostgresDatabase, migratePostgres }
}
