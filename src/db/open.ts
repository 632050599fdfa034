/** Opens the database that the configuration names, migrated and ready. */

import { migrateSqlite } from './engines/sqlite/migrate.ts'
import { SqliteDatabase } from './engines/sqlite/database.ts'
import { readMigrations } from './migrate.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from './database.ts'

/** Where the data is: `WEFT_DATABASE`, parsed. */
export interface DatabaseAddress {
  readonly engine: 'sqlite'
  readonly path: string
}

export interface OpenedDatabase {
  readonly database: Database
  /** Names of the migrations that were applied just now; all of them for a new database. */
  readonly applied: readonly string[]
}

export async function openDatabase(
  address: DatabaseAddress,
  options: { readonly clock: Clock; readonly searchThreads: number },
): Promise<OpenedDatabase> {
  const applied = await migrateDatabase(address, options.clock)
  const database = new SqliteDatabase({ path: address.path, searchThreads: options.searchThreads })
  return { database, applied }
}

export async function migrateDatabase(
  address: DatabaseAddress,
  clock: Clock,
): Promise<readonly string[]> {
  return migrateSqlite(address.path, await readMigrations(address.engine), clock.now())
}
