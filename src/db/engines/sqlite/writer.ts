/**
 * The one writer of a SQLite file. Concurrent transactions share a commit, and so its fsync: each stands in a
 * savepoint of its own and fails alone. Bulk work waits until no small transaction does.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../base/refusal.ts'
import { SECOND } from '../../../base/clock.ts'
import type { WriteOptions } from '../../database.ts'
import type { SqliteConnection } from './connection.ts'

/** More transactions in one commit would gain nothing and let the first wait for the last. */
const LARGEST_GROUP = 128

/** How long the file may be locked by another process (a CLI import, a backup) before a write is refused. */
const LONGEST_LOCK = 10 * SECOND
const LOCK_PAUSE = 5

interface Waiting {
  readonly work: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

export class Writer {
  readonly #connection: SqliteConnection
  readonly #small: Waiting[] = []
  readonly #bulk: Waiting[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** Queues `work`; resolves once its effects are durable. */
  write<T>(work: () => Promise<T>, options: WriteOptions): Promise<T> {
    if (this.#closed) return Promise.reject(new Refusal('unavailable', 'The database is closing.'))
    return new Promise<T>((resolve, reject) => {
      const queue = options.bulk === true ? this.#bulk : this.#small
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
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
      if (this.#small.length > 0) await this.#commit(this.#small.splice(0, LARGEST_GROUP))
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
      await this.#begin()
      for (const waiting of group) settles.push(await this.#runInSavepoint(waiting))
      handle.exec('commit')
    } catch (error) {
      if (handle.isTransaction) handle.exec('rollback')
      for (const waiting of group) waiting.reject(error)
      return
    }
    for (const settle of settles) settle()
  }

  async #begin(): Promise<void> {
    for (let waited = 0; ; waited += LOCK_PAUSE) {
      try {
        this.#connection.handle.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (waited >= LONGEST_LOCK)
          throw new Refusal('unavailable', 'The database is locked by another process.', {
            retryAfter: 5,
          })
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
      return () => reject(error)
    }
  }
}

/** SQLITE_BUSY and its extended codes (https://sqlite.org/rescode.html#busy). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === 5
}
