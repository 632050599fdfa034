/** Opens the configured database for one command and closes it afterwards. */

import { systemClock } from '../base/clock.ts'
import { openDatabase } from '../db/engines/open.ts'
import { readConfig, type Config } from '../service/config.ts'
import type { Database } from '../db/database.ts'
import type { Terminal } from './terminal.ts'

interface CommandContext {
  readonly database: Database
  readonly config: Config
  /** When the command started, in milliseconds. */
  readonly now: number
}

/** Migrates the database first, so that commands work before the first start of the service. */
export async function withDatabase<T>(
  terminal: Terminal,
  work: (context: CommandContext) => Promise<T>,
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
