/** Backs up and restores the configured database, and backs it up daily. */

import { codeOf } from '../base/thrown.ts'
import { existsSync, statSync } from 'node:fs'
import { copyFile, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR, rfc3339, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { INCOMPLETE_SUFFIX, writeWhole } from '../db/backup-file.ts'
import { assertNotEmpty, assertSameCounts, type RowCounts } from '../db/compare-copy.ts'
import { checkSqliteFile, copySqlite } from '../db/engines/sqlite/copy-sqlite.ts'
import { createDatabaseFolder, createPrivateFolder } from '../db/engines/sqlite/file-permissions.ts'
import type { Log } from '../base/log.ts'
import type { DatabaseAddress } from '../db/database-address.ts'

interface BackupSource {
  readonly database: DatabaseAddress
  /** A PostgreSQL URL of a role that sees all rows; the role of `database` by default. */
  readonly backupUrl: string | null
}

interface BackupReport {
  readonly path: string
  readonly bytes: number
  readonly rows: RowCounts
}

/** `weft-2026-11-22T03-00-00Z.db`: sorted by time, and valid on every file system. */
export function backupName({ engine }: DatabaseAddress, now: number): string {
  const time = rfc3339(now).slice(0, 19).replaceAll(':', '-')
  return `weft-${time}Z.${engine === 'sqlite' ? 'db' : 'dump'}`
}

/** @throws {RequestError} `conflict` when the path is that of a file. */
export function assertBackupDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== false) return
  throw new RequestError('conflict', `WEFT_BACKUP_DIRECTORY names a file: ${directory}.`, {
    hint: 'Set it to a folder. A missing folder is created.',
  })
}

/**
 * Writes a backup while the service runs. The file gets its final name only after it has been read and compared with
 * the database.
 */
export async function backUp(source: BackupSource, path: string): Promise<BackupReport> {
  const rows = await writeWhole(path, async (incomplete) => {
    const copied = await copyDatabase(source, incomplete)
    assertNotEmpty(copied, 'The backup')
    return copied
  })
  return { path, bytes: (await stat(path)).size, rows }
}

async function copyDatabase(
  { database, backupUrl }: BackupSource,
  target: string,
): Promise<RowCounts> {
  if (database.engine === 'sqlite') return copySqlite(database.path, target)
  const { dumpPostgres } = await import('../db/engines/postgres/dump.ts')
  return dumpPostgres(backupUrl ?? database.url, target)
}

/** Restores a backup to the configured database, which must be empty, and compares the rows. Returns those of the backup. */
export async function restore(path: string, database: DatabaseAddress): Promise<RowCounts> {
  const format = await backupFormat(path)
  if (format !== database.engine)
    throw new RequestError(
      'conflict',
      `${path} is a backup of ${NAMES[format]}, but WEFT_DATABASE is ${NAMES[database.engine]}.`,
      { hint: 'Restore it to the same engine, then use `weft move` to change the engine.' },
    )
  return database.engine === 'sqlite'
    ? restoreSqlite(path, database.path)
    : restoreDump(path, database.ownerUrl ?? database.url)
}

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

async function restoreSqlite(path: string, target: string): Promise<RowCounts> {
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(target + suffix))
      throw new RequestError(
        'conflict',
        `${target}${suffix} already exists, so nothing was restored.`,
        { hint: 'Stop Weft, move the old files away, and run the command again.' },
      )
  const rows = checkSqliteFile(path)
  assertNotEmpty(rows, path)
  createDatabaseFolder(target)
  await writeWhole(target, async (incomplete) => {
    await copyFile(path, incomplete)
    assertSameCounts(rows, checkSqliteFile(incomplete), 'The restored file')
  })
  return rows
}

async function restoreDump(path: string, url: string): Promise<RowCounts> {
  const { restorePostgres } = await import('../db/engines/postgres/dump.ts')
  return restorePostgres(url, path)
}

/** By the first bytes of the file. */
async function backupFormat(path: string): Promise<'sqlite' | 'postgres'> {
  const file = await open(path).catch((error: unknown) => {
    const code = codeOf(error) || String(error)
    if (code === 'ENOENT')
      throw new RequestError('not_found', `${path} does not exist. Check the path.`)
    throw new RequestError('not_found', `${path} cannot be read (${code}). Check the path.`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    const start = buffer.subarray(0, bytesRead).toString('latin1')
    if (start === 'SQLite format 3\0') return 'sqlite'
    if (start.startsWith('PGDMP')) return 'postgres'
  } finally {
    await file.close()
  }
  throw new RequestError('unreadable_file', `${path} is not a backup of Weft.`, {
    hint: 'Use a file that `weft backup` created.',
  })
}

/** How many daily backups are kept. */
const KEPT_BACKUPS = 7

/** How often to check whether a backup is due, so that a restart or a failure delays it by at most this. */
const CHECK_INTERVAL_MS = HOUR

interface DailyBackupDeps extends BackupSource {
  readonly directory: string
  readonly clock: Clock
  readonly log: Log
}

/** Daily backups; the latest seven are kept. Failures are logged and retried after an hour. */
export function backUpDaily(deps: DailyBackupDeps): AsyncDisposable {
  let running: Promise<unknown> = Promise.resolve()
  const check = () => {
    running = running.then(() => backUpIfDue(deps))
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS)
  timer.unref()
  check()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}

/** Returns the path of the new backup, or undefined if none was due or it failed. Never rejects. */
export async function backUpIfDue(deps: DailyBackupDeps): Promise<string | undefined> {
  const { directory, database, clock, log } = deps
  const now = clock.now()
  try {
    createPrivateFolder(directory)
    const latest = (await listBackups(directory)).at(-1)
    if (latest !== undefined && now - timeOf(latest) < DAY) return undefined
    const { path, bytes } = await backUp(deps, join(directory, backupName(database, now)))
    log.info({ path, bytes }, 'backed up')
    await prune(directory)
    return path
  } catch (error) {
    log.error({ err: error, directory }, 'the backup failed; trying again in an hour')
    return undefined
  }
}

const NAME = /^weft-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.(?:db|dump)$/

/** Oldest first. Other files in the directory are left alone. */
export async function listBackups(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => NAME.test(name)).sort()
}

function timeOf(name: string): number {
  const [, day, ...time] = NAME.exec(name) ?? []
  return Date.parse(`${day}T${time.join(':')}Z`)
}

/** Also removes incomplete files of killed processes. */
async function prune(directory: string): Promise<void> {
  const old = (await listBackups(directory)).slice(0, -KEPT_BACKUPS)
  const incomplete = (await readdir(directory)).filter(
    (name) => name.startsWith('weft-') && name.endsWith(INCOMPLETE_SUFFIX),
  )
  for (const name of [...old, ...incomplete]) await rm(join(directory, name), { force: true })
}
