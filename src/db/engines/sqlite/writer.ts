/**
 * The single writer of a SQLite file. Concurrent transactions share a commit and its fsync. Each of them has its own
 * savepoint, so it fails alone. Bulk work waits until no small transaction is queued.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '../../../base/request-error.ts'
import { databaseUnavailable } from '../../unavailable.ts'
import { Checkpoints } from './checkpoints.ts'
import { isBusy, translateFailure } from './failures.ts'
import { LogSync, type SyncFile } from './log-sync.ts'
import type { DatabaseTimings, WriteOptions } from '../../database.ts'
import type { SqliteConnection } from './connection.ts'

/** Maximum transactions per commit. More would gain nothing and delay the first. */
const MAX_GROUP_SIZE = 128

/** Retry interval while another process (a CLI import, a backup) locks the file. Milliseconds. */
const LOCK_PAUSE = 5

interface Waiting {
  /** When it was queued, by `performance.now()`. */
  readonly since: number
  readonly work: () => Promise<unknown>
  /** Whether it resolves only once it is durable. */
  readonly isDurable: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

interface WriterOptions {
  /** Of the database file. */
  readonly path: string
  /** How long another process may lock the file before a write fails. Milliseconds. */
  readonly lockTimeout: number
  /** Called when the writes of a group are visible to reads, before they resolve. */
  readonly onCommitted: () => void
  readonly timings?: DatabaseTimings | undefined
  readonly syncFile?: SyncFile
  /** Pages in the log before it is copied into the file. */
  readonly checkpointPages?: number
}

export class Writer {
  readonly #connection: SqliteConnection
  readonly #log: LogSync
  readonly #checkpoints: Checkpoints
  readonly #lockTimeout: number
  readonly #onCommitted: () => void
  readonly #timings: DatabaseTimings | undefined
  readonly #small: Waiting[] = []
  readonly #bulk: Waiting[] = []
  /** Runs between two transactions. Never rejects. */
  readonly #between: (() => Promise<void>)[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(
    connection: SqliteConnection,
    { path, lockTimeout, onCommitted, timings, syncFile, checkpointPages }: WriterOptions,
  ) {
    this.#connection = connection
    this.#log = new LogSync(connection, path, syncFile)
    this.#checkpoints = new Checkpoints(connection, path, checkpointPages)
    this.#lockTimeout = lockTimeout
    this.#onCommitted = onCommitted
    this.#timings = timings
  }

  /** Transactions in the queue. */
  get waiting(): number {
    return this.#small.length + this.#bulk.length
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  /** Queues `work`. Resolves once it is committed, and durable unless `options` say otherwise. */
  write<T>(work: () => Promise<T>, options: WriteOptions): Promise<T> {
    if (this.#closed)
      return Promise.reject(new RequestError('unavailable', 'The database is closing.'))
    return new Promise<T>((resolve, reject) => {
      const queue = options.bulk === true ? this.#bulk : this.#small
      const [since, isDurable] = [performance.now(), options.durable ?? true]
      queue.push({ since, work, isDurable, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /**
   * Moves all pages from the log into the file and truncates the log, between two transactions. Returns false if the log is
   * in use; it then stays until the next time.
   */
  restartLog(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#between.push(() => this.#truncateLog().then(resolve, reject))
      this.#running ??= this.#drain()
    })
  }

  async #truncateLog(): Promise<boolean> {
    await this.#checkpoints.settled()
    const done = this.#connection.handle.prepare('pragma wal_checkpoint(truncate)').get()
    return done?.['busy'] === 0
  }

  /** Completes accepted work, then rejects new work. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#checkpoints.close()
    await this.#log.close()
  }

  async #drain(): Promise<void> {
    // Yields to the event loop first: everything that arrives meanwhile joins the same commit.
    await nextTurn()
    while (this.#small.length + this.#bulk.length + this.#between.length > 0) {
      if (this.#small.length > 0) await this.#commit(this.#small.splice(0, MAX_GROUP_SIZE))
      const bulk = this.#bulk.shift()
      if (bulk) await this.#commit([bulk])
      await this.#between.shift()?.()
      await nextTurn()
    }
    this.#running = undefined
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const { handle } = this.#connection
    const settles: Settle[] = []
    try {
      await this.#begin(group)
      const [only, ...others] = group
      if (only && others.length === 0) settles.push(await runAlone(only))
      else for (const waiting of group) settles.push(await this.#runInSavepoint(waiting))
      const startedAt = performance.now()
      handle.exec('commit')
      this.#onCommitted()
      await this.#syncLog(group)
      this.#timings?.committed(performance.now() - startedAt)
    } catch (error) {
      if (handle.isTransaction) handle.exec('rollback')
      const failure = translateFailure(error)
      for (const waiting of group) waiting.reject(failure)
      return
    }
    for (const settle of settles) settle()
    await this.#checkpoints.afterCommit()
  }

  /** A small transaction that waits is next, and its sync also covers this group. */
  async #syncLog(group: readonly Waiting[]): Promise<void> {
    if (group.some(({ isDurable }) => isDurable)) await this.#log.sync()
    else if (this.#small.length === 0) await this.#log.start()
  }

  /** Time in the queue counts. Otherwise, while the file stays locked, each group would wait in turn. */
  async #begin(group: readonly Waiting[]): Promise<void> {
    const deadline = (group.at(-1)?.since ?? 0) + this.#lockTimeout
    for (;;) {
      try {
        this.#connection.handle.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() >= deadline) throw databaseUnavailable(error)
        await sleep(LOCK_PAUSE)
      }
    }
  }

  async #runInSavepoint({ work, resolve, reject }: Waiting): Promise<Settle> {
    const { handle } = this.#connection
    handle.exec('savepoint work')
    try {
      const value = await work()
      handle.exec('release work')
      return () => resolve(value)
    } catch (error) {
      if (!handle.isTransaction) throw error // SQLite rolled everything back itself, for example on a full disk.
      handle.exec('rollback to work; release work')
      return () => reject(translateFailure(error))
    }
  }
}

/**
 * Without a savepoint, for which SQLite would copy every page that changes. If it fails, the transaction is rolled back
 * instead.
 */
async function runAlone({ work, resolve }: Waiting): Promise<Settle> {
  const value = await work()
  return () => resolve(value)
}
