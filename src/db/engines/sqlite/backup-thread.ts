/** Copies one snapshot of a SQLite file and compares the copy with it. The message to the parent is the row counts. */

import { backup, DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { assertSameCounts } from '../../compare-copy.ts'
import { checkSqlite, countSqliteRows } from './copy-sqlite.ts'

// Safe: only `copySqlite` starts this thread.
const { path, target } = workerData as { path: string; target: string }

/**
 * All pages in one step. With several steps, SQLite would restart whenever another connection writes, and under steady
 * writes never finish (https://sqlite.org/c3ref/backup_finish.html).
 */
const ALL_PAGES = 2 ** 31 - 1

/** Maximum wait for other processes' locks. Milliseconds. */
const LOCK_TIMEOUT_MS = 10_000

const source = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
// The counted snapshot is the copied one, regardless of concurrent writes.
source.exec('begin')
const counts = countSqliteRows(source)
await backup(source, target, { rate: ALL_PAGES })
source.exec('commit')
source.close()

const copy = new DatabaseSync(target)
// A single file, without a log file next to it.
copy.exec('pragma journal_mode = delete')
assertSameCounts(counts, checkSqlite(copy, target), 'The backup')
copy.close()
parentPort?.postMessage(counts)
