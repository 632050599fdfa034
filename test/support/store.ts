/** A real database of its own for a test, and a clock that stands still until it is moved. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, pid } from 'node:process'
import { migrateDatabase, openDatabase, parseDatabaseAddress } from '../../src/db/open.ts'
import { databaseUrl, withClient } from './postgres.ts'
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

/** Which engine this run of the tests is for: test/run.ts runs them once for each. */
export const TEST_ENGINE = env['WEFT_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

export interface TestStore extends AsyncDisposable {
  readonly database: Database
  readonly clock: FixedClock
  /** `WEFT_DATABASE` of this store, for a process of its own. */
  readonly address: string
  readonly folder: string
}

/** An empty database, migrated. */
export async function createStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-test-'))
  const place = TEST_ENGINE === 'sqlite' ? sqlitePlace(folder) : await postgresPlace()
  const address = parseDatabaseAddress(place.address)
  if (!address) throw new Error(`${place.address} is no database`)
  const clock = fixedClock()
  const { database } = await openDatabase(address, { clock, searchThreads: 1 })
  return {
    database,
    clock,
    folder,
    address: place.address,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await place.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Place {
  readonly address: string
  remove(): Promise<void>
}

function sqlitePlace(folder: string): Place {
  return { address: `sqlite:${join(folder, 'weft.db')}`, remove: async () => {} }
}

/** A copy of a migrated database: 15 ms, where migrating takes 100. */
async function postgresPlace(): Promise<Place> {
  const server = env['WEFT_TEST_POSTGRES']
  if (server === undefined) throw new Error('WEFT_TEST_POSTGRES is not set: run test/run.ts')
  template ??= makeTemplate(server)
  const from = await template
  const name = `${from}_${(places += 1)}`
  await withClient(server, (client) =>
    client.query(`create database ${name} template ${from} strategy file_copy`),
  )
  return {
    address: databaseUrl(server, name),
    remove: async () => {
      await withClient(server, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

/** Of this process: its number is in the names, so that others may use the same server. */
let template: Promise<string> | undefined
let places = 0

async function makeTemplate(server: string): Promise<string> {
  const name = `weft_test_${pid}`
  await withClient(server, async (client) => {
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name} encoding 'UTF8' template template0`)
  })
  await migrateDatabase({ engine: 'postgres', url: databaseUrl(server, name) }, fixedClock())
  return name
}
