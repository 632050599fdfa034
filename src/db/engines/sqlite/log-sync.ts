/**
 * Syncs the write-ahead log after each commit, like `synchronous = full`, but in the thread pool. Meanwhile, the main thread
 * serves other calls. The log is sequential, so each sync makes all earlier commits durable as well.
 */

import { open, type FileHandle } from 'node:fs/promises'
import { databaseUnavailable } from '../../unavailable.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Makes what has been written to the log durable; replaced in tests. */
export type SyncFile = (file: FileHandle) => Promise<void>

export class LogSync {
  readonly #connection: SqliteConnection
  readonly #path: string
  readonly #syncFile: SyncFile
  #file: FileHandle | undefined
  /** After a failed fsync, the next one can succeed although the system has dropped the pages. */
  #isInDoubt = false

  /** `connection` writes to the database at `path`. */
  constructor(
    connection: SqliteConnection,
    path: string,
    syncFile: SyncFile = (file) => file.datasync(),
  ) {
    this.#connection = connection
    this.#path = path
    this.#syncFile = syncFile
  }

  /**
   * Resolves once everything committed before the call is durable. Call it between two transactions, one call at a time.
   *
   * @throws {RequestError} `unavailable` when the disk fails. The commits are visible, but may not survive a power failure.
   */
  async sync(): Promise<void> {
    if (!this.#isInDoubt) {
      try {
        await this.#syncFile(await this.#open())
        return
      } catch {
        this.#isInDoubt = true
      }
    }
    this.#copyLog()
    this.#isInDoubt = false
  }

  /** Copies all pages of the log into the file and syncs that, which makes them durable even if the log lost some. */
  #copyLog(): void {
    let copied
    try {
      copied = this.#connection.handle.prepare('pragma wal_checkpoint(truncate)').get()
    } catch (error) {
      throw databaseUnavailable(error)
    }
    if (copied?.['busy'] !== 0) throw databaseUnavailable(new Error('the log is in use'))
  }

  async #open(): Promise<FileHandle> {
    return (this.#file ??= await open(`${this.#path}-wal`, 'r+'))
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }
}
