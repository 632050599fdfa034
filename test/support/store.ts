/** A real database for one test, and a manual clock. */

import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { env, pid } from 'node:process'
import {
  openDatabase,
  openMigratedDatabase,
  parseDatabaseAddress,
  type DatabaseAddress,
} from '../../src/db/engines/open.ts'
import { openJobDispatch } from '../../src/jobs/open-dispatch.ts'
import { seedDemo } from '../../src/service/seed-demo.ts'
import { serviceStatement, statement } from '../../src/db/statement.ts'
import { createLog } from '../../src/base/log.ts'
import { databaseUrl, withClient } from './postgres.ts'
import { administer, everyRow } from './postgres-databases.ts'
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
  const location = await createDatabaseLocation()
  const clock = fixedClock()
  const { database } = await openMigratedDatabase(location.database, { clock, searchThreads: 1 })
  return {
    ...location,
    database,
    clock,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await location[Symbol.asyncDispose]()
    },
  }
}

/**
 * A store whose database is emptied afterwards and then used by another test. Creating and opening a database takes most
 * of the time of a short test on PostgreSQL.
 */
export async function createStore(): Promise<TestStore> {
  const used = idle.pop() ?? { store: await createSeparateStore(), uses: 0 }
  clearTimeout(used.closing)
  used.uses += 1
  let isReturned = false
  return {
    database: used.store.database,
    address: used.store.address,
    clock: fixedClock(),
    async [Symbol.asyncDispose]() {
      if (!isReturned) await giveBack(used)
      isReturned = true
    },
  }
}

interface ReusedStore {
  readonly store: SeparateStore
  uses: number
  /** Closes a database that no test uses any longer. */
  closing?: NodeJS.Timeout
}

const idle: ReusedStore[] = []

const IDLE_MS = 500

const MAX_USES = 25

/** PostgreSQL keeps deleted rows in its files and reads over them. Twice the size of an unused database. */
const MAX_TABLE_BYTES = 256 * 1024

async function giveBack(used: ReusedStore): Promise<void> {
  const { store, uses } = used
  await empty(store.database)
  if (uses === MAX_USES || (await tableBytes(store.database)) > MAX_TABLE_BYTES)
    return store[Symbol.asyncDispose]()
  idle.push(used)
  used.closing = setTimeout(() => {
    idle.splice(idle.indexOf(used), 1)
    void store[Symbol.asyncDispose]()
  }, IDLE_MS)
}

/** Rows of members are deleted with them. */
const SHARED_TABLES = [
  'members',
  'emails',
  'one_time_links',
  'pending_identities',
  'anonymous_idempotency_records',
  'demo_deletion',
  'oauth_clients',
  'passkey_challenges',
  'sign_in_windows',
  ...(TEST_ENGINE === 'sqlite' ? ['directory_search', 'directory_words'] : []),
]

const DELETIONS = SHARED_TABLES.map((table) => serviceStatement(`delete from ${table}`))

async function empty(database: Database): Promise<void> {
  await database.write(async (tx) => {
    for (const deletion of DELETIONS) await tx.run(deletion, {})
  })
}

async function tableBytes(database: Database): Promise<number> {
  return TEST_ENGINE === 'sqlite' ? 0 : ((await database.get(TABLE_BYTES, {}))?.bytes ?? 0)
}

const TABLE_BYTES = statement<object, { bytes: number }>(`
  select sum(pg_relation_size(oid))::bigint as bytes from pg_class
  where relkind in ('r', 't') and relowner = current_user::regrole`)

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

/** The initial content: empty, the current schema, or also the demo account and the tables of the job queue. */
export type InitialContent = 'new' | 'migrated' | 'seeded'

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
  if (state !== 'new') await copyFile(await sqliteTemplate(state), file)
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
    state === 'new' ? "template0 encoding 'UTF8'" : await postgresTemplate(server, state)
  await administer(server, `create database ${name} template ${origin} strategy file_copy`)
  const address = databaseUrl(server, name)
  return {
    address,
    everything: () => withClient(address, everyRow),
    async [Symbol.asyncDispose]() {
      await administer(server, `drop database ${name} with (force)`)
    },
  }
}

let created = 0

type TemplateState = Exclude<InitialContent, 'new'>

const templates = new Map<TemplateState, Promise<string>>()

function templateOf(
  state: TemplateState,
  make: (state: TemplateState) => Promise<string>,
): Promise<string> {
  const template = templates.get(state) ?? make(state)
  templates.set(state, template)
  return template
}

/** @returns the path of the template file */
function sqliteTemplate(state: TemplateState): Promise<string> {
  return templateOf(state, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weft-template-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'weft.db')
    await fillTemplate({ engine: 'sqlite', path }, state)
    return path
  })
}

/** @returns the name of the template database */
function postgresTemplate(server: string, state: TemplateState): Promise<string> {
  return templateOf(state, async () => {
    const name = `weft_test_${pid}_${state}`
    await administer(server, `drop database if exists ${name}`)
    await administer(server, `create database ${name} encoding 'UTF8' template template0`)
    await fillTemplate({ engine: 'postgres', url: databaseUrl(server, name) }, state)
    return name
  })
}

async function fillTemplate(address: DatabaseAddress, state: TemplateState): Promise<void> {
  const clock = fixedClock()
  const { database } = await openDatabase(address, { clock, searchThreads: 1 })
  if (state === 'seeded') {
    await seedDemo(database, clock.now())
    const dispatch = await openJobDispatch(address, createLog('silent'))
    await dispatch[Symbol.asyncDispose]()
  }
  await database[Symbol.asyncDispose]()
}
