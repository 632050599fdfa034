/** Erases what `secure_delete` leaves: copies in the free space of pages, and the write-ahead log (decisions/0014). */

import { WorkerThread } from '../../../base/concurrency/worker-thread.ts'

/** Bytes: 5 s for 256 MB, during which writers wait. */
export const MAX_VACUUM_BYTES = 64 * 1024 * 1024

/** Milliseconds. */
const LOCK_TIMEOUT_MS = 5000

/** Returns false if the file is locked or the disk is full. */
export async function vacuum(path: string): Promise<boolean> {
  const data = { path, lockTimeoutMs: LOCK_TIMEOUT_MS }
  const thread = new WorkerThread(import.meta.url, './vacuum-thread', { data })
  try {
    await thread.answer({ receive: () => true })
    await thread.close()
    return true
  } catch {
    return false
  }
}
