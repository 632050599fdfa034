/** Migrates a SQLite file. */

import { DatabaseSync } from 'node:sqlite'
import { createDatabaseFile } from './file-permissions.ts'
import { writePlannerStatistics } from './planner-statistics.ts'
import { pendingMigrations, type AppliedMigration, type Migration } from '../../migrate.ts'

/** How long a second process that starts at the same time waits for the first. Milliseconds. */
const LOCK_TIMEOUT_MS = 30_000

/** Creates the file and its folder if missing. Returns the names of the applied migrations. */
export function migrateSqlite(
  path: string,
  migrations: readonly Migration[],
  now: number,
): string[] {
  createDatabaseFile(path)
  const handle = new DatabaseSync(path)
  try {
    handle.exec(
      `pragma busy_timeout = ${LOCK_TIMEOUT_MS}; pragma journal_mode = wal; begin immediate`,
    )
    handle.exec(`create table if not exists schema_migrations (
      number integer primary key, name text not null, digest text not null, applied_at integer not null) strict`)
    const applied = handle
      .prepare('select number, name, digest from schema_migrations order by number')
      .all() as unknown as AppliedMigration[]
    const pending = pendingMigrations(migrations, applied)
    const record = handle.prepare('insert into schema_migrations values (?, ?, ?, ?)')
    for (const migration of pending) {
      handle.exec(migration.sql)
      record.run(migration.number, migration.name, migration.digest, now)
    }
    writePlannerStatistics(handle)
    handle.exec('commit')
    return pending.map((migration) => migration.name)
  } finally {
    handle.close()
  }
}
