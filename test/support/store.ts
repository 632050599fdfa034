/** A real database for one test, and a manual clock. */

import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, pid } from 'node:process'
import { openMigratedDatabase, type OpenedDatabase } from '../../src/db/engines/open.ts'
import { parseDatabaseAddress, type DatabaseAddress } from '../../src/db/database-address.ts'
import { databaseUrl, withClient } from './postgres.ts'
import { administer, dropDatabase, everyRow } from './postgres-databases.ts'
import { reuse } from './reused-databases.ts'
import { postgresTemplate, sqliteTemplate, type TemplateState } from './template-databases.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { Database } from '../../src/db/database.ts'

export interface FixedClock extends Clock {
  /** Moves time forward by milliseconds. */
  advance(milliseconds: number): void
}

/** 2026-11-21T12:00:00Z */
export const TEST_NOW = Date.UTC(2026, 10, 21, 12)

export function fixedClock(at: number = TEST_NOW): FixedClock {
  let now = at
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}

/** The engine of this test run. test/run.ts runs the tests once per engine. */
export const TEST_ENGINE = env['WEFT_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

/** An empty database, migrated, and a clock. */
export interface TestStore extends AsyncDisposable {
  readonly database: Database
  readonly clock: FixedClock
  /** `WEFT_DATABASE` of this store, for other processes. */
  readonly address: string
}

/** A store with a database that no other test uses. */
export interface SeparateStore extends TestStore, Pick<DatabaseLocation, 'folder' | 'everything'> {}

/** For tests that change the schema, break connections, or read files, statistics or query plans. */
export async function createSeparateStore(): Promise<SeparateStore> {
  return storeOf(await openCopy('migrated'))
}

/** A store whose database is emptied afterwards and then used by another test. */
export async function createStore(): Promise<TestStore> {
  return storeOf(await borrowMigrated())
}

function storeOf({ location, database, ...copy }: OpenCopy): SeparateStore {
  return {
    ...location,
    database,
    clock: fixedClock(),
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  }
}

/** A database in its own location, opened. */
export interface OpenCopy extends AsyncDisposable {
  readonly engine: typeof TEST_ENGINE
  readonly location: DatabaseLocation
  readonly opened: OpenedDatabase
  readonly database: Database
}

const borrowMigrated = reuse(() => openCopy('migrated'))

/** With the demo account, and emptied afterwards. */
export const borrowSeeded: () => Promise<OpenCopy> = reuse(() => openCopy('seeded'))

async function openCopy(state: TemplateState): Promise<OpenCopy> {
  const location = await createDatabaseLocation(state)
  const options = { clock: fixedClock(), searchThreads: 1 }
  const opened = await openMigratedDatabase(location.database, options)
  return {
    engine: TEST_ENGINE,
    location,
    opened,
    database: opened.database,
    async [Symbol.asyncDispose]() {
      await opened.database[Symbol.asyncDispose]()
      await location[Symbol.asyncDispose]()
    },
  }
}

/** The location of a new database, for tests that open it themselves. */
export interface DatabaseLocation extends AsyncDisposable {
  /** The value of `WEFT_DATABASE`, and its parsed form. */
  readonly address: string
  readonly database: DatabaseAddress
  /** A temporary folder that is removed with it. */
  readonly folder: string
  /** Everything stored, as one string, to search for data that must not be there. */
  everything(): Promise<string>
}

/** What a database contains at first; a new one is not migrated. */
export type InitialContent = 'new' | TemplateState

/** Migrated and seeded databases are copies of a template, which is made once per process. */
export async function createDatabaseLocation(
  state: InitialContent = 'migrated',
): Promise<DatabaseLocation> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-test-'))
  const location =
    TEST_ENGINE === 'sqlite' ? await sqliteLocation(folder, state) : await postgresLocation(state)
  const database = parseDatabaseAddress(location.address)
  if (!database) throw new Error(`${location.address} is no database`)
  return {
    ...location,
    database,
    folder,
    async [Symbol.asyncDispose]() {
      await location[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type EngineLocation = Pick<DatabaseLocation, 'address' | 'everything'> & AsyncDisposable

async function sqliteLocation(folder: string, state: InitialContent): Promise<EngineLocation> {
  const file = join(folder, 'weft.db')
  if (state !== 'new') await copyFile(await sqliteTemplate(state, fixedClock()), file)
  return {
    address: `sqlite:${file}`,
    async everything() {
      const names = await readdir(folder)
      const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
      return files.join('\n')
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function postgresLocation(state: InitialContent): Promise<EngineLocation> {
  const server = env['WEFT_TEST_POSTGRES']
  if (server === undefined) throw new Error('WEFT_TEST_POSTGRES is not set: run test/run.ts')
  // The process ID is in each name, so that several runs can share a server.
  const name = `weft_test_${pid}_${(created += 1)}`
  const origin =
    state === 'new'
      ? "template0 encoding 'UTF8'"
      : await postgresTemplate(server, state, fixedClock())
  await administer(server, `create database ${name} template ${origin} strategy file_copy`)
  const pooler = env['WEFT_TEST_PGBOUNCER']
  const address = pooler === undefined ? databaseUrl(server, name) : databaseUrl(pooler, name)
  return {
    address,
    everything: () => withClient(address, everyRow),
    async [Symbol.asyncDispose]() {
      await dropDatabase(server, name)
    },
  }
}

let created = 0
