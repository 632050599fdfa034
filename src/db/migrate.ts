/**
 * Migrations: numbered SQL files, each applied once, forward only. `0001_schema.sql` is the schema of the first release. The
 * name `0002_add_x.from_0001.sql` says that nodes which know the migrations up to 0001 can keep running with it. Without that
 * part, only nodes that know it can.
 *
 * A file is written once, in the SQL of SQLite, and lines after `--@` are for PostgreSQL only. One whose statements differ
 * between the engines is two files: `0002_add_x.sqlite.sql` and `0002_add_x.postgres.sql`.
 */

import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { RequestError } from '../base/request-error.ts'
import { statement } from './statement.ts'
import type { Reader } from './database.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}

export interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly digest: string
}

const FOLDER = new URL('./migrations/', import.meta.url)

/** The migrations of one engine, in order. */
export async function readMigrations(
  engine: 'sqlite' | 'postgres',
  folder = FOLDER,
): Promise<Migration[]> {
  const other = engine === 'sqlite' ? '.postgres.' : '.sqlite.'
  const names = (await readdir(folder))
    .filter((name) => /^\d{4}_.+\.sql$/.test(name) && !name.includes(other))
    .sort()
  return Promise.all(
    names.map(async (name) => {
      const written = await readFile(new URL(name, folder), 'utf8')
      const isShared = engine === 'postgres' && !name.includes('.postgres.')
      const sql = isShared ? forPostgres(written) : written
      return { number: Number(name.slice(0, 4)), name, sql, digest: hash('sha256', sql, 'hex') }
    }),
  )
}

const POSTGRES_TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  text: 'text collate "C"',
  blob: 'bytea',
}

/** The same tables on PostgreSQL, where texts compare by their bytes, as on SQLite. */
function forPostgres(sql: string): string {
  return sql
    .replaceAll(
      /^( +\w+ +|alter table \w+ add column \w+ )(integer|text|blob)\b/gm,
      (_column, name: string, type: string) => name + POSTGRES_TYPES[type],
    )
    .replaceAll(/\) strict(?:, without rowid)?;/g, ');')
    .replaceAll(/^--@ /gm, '')
}

/**
 * Pending migrations. Throws if this version of Weft did not create the database or is too old for it. A later schema that
 * is compatible with this version has none.
 */
export function pendingMigrations(
  all: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  for (const done of applied) {
    const known = all.find((migration) => migration.number === done.number)
    if (!known && oldestCompatible(done) <= newestOf(all)) continue
    if (!known)
      throw new RequestError(
        'conflict',
        `The database has the migration ${done.name}, which this version of Weft does not know.`,
        {
          hint: 'Start the version of Weft that applied it, or a later one.',
        },
      )
    if (known.name !== done.name)
      throw new RequestError(
        'conflict',
        'The database was created by an unreleased version of Weft, whose schema this version cannot use.',
        {
          hint:
            'Export each member with the old version (weft member export <username>), start this version with an empty database, create the members with the same usernames, and import each file (weft import <file> --member <username>). ' +
            'Passwords, passkeys, tokens, roles, IDs, deleted people, the activity log and used credits do not travel; see docs/running/upgrading.md.',
        },
      )
    if (known.digest !== done.digest)
      throw new RequestError(
        'conflict',
        `Migration ${done.name} was changed after it was applied to this database.`,
      )
  }
  return all.filter((migration) => !applied.some((done) => done.number === migration.number))
}

/** The number of the latest migration. */
export function newestOf(migrations: readonly Pick<Migration, 'number'>[]): number {
  return Math.max(0, ...migrations.map(({ number }) => number))
}

/** The name of an applied migration that a node with migrations up to `newest` cannot run with; undefined if none. */
export async function findIncompatibleMigration(
  reader: Reader,
  newest: number,
): Promise<string | undefined> {
  const later = await reader.all(LATER, { newest })
  return later.find((migration) => oldestCompatible(migration) > newest)?.name
}

const LATER = statement<{ newest: number }, Pick<Migration, 'number' | 'name'>>(
  'select number, name from schema_migrations where number > :newest order by number',
)

/** The last migration that a node must know to run with this one. */
function oldestCompatible({ number, name }: Pick<Migration, 'number' | 'name'>): number {
  return Number(/\.from_(\d{4})\.sql$/.exec(name)?.[1] ?? number)
}
