/** Opens the configured database for one command and closes it behind it. */

import { systemClock } from '../base/clock.ts'
import { openDatabase } from '../db/engines/open.ts'
import { readConfig, type Config } from '../service/config.ts'
import type { Database } from '../db/database.ts'
import type { Terminal } from './terminal.ts'

export interface Opened {
  readonly database: Database
  readonly config: Config
  /** Milliseconds, as the command began. */
  readonly now: number
}

/** Migrates first, so that a command works before the first start of the service. */
export async function withDatabase<T>(
  terminal: Terminal,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const config = readConfig(terminal.environment)
  const { database } = await openDatabase(config.database, {
    clock: systemClock,
    searchThreads: 1,
    timeoutSeconds: config.databaseTimeoutSeconds,
  })
  await using _closed = database
  return await work({ database, config, now: systemClock.now() })
}
