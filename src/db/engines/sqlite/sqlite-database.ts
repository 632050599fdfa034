/** Storage in one SQLite file: light reads on the main thread, heavy reads in threads, writes through one writer. */

import { statSync } from 'node:fs'
import {
  givenParams,
  type Database,
  type DatabaseDescription,
  type DatabaseTimings,
  type MemberDatabase,
  type PoolUsage,
  type Reader,
  type Transaction,
  type WriteOptions,
} from '../../database.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { MAX_VACUUM_BYTES, vacuum } from './erase.ts'
import { SearchThreads } from './search-threads.ts'
import { allRows, getRow } from './statements.ts'
import { readerOn, threadReader } from './readers.ts'
import { openTransaction } from './transaction.ts'
import { databaseTimeouts, type DatabaseTimeouts } from '../../timeouts.ts'
import { Writer } from './writer.ts'
import { LocalState, type LocalOptions } from '../../local-state.ts'

interface SqliteOptions extends LocalOptions {
  readonly path: string
  /** Threads for heavy reads, started on demand. */
  readonly searchThreads: number
  readonly timeouts?: DatabaseTimeouts
  /** The same for anonymous callers. */
  readonly anonymousThreads: number
  readonly timings?: DatabaseTimings | undefined
}

const CACHE_MEBIBYTES = 8
/**
 * Page cache for one bulk transaction, which would otherwise write pages twice: with 16, imports wrote a quarter more
 * (decisions/0002). Allocated only as needed.
 */
const WRITE_CACHE_MEBIBYTES = 10
const SEARCH_CACHE_MEBIBYTES = 16

export class SqliteDatabase extends LocalState implements Database {
  readonly heavy: Reader
  readonly anonymous: Reader
  readonly #path: string
  readonly #file: string
  readonly #reading: SqliteConnection
  readonly #writing: SqliteConnection
  readonly #writer: Writer
  readonly #threads: SearchThreads
  readonly #anonymousThreads: SearchThreads

  /** The file must exist and be migrated. */
  constructor(options: SqliteOptions) {
    super(options)
    this.#path = options.path
    this.#file = fileIdOf(options.path)
    this.#writing = new SqliteConnection(options.path, { cacheMebibytes: WRITE_CACHE_MEBIBYTES })
    this.#reading = new SqliteConnection(options.path, {
      readOnly: true,
      cacheMebibytes: CACHE_MEBIBYTES,
    })
    const { wait } = options.timeouts ?? databaseTimeouts()
    this.#writer = new Writer(this.#writing, {
      path: options.path,
      lockTimeout: wait,
      onCommitted: () => this.turnReads.forget(),
      timings: options.timings,
    })
    const threadsFor = (callers: 'members' | 'anonymous', size: number) =>
      new SearchThreads(
        { path: options.path, cacheMebibytes: SEARCH_CACHE_MEBIBYTES },
        size,
        (milliseconds) => options.timings?.searched(callers, milliseconds),
      )
    this.#threads = threadsFor('members', options.searchThreads)
    this.heavy = threadReader(this.#light, this.#threads)
    this.#anonymousThreads = threadsFor('anonymous', options.anonymousThreads)
    this.anonymous = threadReader(this.#light, this.#anonymousThreads)
  }

  /**
   * Light reads use the writer's connection, whose cache is not invalidated by its own commits. While a transaction is open
   * there, they use a second connection, which sees only committed data.
   */
  readonly #light = (): SqliteConnection =>
    this.#writing.handle.isTransaction ? this.#reading : this.#writing

  protected override readonly reader = readerOn(this.#light)

  write<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.#writer.write(async () => {
      using tx = openTransaction(this.#writing)
      return await work(tx)
    }, options)
  }

  member(memberId: number): MemberDatabase {
    const [light, threads] = [this.#light, this.#threads]
    const write: MemberDatabase['write'] = (work, options) =>
      this.write((tx) => work(tx.member(memberId)), options)
    return {
      memberId,
      ...readerOn(light, memberId),
      heavy: { memberId, ...threadReader(light, threads, memberId) },
      memory: this.memories.of(memberId),
      compute: (computation, input, options) =>
        this.computing.run(memberId, computation, input, options),
      write,
      change: (change, params) => write((tx) => tx.change(change, givenParams(params))),
    }
  }

  async erase(): Promise<boolean> {
    const isWrittenAnew = this.#bytesInUse() <= MAX_VACUUM_BYTES && (await vacuum(this.#path))
    const isLogCutOff = await this.#writer.restartLog()
    return isWrittenAnew && isLogCutOff
  }

  /** Size of the file without free pages, which a rewritten file does not have. */
  #bytesInUse(): number {
    return getRow<{ bytes: number }>(this.#light(), IN_USE, {})?.bytes ?? 0
  }

  async describe(): Promise<DatabaseDescription> {
    const [row] = allRows<{ version: string; bytes: number }>(this.#light(), DESCRIPTION, {})
    return { engine: `SQLite ${row?.version}`, bytes: row?.bytes ?? 0 }
  }

  /** A file that was deleted or replaced stays open, but writes to it are lost. */
  async isReady(): Promise<boolean> {
    try {
      return fileIdOf(this.#path) === this.#file && getRow(this.#reading, READY, {}) !== undefined
    } catch {
      return false
    }
  }

  async clockAheadMs(): Promise<number> {
    return 0
  }

  usage(): PoolUsage[] {
    const { waiting, isBusy } = this.#writer
    return [
      { pool: 'writer', size: 1, used: isBusy ? 1 : 0, waiting },
      { pool: 'search', ...this.#threads.usage },
      { pool: 'anonymous', ...this.#anonymousThreads.usage },
      { pool: 'compute', ...this.computing.usage },
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.memories[Symbol.asyncDispose]()
    await this.#writer.close()
    await Promise.all([
      this.#threads.close(),
      this.#anonymousThreads.close(),
      this.computing[Symbol.asyncDispose](),
    ])
    this.#reading.close()
    this.#writing.close()
  }
}

/** Identifies a file independently of its name; empty for a database in memory. */
function fileIdOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : ''
}

const READY = 'select number from schema_migrations limit 1'

/** Pages of the file and its log after the latest transaction. */
const DESCRIPTION = `
  select sqlite_version() as version, page_count * page_size as bytes
  from pragma_page_count(), pragma_page_size()`

const IN_USE = `
  select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
