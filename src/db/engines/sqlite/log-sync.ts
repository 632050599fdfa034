/**
 * Syncs the write-ahead log after each commit, like `synchronous = full`, but in the thread pool. Meanwhile, the main thread
 * serves other calls. The log is sequential, so each sync makes all earlier commits durable as well.
 */

import { open, type FileHandle } from 'node:fs/promises'
import { databaseUnavailable } from '../../unavailable.ts'
import type { SqliteConnection } from './connection.ts'

/** Makes what has been written to the log durable; replaced in tests. */
export type SyncFile = (file: FileHandle) => Promise<void>

export class LogSync {
  readonly #connection: SqliteConnection
  readonly #path: string
  readonly #syncFile: SyncFile
  #file: FileHandle | undefined
  /** After a failed fsync, the next one can succeed although the system has dropped the pages. */
  #isInDoubt = false
  /** The last sync. Never rejects. Two at once are not possible, because only one of them would learn of a failure. */
  #syncing: Promise<void> = Promise.resolve()

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
   * Resolves once everything committed before the call is durable. Call it, like `start`, between two transactions.
   *
   * @throws {RequestError} `unavailable` when the disk fails. The commits are visible, but may not survive a power failure.
   */
  async sync(): Promise<void> {
    await this.start()
    await this.#syncing
    this.#resolveDoubt()
  }

  /**
   * Starts to sync what was committed before the call. Resolves once everything before the previous call is durable, so at
   * most the commits between two calls can be lost.
   *
   * @throws {RequestError} `unavailable` when an earlier sync failed, and the log could not be copied.
   */
  async start(): Promise<void> {
    await this.#syncing
    if (this.#isInDoubt) this.#resolveDoubt()
    else this.#syncing = this.#trySync()
  }

  async #trySync(): Promise<void> {
    try {
      await this.#syncFile(await this.#open())
    } catch {
      this.#isInDoubt = true
    }
  }

  #resolveDoubt(): void {
    if (!this.#isInDoubt) return
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
    await this.#syncing
    await this.#file?.close()
    this.#file = undefined
  }
}
