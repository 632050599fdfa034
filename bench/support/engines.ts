/** Both engines for one benchmark: a SQLite file, and a private PostgreSQL cluster with fsync on. */

import {
  databaseUrl,
  findPostgres,
  startCluster,
  workingDatabase,
} from '../../test/support/postgres.ts'
import { temporaryFolder } from './machine.ts'
import type { Settings } from './weft.ts'

export const ENGINES = ['SQLite', 'PostgreSQL'] as const
export type Engine = (typeof ENGINES)[number]

export interface Engines extends AsyncDisposable {
  /** A temporary folder, which also holds the SQLite files. */
  readonly folder: string
  /** The settings of an empty database. `name` distinguishes several of one engine. */
  create(engine: Engine, name?: string): Promise<Settings>
  /** The same PostgreSQL database for a superuser, who sees all rows. */
  superuserUrl(name?: string): string
}

export async function startEngines(): Promise<Engines> {
  const programs = await requirePostgres()
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(await temporaryFolder()).path
  const cluster = starting.use(await startCluster(programs, { durable: true }))
  const started = starting.move()
  return {
    folder,
    create: async (engine, name = 'weft') =>
      engine === 'SQLite'
        ? { folder, database: `${name}.db` }
        : { folder, address: await workingDatabase(cluster.url, name) },
    superuserUrl: (name = 'weft') => databaseUrl(cluster.url, name),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** @returns the folder of the programs */
async function requirePostgres(): Promise<string> {
  const programs = await findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is needed: apt-get install postgresql')
  return programs
}
