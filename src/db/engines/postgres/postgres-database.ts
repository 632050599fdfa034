/** Storage in a PostgreSQL database, which several Weft nodes can share. */

import { KeyedSemaphore } from '../../../base/concurrency/keyed-semaphore.ts'
import { RequestError } from '../../../base/request-error.ts'
import { changeText, type RecordedUpdate, type Statement } from '../../statement.ts'
import { TableShapes } from './bulk-insert.ts'
import { databaseTimeouts, type DatabaseTimeouts } from '../../timeouts.ts'
import { databaseUnavailable } from '../../unavailable.ts'
import { ConnectionPool } from './connection-pool.ts'
import { translateCommitFailure } from './failures.ts'
import { PreparedStatements } from './prepared.ts'
import { clockAheadOf, SERVER_CLOCK } from './server-clock.ts'
import { PostgresTransaction } from './transaction.ts'
import { SEARCH_SETTINGS, SETTINGS } from './planner-settings.ts'
import { ask, readerOf, takingTurns, type Asking } from './readers.ts'
import { retryConflicts } from './retry-conflicts.ts'
import {
  givenParams,
  type Database,
  type DatabaseDescription,
  type DatabaseTimings,
  type MemberDatabase,
  type MemberTransaction,
  type PoolUsage,
  type Reader,
  type Transaction,
  type WriteOptions,
} from '../../database.ts'
import { LocalState, type LocalOptions } from '../../local-state.ts'
import type { PostgresAddress } from '../../database-address.ts'

interface PostgresOptions extends LocalOptions {
  /** `postgres://…` */
  readonly url: string
  readonly poolMode?: PostgresAddress['poolMode']
  /** Connections for light reads and writes. */
  readonly poolSize: number
  /** Connections for searches. Few, so that the server's processors remain available for other work. */
  readonly searchPoolSize: number
  readonly timeouts?: DatabaseTimeouts
  /** Connections for anonymous searches. */
  readonly anonymousPoolSize: number
  readonly timings?: DatabaseTimings | undefined
}

export class PostgresDatabase extends LocalState implements Database {
  readonly heavy: Reader
  readonly anonymous: Reader
  protected override readonly reader: Reader
  readonly #asking: Asking
  readonly #searching: Asking
  readonly #anonymous: Asking
  readonly #shapes = new TableShapes()
  /** Serialize the transactions and the single statements of each member, so that one cannot occupy the whole pool. */
  readonly #turns = new KeyedSemaphore<number>(ONE_PER_MEMBER)
  readonly #charges = new KeyedSemaphore<number>(ONE_PER_MEMBER)
  readonly #timeouts: DatabaseTimeouts
  readonly #probing: ConnectionPool
  readonly #timings: DatabaseTimings | undefined
  /** Members take turns at the search connections. */
  readonly #searches: KeyedSemaphore<number>
  #closed = false

  /** The database must exist and be migrated. */
  constructor(options: PostgresOptions) {
    super(options)
    const {
      url,
      poolMode,
      poolSize,
      searchPoolSize,
      anonymousPoolSize,
      timeouts = databaseTimeouts(),
    } = options
    this.#searches = new KeyedSemaphore({ permits: searchPoolSize })
    const prepared = new PreparedStatements()
    const shared = { url, poolMode, timeouts }
    this.#timeouts = timeouts
    this.#timings = options.timings
    this.#probing = new ConnectionPool({ ...shared, timeouts: PROBE_TIMEOUTS, size: 1 })
    this.#asking = {
      pool: new ConnectionPool({ ...shared, size: poolSize, settings: SETTINGS }),
      prepared,
    }
    const searching = (callers: 'members' | 'anonymous', size: number): Asking => ({
      pool: new ConnectionPool({ ...shared, size, settings: SEARCH_SETTINGS }),
      prepared,
      answered: (milliseconds) => this.#timings?.searched(callers, milliseconds),
    })
    this.#searching = searching('members', searchPoolSize)
    this.#anonymous = searching('anonymous', anonymousPoolSize)
    this.reader = readerOf(this.#asking)
    this.heavy = readerOf(this.#searching)
    this.anonymous = readerOf(this.#anonymous)
  }

  write<T>(work: (tx: Transaction) => Promise<T>, { bulk = false }: WriteOptions = {}): Promise<T> {
    return retryConflicts(() => this.#transact(work, { bulk }))
  }

  member(memberId: number): MemberDatabase {
    return {
      memberId,
      ...readerOf(this.#asking, memberId),
      heavy: takingTurns(this.#searching, memberId, this.#searches),
      memory: this.memories.of(memberId),
      compute: (computation, input, options) =>
        this.computing.run(memberId, computation, input, options),
      write: (work, options) => this.#writeFor(memberId, work, options),
      change: (change, params) => this.#changeFor(memberId, change, params),
    }
  }

  /** Like `write`, while holding the lock of the member. */
  #writeFor<T>(
    memberId: number,
    work: (tx: MemberTransaction) => Promise<T>,
    { bulk = false }: WriteOptions = {},
  ): Promise<T> {
    const { statement, bulkStatement } = this.#timeouts
    return inTurn(this.#turns, memberId, bulk ? bulkStatement : statement, () =>
      retryConflicts(() => this.#transact((tx) => work(tx.member(memberId)), { bulk, memberId })),
    )
  }

  /** One statement with its own commit. Those of the same member wait for its row. */
  #changeFor<P, Row>(
    memberId: number,
    change: RecordedUpdate<P, Row>,
    params: P | (() => P),
  ): Promise<Row | undefined> {
    return inTurn(this.#charges, memberId, this.#timeouts.statement, async () => {
      const text = changeText(change)
      const { rows } = await ask(this.#asking, memberId, text, givenParams(params))
      this.turnReads.forget()
      return rows[0] as Row | undefined
    })
  }

  /** Nothing to do: autovacuum removes dead rows. */
  async erase(): Promise<boolean> {
    return true
  }

  async describe(): Promise<DatabaseDescription> {
    const row = await this.get(DESCRIPTION, {})
    return { engine: `PostgreSQL ${row?.version}`, bytes: row?.bytes ?? 0 }
  }

  /** On a separate connection, because the pool may be busy. */
  async isReady(): Promise<boolean> {
    try {
      await this.#probing.lend((connection) => connection.query(READY))
      return true
    } catch {
      return false
    }
  }

  async clockAheadMs(): Promise<number> {
    const sentAt = Date.now()
    return clockAheadOf((await this.get(CLOCK, {}))?.now ?? sentAt, sentAt)
  }

  usage(): PoolUsage[] {
    return [
      { pool: 'main', ...this.#asking.pool.usage },
      // Members wait for their turn before they wait for a connection.
      { pool: 'search', ...this.#searching.pool.usage, waiting: this.#searches.waiting },
      { pool: 'anonymous', ...this.#anonymous.pool.usage },
      { pool: 'compute', ...this.computing.usage },
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    await this.memories[Symbol.asyncDispose]()
    this.#closed = true
    await Promise.all([
      this.computing[Symbol.asyncDispose](),
      this.#asking.pool[Symbol.asyncDispose](),
      this.#searching.pool[Symbol.asyncDispose](),
      this.#anonymous.pool[Symbol.asyncDispose](),
      this.#probing[Symbol.asyncDispose](),
    ])
  }

  async #transact<T>(
    work: (tx: Transaction) => Promise<T>,
    { bulk, ...options }: TransactOptions,
  ): Promise<T> {
    if (this.#closed) throw new RequestError('unavailable', 'The database is closing.')
    const { pool, prepared } = this.#asking
    let isCommitting = false
    const transact = pool.lend(async (connection) => {
      const tx = new PostgresTransaction(connection, prepared, this.#shapes, {
        ...options,
        settings: pool.settings,
        statementTimeout: bulk ? this.#timeouts.bulkStatement : undefined,
      })
      try {
        const value = await work(tx)
        const startedAt = performance.now()
        isCommitting = true
        await tx.commit()
        this.turnReads.forget()
        this.#timings?.committed(performance.now() - startedAt)
        return value
      } catch (error) {
        await tx.rollback()
        throw error
      }
    })
    return transact.catch((error: unknown) => {
      throw isCommitting ? translateCommitFailure(error) : error
    })
  }
}

interface TransactOptions {
  readonly bulk: boolean
  /** The member whose lock is held. */
  readonly memberId?: number
}

const ONE_PER_MEMBER = { permits: Number.MAX_SAFE_INTEGER, permitsPerKey: 1 }

/** @throws {RequestError} `unavailable` when earlier writes of the member take longer than `timeoutMs`. */
async function inTurn<T>(
  turns: KeyedSemaphore<number>,
  memberId: number,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const waiting = new AbortController()
  const timer = setTimeout(() => {
    waiting.abort(databaseUnavailable(new Error('waited too long for other writes of this member')))
  }, timeoutMs)
  await turns.acquire(memberId, waiting.signal).finally(() => clearTimeout(timer))
  try {
    return await work()
  } finally {
    turns.release(memberId)
  }
}

/** A proxy must learn within a second that the database is gone. Milliseconds. */
const PROBE_TIMEOUT_MS = 700
const PROBE_TIMEOUTS: DatabaseTimeouts = {
  statement: PROBE_TIMEOUT_MS,
  bulkStatement: PROBE_TIMEOUT_MS,
  wait: PROBE_TIMEOUT_MS,
}
const READY = { text: 'select 1', query_timeout: PROBE_TIMEOUT_MS }

const CLOCK: Statement<object, { now: number }> = { text: SERVER_CLOCK }

/** The version without the suffix that distributions add. */
const DESCRIPTION: Statement<object, { version: string; bytes: number }> = {
  text: `
  select split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database()) as bytes`,
}
