/**
 * The one writer of a SQLite file. Concurrent transactions share a commit, and so its fsync: each stands in a
 * savepoint of its own and fails alone. Bulk work waits until no small transaction does.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '../../../base/request-error.ts'
import { databaseUnavailable } from '../../unavailable.ts'
import { isBusy, translateFailure } from './failures.ts'
import type { WriteOptions } from '../../database.ts'
import type { SqliteConnection } from './connection.ts'

/** More transactions in one commit would gain nothing and let the first wait for the last. */
const MAX_GROUP_SIZE = 128

/** How often a file that another process has locked (a CLI import, a backup) is tried again; milliseconds. */
const LOCK_PAUSE = 5

interface Waiting {
  /** When it was queued, by `performance.now()`. */
  readonly since: number
  readonly work: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

export class Writer {
  readonly #connection: SqliteConnection
  readonly #lockTimeout: number
  readonly #small: Waiting[] = []
  readonly #bulk: Waiting[] = []
  #running: Promise<void> | undefined
  #closed = false

  /** `lockTimeout`: milliseconds that the file may be locked by another process before a write is refused. */
  constructor(connection: SqliteConnection, lockTimeout: number) {
    this.#connection = connection
    this.#lockTimeout = lockTimeout
  }

  /** Queues `work`; resolves once its effects are durable. */
  write<T>(work: () => Promise<T>, options: WriteOptions): Promise<T> {
    if (this.#closed)
      return Promise.reject(new RequestError('unavailable', 'The database is closing.'))
    return new Promise<T>((resolve, reject) => {
      const queue = options.bulk === true ? this.#bulk : this.#small
      const since = performance.now()
      queue.push({ since, work, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /**
   * Moves every page from the log into the file and cuts the log off, between two transactions. False where somebody is
   * just reading or writing the log: it stays until the next time.
   */
  async restartLog(): Promise<boolean> {
    // Right after a transaction of its own; the next begins a turn later.
    await this.write(async () => {}, { bulk: true })
    const done = this.#connection.handle.prepare('pragma wal_checkpoint(truncate)').get()
    return done?.['busy'] === 0
  }

  /** Finishes what was accepted, then accepts no more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #drain(): Promise<void> {
    // A turn of the event loop first: whatever arrives in it joins the same commit.
    await nextTurn()
    while (this.#small.length > 0 || this.#bulk.length > 0) {
      if (this.#small.length > 0) await this.#commit(this.#small.splice(0, MAX_GROUP_SIZE))
      const bulk = this.#bulk.shift()
      if (bulk) await this.#commit([bulk])
      await nextTurn()
    }
    this.#running = undefined
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const { handle } = this.#connection
    const settles: Settle[] = []
    try {
      await this.#begin(group)
      for (const waiting of group) settles.push(await this.#runInSavepoint(waiting))
      handle.exec('commit')
    } catch (error) {
      if (handle.isTransaction) handle.exec('rollback')
      const failure = translateFailure(error)
      for (const waiting of group) waiting.reject(failure)
      return
    }
    for (const settle of settles) settle()
  }

  /** Time in the queue counts: behind a file that stays locked, each group would else wait after the one before it. */
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
      if (!handle.isTransaction) throw error // SQLite itself rolled everything back: the disk is full, say
      handle.exec('rollback to work; release work')
      return () => reject(translateFailure(error))
    }
  }
}
