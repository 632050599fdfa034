/** Runs in a worker thread: copies the write-ahead log into the database file, while reads and writes continue. */

import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

if (parentPort) answerRequests(parentPort, workerData as { readonly path: string })

function answerRequests(
  port: NonNullable<typeof parentPort>,
  { path }: { readonly path: string },
): void {
  const handle = new DatabaseSync(path)
  handle.exec('pragma synchronous = normal')
  const copy = handle.prepare('pragma wal_checkpoint(passive)')
  port.on('message', (request: 'copy' | 'close') => {
    if (request === 'close') {
      handle.close()
      port.close()
      return
    }
    try {
      copy.get()
    } catch {
      // The disk is full or fails. What was not copied stays in the log.
    }
    port.postMessage('copied')
  })
}
