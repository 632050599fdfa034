/** Writes a SQLite file anew, in a thread: nothing that was deleted is copied. Others wait with their writes, and read. */

import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'

// The thread that starts this one hands it nothing else.
const { path, longestLock } = workerData as { path: string; longestLock: number }

const handle = new DatabaseSync(path)
// In memory: no file beside the database has what is in it, not even for a moment.
handle.exec(
  `pragma busy_timeout = ${longestLock}; pragma synchronous = full; pragma temp_store = memory; vacuum`,
)
handle.close()
