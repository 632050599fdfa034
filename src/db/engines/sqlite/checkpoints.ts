/**
 * Copies the write-ahead log into the file in a thread, so that a slow disk does not stop the main thread. Writes pause
 * only for the last part, because SQLite starts the log over only once all of it is copied.
 */

import { WorkerThread } from '../../../base/concurrency/worker-thread.ts'
import { firstRow } from './statements.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** 4 KiB pages in the log before it is copied. An import writes each page several times. */
const CHECKPOINT_PAGES = 8192
/** At this many times as many pages, writes wait for the copy. */
const MAX_GROWTH = 4

export class Checkpoints {
  readonly #connection: SqliteConnection
  readonly #path: string
  readonly #pages: number
  #thread: WorkerThread | undefined
  /** The copy during which writes continue. */
  #copying: Promise<void> | undefined
  /** A copy has ended, so the rest is small. */
  #isRestDue = false
  #startAt: number

  /** SQLite counts the pages of its log since 3.51. Earlier, its commits copy the log. */
  readonly #canCount: boolean

  constructor(connection: SqliteConnection, path: string, pages: number = CHECKPOINT_PAGES) {
    this.#connection = connection
    this.#path = path
    this.#pages = pages
    this.#startAt = pages
    this.#canCount = hasNoopCheckpoint(connection)
    connection.handle.exec(`pragma wal_autocheckpoint = ${this.#canCount ? 0 : pages}`)
  }

  /** Call after each commit. The next transaction may begin when it resolves. */
  async afterCommit(): Promise<void> {
    if (!this.#canCount) return
    if (this.#isRestDue) {
      this.#isRestDue = false
      await this.#copy()
      // A reader needs the log.
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
    this.#thread?.tell('close')
    await this.#thread?.close()
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

  /** Never rejects: what could not be copied, or if no thread could be started, is copied the next time. */
  async #copy(): Promise<void> {
    try {
      this.#thread ??= this.#start()
      await this.#thread.ask('copy', { receive: () => true })
    } catch {
      // A failed thread is replaced.
    }
  }

  #start(): WorkerThread {
    const thread = new WorkerThread(import.meta.url, './checkpoint-thread', {
      data: { path: this.#path },
    })
    thread.onEnded(() => {
      this.#thread = undefined
    })
    return thread
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
