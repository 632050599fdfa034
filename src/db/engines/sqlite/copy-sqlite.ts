/** Copies a SQLite file that is in use, with the online backup API, and checks copies. */

import { messageOf } from '../../../base/thrown.ts'
import { DatabaseSync } from 'node:sqlite'
import { RequestError } from '../../../base/request-error.ts'
import { WorkerThread } from '../../../base/concurrency/worker-thread.ts'
import { assertFileExists } from './existing-file.ts'
import type { RowCounts } from '../../compare-copy.ts'

/** Writes a snapshot to `target` in a thread and compares it: integrity, and the rows of every table. Writers continue. */
export async function copySqlite(path: string, target: string): Promise<RowCounts> {
  assertFileExists(path)
  const thread = new WorkerThread(import.meta.url, './backup-thread', { data: { path, target } })
  const counts = await thread.answer({ receive: (message: RowCounts) => message })
  await thread.close()
  return counts
}

/** @throws {RequestError} `conflict` when the file is damaged or not a database of Weft. */
export function checkSqliteFile(path: string): RowCounts {
  const handle = new DatabaseSync(path, { readOnly: true })
  try {
    return checkSqlite(handle, path)
  } catch (error) {
    if (error instanceof RequestError) throw error
    throw new RequestError('conflict', `${path} cannot be read: ${messageOf(error)}.`, {
      hint: 'Use another backup.',
    })
  } finally {
    handle.close()
  }
}

/** With the default of 2 MB, the checks read a large file several times. */
const CHECK_CACHE_KIB = 64 * 1024

/** Checks integrity and counts the rows of every table. */
export function checkSqlite(handle: DatabaseSync, path: string): RowCounts {
  assertSound(handle, path)
  return countSqliteRows(handle)
}

/**
 * Checks pages, indexes and references. `quick_check` would not compare indexes with tables and saves only a third of the
 * time.
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

/** Counts the rows of every table. */
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
