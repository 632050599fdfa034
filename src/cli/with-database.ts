/** Opens the configured database for one command and closes it afterwards. */

import { systemClock } from '../base/clock.ts'
import { openDatabase } from '../db/engines/open.ts'
import { assertFileExists } from '../db/engines/sqlite/existing-file.ts'
import { readConfig, type Config } from '../config/config.ts'
import { requireMemberByUsername } from '../members/member.ts'
import type { Database, MemberDatabase } from '../db/database.ts'
import type { Member } from '../members/member-row.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface CommandContext {
  readonly database: Database
  readonly config: Config
  /** When the command started, in milliseconds. */
  readonly now: number
}

type Work<T> = (context: CommandContext) => Promise<T>

/**
 * Migrates the database first, so that commands work before the first start of a new version.
 *
 * @throws {RequestError} `not_found` when the SQLite file does not exist.
 */
export async function withDatabase<T>(terminal: Terminal, work: Work<T>): Promise<T> {
  const config = readConfig(terminal.environment)
  if (config.database.engine === 'sqlite') assertFileExists(config.database.path)
  return withOpened(config, work)
}

interface MemberContext extends CommandContext {
  readonly member: Member
  readonly db: MemberDatabase
}

/**
 * For commands about one member.
 *
 * @throws {RequestError} `not_found` when no member has this username.
 */
export function withMember<T>(
  terminal: Terminal,
  username: string,
  work: (context: MemberContext) => Promise<T>,
): Promise<T> {
  return withDatabase(terminal, async (context) => {
    const member = await requireMemberByUsername(context.database, username)
    return work({ ...context, member, db: context.database.member(member.memberId) })
  })
}

/** For commands that are of use before the first start of the service: creates the database if necessary. */
export async function withNewDatabase<T>(terminal: Terminal, work: Work<T>): Promise<T> {
  return withOpened(readConfig(terminal.environment), work)
}

export function withoutDatabase({ environment }: Terminal): CommandContext {
  const get = () => {
    throw new TypeError('this command has no database')
  }
  const database = new Proxy({} as Database, { get })
  return { database, config: readConfig(environment), now: systemClock.now() }
}

async function withOpened<T>(config: Config, work: Work<T>): Promise<T> {
  const { database } = await openDatabase(config.database, {
    clock: systemClock,
    searchThreads: 1,
    timeoutSeconds: config.databaseTimeoutSeconds,
  })
  await using _closed = database
  return await work({ database, config, now: systemClock.now() })
}
