/** A real database of its own for a test, and a clock that stands still until it is moved. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/open.ts'
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

export interface TestStore extends AsyncDisposable {
  readonly database: Database
  readonly clock: FixedClock
  /** `WEFT_DATABASE` of this store, for a process of its own. */
  readonly address: string
  readonly folder: string
}

export async function createStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-test-'))
  const path = join(folder, 'weft.db')
  const clock = fixedClock()
  const { database } = await openDatabase({ engine: 'sqlite', path }, { clock, searchThreads: 1 })
  return {
    database,
    clock,
    folder,
    address: `sqlite:${path}`,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
