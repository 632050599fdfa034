/** Copies a SQLite file while it is in use, with SQLite's online backup API, and checks copies. */

import { once } from 'node:events'
import { extname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { RequestError } from '../../../base/request-error.ts'
import { assertFileExists } from './existing-file.ts'
import type { RowCounts } from '../../row-counts.ts'

/**
 * Writes a snapshot to `target` and compares the copy with it: integrity and the number of rows in every table. Runs in
 * a thread. Writers continue; only the log grows until the copy is complete.
 */
export async function copySqlite(path: string, target: string): Promise<RowCounts> {
  assertFileExists(path)
  const thread = new Worker(
    new URL(`./backup-thread${extname(import.meta.url)}`, import.meta.url),
    { workerData: { path, target } },
  )
  // Both are awaited from the start: Node may emit the last message and the exit without a pause between them. A failure of
  // the thread rejects.
  const [[counts]] = await Promise.all([
    once(thread, 'message') as Promise<[RowCounts]>,
    once(thread, 'exit'),
  ])
  return counts
}

/** @throws {RequestError} `conflict` when the file is damaged or not a database of Weft. */
export function checkSqliteFile(path: string): RowCounts {
  const handle = new DatabaseSync(path, { readOnly: true })
  try {
    return checkSqlite(handle, path)
  } catch (error) {
    if (error instanceof RequestError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new RequestError('conflict', `${path} cannot be read: ${reason}.`, {
      hint: 'Use another backup.',
    })
  } finally {
    handle.close()
  }
}

/** The checks look up rows in every index; with the default of 2 MB, they read a large file several times. */
const CHECK_CACHE_KIB = 64 * 1024

/** Integrity of pages, indexes and references; then the rows of every table. */
export function checkSqlite(handle: DatabaseSync, path: string): RowCounts {
  assertSound(handle, path)
  return countSqliteRows(handle)
}

/**
 * Integrity and references. `quick_check` would use two thirds of the CPU time of `integrity_check` and read as much, but
 * not compare the indexes with their tables (https://sqlite.org/pragma.html#pragma_quick_check).
 *
 * @throws {RequestError} `conflict` when the file is damaged.
 */
export function assertSound(handle: DatabaseSync, path: string): void {
  handle.exec(`pragma cache_size = -${CHECK_CACHE_KIB}`)
  const problems = handle.prepare('pragma integrity_check(3)').all() as {
    integrity_check: string
  }[]
  if (problems[0]?.integrity_check !== 'ok')
    throw new RequestError(
      'conflict',
      `${path} is damaged: ${problems.map((one) => one.integrity_check).join('; ')}.`,
      { hint: 'Use another backup.' },
    )
  const [orphan] = handle.prepare('pragma foreign_key_check').all() as { table: string }[]
  if (orphan)
    throw new RequestError(
      'conflict',
      `${path} has rows in ${orphan.table} that reference missing rows.`,
    )
}

/** Tables with their own rows, without the shadow tables of full-text indexes. */
export function countSqliteRows(handle: DatabaseSync): RowCounts {
  const tables = handle
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not glob 'sqlite_*'
       order by name`,
    )
    .all() as { name: string }[]
  return Object.fromEntries(
    tables.map(({ name }) => {
      const row = handle.prepare(`select count(*) as rows from "${name}"`).get()
      return [name, Number(row?.['rows'] ?? 0)]
    }),
  )
}
