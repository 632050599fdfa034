/** Rewrites a SQLite file in a thread, without deleted data. Reads continue meanwhile, writes wait. */

import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// Safe: only one caller starts this thread.
const { path, lockTimeoutMs } = workerData as { path: string; lockTimeoutMs: number }

const handle = new DatabaseSync(path)
// In memory: no temporary file may hold the content of the database.
handle.exec(
  `pragma busy_timeout = ${lockTimeoutMs}; pragma synchronous = full; pragma temp_store = memory; vacuum`,
)
handle.close()
parentPort?.postMessage('rewritten')
