/** weft backup, restore and move. */

import { join } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { expireSyncTokens } from '../connections/cards/book-state.ts'
import { assertLedgers } from '../credits/ledger-check.ts'
import { migrateDatabase, openDatabase, openTables } from '../db/engines/open.ts'
import { describeDatabase, parseDatabaseAddress } from '../db/database-address.ts'
import { assertFileExists } from '../db/engines/sqlite/existing-file.ts'
import { createPrivateFolder } from '../db/engines/sqlite/file-permissions.ts'
import { backupName, backUp, restore } from '../operate/backup.ts'
import { readConfig } from '../config/config.ts'
import { moveDatabase } from '../operate/move.ts'
import { withDatabase } from './with-database.ts'
import { formatTable } from './terminal/table.ts'
import { plural, print, say, type Terminal } from './terminal/terminal.ts'
import type { Command } from 'commander'
import type { RowCounts } from '../db/compare-copy.ts'

interface JsonOption {
  readonly json?: true
}

export function addBackupCommand(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('Back up the database while Weft runs, and verify the copy')
    .argument('[file]', 'path of the new file (default: a name with the time)')
    .option('--json', 'print the path, size and rows as JSON')
    .addHelpText('after', BACKUP_HELP)
    .action((file: string | undefined, options: JsonOption) => runBackup(terminal, file, options))
}

const BACKUP_HELP = `
Without FILE, the backup is written to WEFT_BACKUP_DIRECTORY, or to the current folder.
An existing file is never replaced, and an incomplete one never has the name of a backup.

SQLite: a snapshot. No other program is needed, and writes continue meanwhile.
PostgreSQL:  a dump by pg_dump, as the role in WEFT_BACKUP_DATABASE, which must see all rows.

Set WEFT_BACKUP_DIRECTORY for \`weft serve\` to get a backup a day; the latest 7 are kept.`

export function addRestoreCommand(program: Command, terminal: Terminal): void {
  program
    .command('restore')
    .description('Restore a backup to an empty database, and verify the result')
    .argument('<file>', 'a file that `weft backup` wrote')
    .option('--json', 'print the rows of each table as JSON')
    .addHelpText('after', RESTORE_HELP)
    .action((file: string, options: JsonOption) => runRestore(terminal, file, options))
}

const RESTORE_HELP = `
WEFT_DATABASE names the database to restore to. It must not exist yet (SQLite) or must be empty (PostgreSQL).
Weft compares the rows of every table with the backup, and checks that every credit ledger adds up.`

export function addMoveCommand(program: Command, terminal: Terminal): void {
  program
    .command('move')
    .description('Copy everything to a database of the other engine, and compare both')
    .requiredOption('--to <url>', 'sqlite:<file> or postgres://…, an empty database')
    .option('--json', 'print the rows and checksum of each table as JSON')
    .addHelpText('after', MOVE_HELP)
    .action((options: JsonOption & { to: string }) => runMove(terminal, options))
}

const MOVE_HELP = `
Stop Weft first. WEFT_DATABASE is copied and not changed; afterwards set it to the new database.
Rows and a checksum of every table are compared; search indexes are rebuilt. If anything fails, the target stays empty.
Two roles on PostgreSQL: give --to the URL of the owner, or set WEFT_OWNER_DATABASE to move from PostgreSQL.`

async function runBackup(
  terminal: Terminal,
  file: string | undefined,
  { json }: JsonOption,
): Promise<void> {
  const { database, backupUrl, backupDirectory } = readConfig(terminal.environment)
  if (file === undefined && backupDirectory !== null) createPrivateFolder(backupDirectory)
  const path = file ?? join(backupDirectory ?? '', backupName(database, systemClock.now()))
  const report = await backUp({ database, backupUrl }, path)
  if (json) print(terminal, JSON.stringify(report))
  else {
    print(terminal, report.path)
    say(terminal, `Backed up ${describeRows(report.rows)} (${megabytes(report.bytes)}).`)
  }
}

async function runRestore(terminal: Terminal, file: string, { json }: JsonOption): Promise<void> {
  const config = readConfig(terminal.environment)
  const rows = await restore(file, config.database)
  await withDatabase(terminal, ({ database, now }) => expireSyncTokens(database, now))
  await using tables = await openTables(config.database, { readOnly: true })
  await assertLedgers(tables)
  if (json) print(terminal, JSON.stringify({ rows }))
  else say(terminal, `Restored ${describeRows(rows)} to ${describeDatabase(config.database)}.`)
}

async function runMove(
  terminal: Terminal,
  { to: target, json }: JsonOption & { to: string },
): Promise<void> {
  const config = readConfig(terminal.environment)
  const from = config.database
  const to = parseDatabaseAddress(target)
  if (!to || to.engine === from.engine)
    throw new RequestError(
      'invalid_request',
      'The target must be a database of the other engine: sqlite:<file> or postgres://….',
      { hint: 'To copy a database to the same engine, use `weft backup` and `weft restore`.' },
    )
  if (from.engine === 'sqlite') assertFileExists(from.path)
  const postgres = [from, to].find((one) => one.engine === 'postgres')
  const postgresUrl = postgres?.engine === 'postgres' ? postgres.url : ''
  await migrateDatabase(from, systemClock)
  const { database } = await openDatabase(to, { clock: systemClock, searchThreads: 1 })
  await using copy = database
  const moved = await moveDatabase({
    from,
    to,
    target: copy,
    postgresUrl,
    clock: systemClock,
    onProgress: (message) => say(terminal, `${message} …`),
  })
  if (json) return print(terminal, JSON.stringify({ tables: moved }))
  const rows = moved.map((one) => [one.name, String(one.rows), one.checksum.slice(0, 16)])
  print(terminal, formatTable(['TABLE', 'ROWS', 'CHECKSUM'], rows))
  say(
    terminal,
    `Copied and compared ${moved.length} tables. Set WEFT_DATABASE to ${describeDatabase(to)} and start Weft.`,
  )
}

function describeRows(rows: RowCounts): string {
  const count = (noun: string) => plural(rows[`${noun}s`] ?? 0, noun)
  return `${count('member')} and ${count('connection')}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
