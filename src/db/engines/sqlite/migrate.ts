/** Migrates a SQLite file, and prints the resulting schema. */

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

/** All tables and indexes as SQL, in a stable order: the content of `src/db/schema.sqlite.sql`. */
export function dumpSqliteSchema(path: string): string {
  const handle = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = handle
      .prepare(
        `select sql from sqlite_schema
         where sql is not null and name not like 'sqlite_%'
           and tbl_name not glob '*_search_*'
         order by tbl_name, type desc, name`,
      )
      .all() as { sql: string }[]
    return `${rows.map(({ sql }) => `${sql};`).join('\n\n')}\n`
  } finally {
    handle.close()
  }
}
