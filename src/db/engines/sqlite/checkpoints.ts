/**
 * Copies the write-ahead log into the database file when it has grown, in a thread, so that a slow disk does not stop the
 * main thread. Writes continue meanwhile, and pause for the last part: SQLite starts the log over only once all of it
 * has been copied.
 */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { firstRow } from './rows.ts'
import type { SqliteConnection } from './connection.ts'

/**
 * 4 KiB pages in the log before it is copied. An import writes each page several times, but it should be copied to the
 * file once.
 */
const CHECKPOINT_PAGES = 8192
/** With this many times as many pages, writes wait for the copy. */
const MAX_GROWTH = 4

export class Checkpoints {
  readonly #connection: SqliteConnection
  readonly #path: string
  readonly #pages: number
  #worker: Worker | undefined
  /** The copy during which writes continue. */
  #copying: Promise<void> | undefined
  /** Such a copy has ended, so the rest is small. */
  #isRestDue = false
  /** Pages to copy at which the next copy starts. */
  #startAt: number

  /** Whether SQLite can count the pages in its log: since 3.51. Otherwise its commits copy the log. */
  readonly #canCount: boolean

  /** `connection` writes to the database at `path`. */
  constructor(connection: SqliteConnection, path: string, pages: number = CHECKPOINT_PAGES) {
    this.#connection = connection
    this.#path = path
    this.#pages = pages
    this.#startAt = pages
    this.#canCount = hasNoopCheckpoint(connection)
    connection.handle.exec(`pragma wal_autocheckpoint = ${this.#canCount ? 0 : pages}`)
  }

  /** Call it after each commit. The next transaction may begin when it resolves. */
  async afterCommit(): Promise<void> {
    if (!this.#canCount) return
    if (this.#isRestDue) {
      this.#isRestDue = false
      await this.#copy()
      // More than nothing is left if a reader needs the log.
      this.#startAt = this.#uncopiedPages() + this.#pages
    }
    const uncopied = this.#uncopiedPages()
    if (uncopied < this.#startAt) return
    this.#copying ??= this.#copy().finally(() => {
      this.#copying = undefined
      this.#isRestDue = true
    })
    if (uncopied >= MAX_GROWTH * this.#startAt) await this.#copying
  }

  /** Resolves when no copy is running. */
  async settled(): Promise<void> {
    await this.#copying
  }

  async close(): Promise<void> {
    await this.#copying
    const worker = this.#worker
    if (!worker) return
    await new Promise<void>((resolve) => {
      worker.ref()
      worker.once('exit', () => resolve())
      worker.postMessage('close')
    })
  }

  /** Takes microseconds. */
  #uncopiedPages(): number {
    try {
      const noop = this.#connection.prepare('pragma wal_checkpoint(noop)')
      const { log, checkpointed } = firstRow(noop, []) as { log: number; checkpointed: number }
      return log - checkpointed
    } catch {
      return 0 // The next commit counts again.
    }
  }

  /** Never rejects: what could not be copied is copied the next time. */
  async #copy(): Promise<void> {
    let worker: Worker
    try {
      worker = this.#worker ??= this.#start()
    } catch {
      return // No thread could be started. The next copy tries again.
    }
    // The thread keeps the process running only while it copies.
    worker.ref()
    await new Promise<void>((resolve) => {
      const end = () => {
        worker.off('message', end).off('exit', end)
        worker.unref()
        resolve()
      }
      worker.on('message', end).on('exit', end)
      worker.postMessage('copy')
    })
  }

  #start(): Worker {
    const worker = new Worker(
      new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url),
      { workerData: { path: this.#path } },
    )
    // A failed thread is replaced; its `exit` follows.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = undefined
    })
    return worker
  }
}

function hasNoopCheckpoint({ handle }: SqliteConnection): boolean {
  const [major = 0, minor = 0] = String(
    handle.prepare('select sqlite_version() as version').get()?.['version'],
  )
    .split('.')
    .map(Number)
  return major > 3 || (major === 3 && minor >= 51)
}
