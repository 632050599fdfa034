/** Migrations: numbered SQL files, each applied once, forward only. */

import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { RequestError } from '../base/request-error.ts'

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

/** The migrations of one engine, in order. */
export async function readMigrations(engine: 'sqlite' | 'postgres'): Promise<Migration[]> {
  const folder = new URL(`./migrations/${engine}/`, import.meta.url)
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { number: Number(name.slice(0, 4)), name, sql, digest: hash('sha256', sql, 'hex') }
    }),
  )
}

/** Pending migrations. Throws if this version of Weft did not create the database or is too old for it. */
export function pendingMigrations(
  all: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  for (const done of applied) {
    const known = all.find((migration) => migration.number === done.number)
    if (!known)
      throw new RequestError(
        'conflict',
        `The database has the migration ${done.name}, which this version of Weft does not know.`,
        {
          hint: 'Start the version of Weft that applied it, or a later one.',
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
