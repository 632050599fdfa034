/**
 * The single writer of a SQLite file. Concurrent transactions share a commit and its fsync, each in its own savepoint.
 * Bulk work waits until no small transaction is queued.
 */

import { AsyncResource } from 'node:async_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '../../../base/request-error.ts'
import { databaseUnavailable } from '../../unavailable.ts'
import { Checkpoints } from './checkpoints.ts'
import { isBusy, translateFailure } from './failures.ts'
import { LogSync, type SyncFile } from './log-sync.ts'
import type { DatabaseTimings, WriteOptions } from '../../database.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Transactions per commit. */
const MAX_GROUP_SIZE = 128

/** Retry interval while another process locks the file. Milliseconds. */
const LOCK_PAUSE = 5

interface Waiting {
  /** By `performance.now()`. */
  readonly since: number
  readonly work: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

interface WriterOptions {
  readonly path: string
  /** Milliseconds. */
  readonly lockTimeout: number
  /** Called when a group is visible to reads, before its writes resolve. */
  readonly onCommitted: () => void
  readonly timings?: DatabaseTimings | undefined
  readonly syncFile?: SyncFile
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

  get waiting(): number {
    return this.#small.length + this.#bulk.length
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  /** Queues `work`. Resolves once it is durable. */
  write<T>(work: () => Promise<T>, options: WriteOptions): Promise<T> {
    if (this.#closed)
      return Promise.reject(new RequestError('unavailable', 'The database is closing.'))
    return new Promise<T>((resolve, reject) => {
      const queue = options.bulk === true ? this.#bulk : this.#small
      const since = performance.now()
      // Runs in the context of its caller, such as its language, and not in that of the first of its group.
      const bound = AsyncResource.bind(work)
      queue.push({ since, work: bound, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Moves the log into the file and truncates it, between two transactions. Returns false if the log is in use. */
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

  /** Completes queued work, then rejects new work. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#checkpoints.close()
    await this.#log.close()
  }

  async #drain(): Promise<void> {
    // Whatever arrives in this turn joins the same commit.
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

  async #commit(queued: Waiting[]): Promise<void> {
    const { handle } = this.#connection
    const settles: Settle[] = []
    let group: readonly Waiting[] = queued
    try {
      group = await this.#begin(queued)
      if (group.length === 0) return
      const [only, ...others] = group
      if (only && others.length === 0) settles.push(await runAlone(only))
      else for (const waiting of group) settles.push(await this.#runInSavepoint(waiting))
      const startedAt = performance.now()
      handle.exec('commit')
      this.#onCommitted()
      await this.#log.sync()
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

  /**
   * Waits for a locked file. Rejects callers who have waited too long in total, also those in the queues, so that they do
   * not wait one after the other. Returns the rest of the group.
   */
  async #begin(group: Waiting[]): Promise<readonly Waiting[]> {
    while (group.length > 0) {
      try {
        this.#connection.handle.exec('begin immediate')
        break
      } catch (error) {
        if (!isBusy(error)) throw error
        const overdue = performance.now() - this.#lockTimeout
        for (const queue of [group, this.#small, this.#bulk])
          while (queue[0] && queue[0].since <= overdue)
            queue.shift()?.reject(databaseUnavailable(error))
        if (group.length > 0) await sleep(LOCK_PAUSE)
      }
    }
    return group
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

/** Runs without a savepoint, for which SQLite would copy every changed page. */
async function runAlone({ work, resolve }: Waiting): Promise<Settle> {
  const value = await work()
  return () => resolve(value)
}
