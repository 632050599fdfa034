/** Storage in a PostgreSQL database, which several Weft nodes can share. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'pg'
import { KeyedSemaphore } from '../../../base/keyed-semaphore.ts'
import { RequestError } from '../../../base/request-error.ts'
import {
  changeText,
  type BinaryColumns,
  type MemberStatement,
  type RecordedUpdate,
  type Statement,
} from '../../statement.ts'
import { copyScoped, memberScopeOf, queryScoped, type Acting } from './member-scope.ts'
import { copyText } from './binary-copy.ts'
import { TableShapes } from './bulk-insert.ts'
import { databaseTimeouts, type DatabaseTimeouts } from '../../timeouts.ts'
import { TurnReads } from '../../turn-reads.ts'
import { ConnectionPool } from './connection-pool.ts'
import { isSerializationConflict, translateCommitFailure, translateConflict } from './failures.ts'
import { postgresFullText } from './full-text.ts'
import { bind, PreparedStatements } from './prepared.ts'
import { PostgresTransaction } from './transaction.ts'
import { DEFAULT_MEMORY_BYTES, Memories } from '../../member-memory.ts'
import { KeyedMutex } from './member-locks.ts'
import { givenParams } from '../../database.ts'
import type { ComputeThreads } from '../../compute-threads.ts'
import type {
  Computation,
  ComputeOptions,
  Database,
  DatabaseDescription,
  DatabaseTimings,
  MemberDatabase,
  MemberMemory,
  MemberReader,
  MemberTransaction,
  PoolUsage,
  Reader,
  Transaction,
  WriteOptions,
} from '../../database.ts'

interface PostgresOptions {
  /** `postgres://…` */
  readonly url: string
  /** Connections for light reads and writes. */
  readonly poolSize: number
  /** Connections for searches. Few, so that the server's processors remain available for other work. */
  readonly searchPoolSize: number
  readonly timeouts?: DatabaseTimeouts
  /** Budget of `MemberDatabase.memory`. */
  readonly memoryBytes?: number
  /** Connections for anonymous searches. */
  readonly anonymousPoolSize: number
  /** Closed with the database. */
  readonly computing: ComputeThreads
  readonly timings?: DatabaseTimings | undefined
}

/** Plans searches with their actual words, in the written join order, by index: see full-text.ts. */
const SEARCH_SETTINGS = {
  enable_seqscan: 'off',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}
/** Anonymous searches cover only the directory, whose plan is the same for all words. */
const ANONYMOUS_SETTINGS = { ...SEARCH_SETTINGS, plan_cache_mode: 'force_generic_plan' }
/**
 * A table that was just filled has no statistics yet, and the planner expects few rows per member. A bitmap scan would then
 * read and sort everyone for each page, instead of following the index that has the order of the page.
 */
const SETTINGS = { jit: 'off', enable_bitmapscan: 'off' }
/** Computations use no full text, whose indexes are read by bitmap scans only. */
const COMPUTE_SETTINGS = { ...SEARCH_SETTINGS, ...SETTINGS }

/** Maximum attempts of a transaction that conflicts with another. */
const MAX_ATTEMPTS = 5
/** Milliseconds, multiplied by the attempt and a random factor, so that the same transactions do not collide again. */
const ATTEMPT_PAUSE = 10

export class PostgresDatabase implements Database {
  readonly fullText = postgresFullText
  readonly heavy: Reader
  readonly anonymous: Reader
  readonly #light: Reader
  readonly #asking: Asking
  readonly #searching: Asking
  readonly #anonymousPool: ConnectionPool
  readonly #shapes = new TableShapes()
  readonly #turns = new KeyedMutex()
  readonly #charges = new KeyedMutex()
  readonly #timeouts: DatabaseTimeouts
  readonly #computing: ComputeThreads
  readonly #probing: ConnectionPool
  readonly #timings: DatabaseTimings | undefined
  readonly #memories: Memories
  readonly #turnReads = new TurnReads()
  /** Members take turns at the search connections. */
  readonly #searches: KeyedSemaphore<number>
  #closed = false

  /** The database must exist and be migrated. */
  constructor(options: PostgresOptions) {
    const {
      url,
      poolSize,
      searchPoolSize,
      anonymousPoolSize,
      computing,
      timeouts = databaseTimeouts(),
    } = options
    this.#computing = computing
    this.#memories = new Memories(options.memoryBytes ?? DEFAULT_MEMORY_BYTES, (memberId) =>
      this.member(memberId),
    )
    this.#searches = new KeyedSemaphore({ permits: searchPoolSize })
    const prepared = new PreparedStatements()
    const shared = { url, timeouts }
    const pool = new ConnectionPool({ ...shared, size: poolSize, settings: SETTINGS })
    const searchPool = new ConnectionPool({
      ...shared,
      size: searchPoolSize,
      settings: SEARCH_SETTINGS,
    })
    this.#timeouts = timeouts
    this.#asking = { pool, prepared }
    this.#timings = options.timings
    this.#probing = new ConnectionPool({ url, timeouts: PROBE_TIMEOUTS, size: 1 })
    this.#searching = {
      pool: searchPool,
      prepared,
      answered: (milliseconds) => this.#timings?.searched('members', milliseconds),
    }
    this.#light = readerOf(this.#asking)
    this.heavy = readerOf(this.#searching)
    this.#anonymousPool = new ConnectionPool({
      ...shared,
      size: anonymousPoolSize,
      settings: ANONYMOUS_SETTINGS,
    })
    this.anonymous = readerOf({
      pool: this.#anonymousPool,
      prepared,
      answered: (milliseconds) => this.#timings?.searched('anonymous', milliseconds),
    })
  }

  get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return this.#light.get(statement, params)
  }

  all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]> {
    return this.#light.all(statement, params)
  }

  write<T>(work: (tx: Transaction) => Promise<T>, { bulk = false }: WriteOptions = {}): Promise<T> {
    return retryConflicts(() => this.#transact(work, { bulk }))
  }

  member(memberId: number): MemberDatabase {
    const heavy = takingTurns(memberReaderOf(this.#searching, memberId), this.#searches)
    return new PostgresMember(this, memberReaderOf(this.#asking, memberId), heavy)
  }

  shareRead<T>(key: string, read: () => Promise<T>): Promise<T> {
    return this.#turnReads.share(key, read)
  }

  get memoryBytes(): number {
    return this.#memories.bytes
  }

  /** See `MemberDatabase.memory`. */
  memoryOf(memberId: number): MemberMemory {
    return this.#memories.of(memberId)
  }

  /** See `MemberDatabase.compute`. */
  computeFor<Input, Output>(
    memberId: number,
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#computing.run(memberId, computation, input, options)
  }

  /** Like `write`, while holding the member's lock. */
  writeFor<T>(
    memberId: number,
    work: (tx: MemberTransaction) => Promise<T>,
    { bulk = false }: WriteOptions = {},
  ): Promise<T> {
    const { statement, bulkStatement } = this.#timeouts
    return this.#turns.take(memberId, bulk ? bulkStatement : statement, (isAwaited) =>
      retryConflicts(() =>
        this.#transact((tx) => work(tx.member(memberId)), { bulk, memberId, isAwaited }),
      ),
    )
  }

  /** One statement with its own commit. Those of the same member wait for its row. */
  changeFor<P, Row>(
    memberId: number,
    change: RecordedUpdate<P, Row>,
    params: P | (() => P),
  ): Promise<Row | undefined> {
    return this.#charges.take(memberId, this.#timeouts.statement, async () => {
      const text = changeText(change)
      const { rows } = await ask(this.#asking, memberId, text, givenParams(params))
      this.#turnReads.forget()
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

  /** On a separate connection, because all others may be busy. */
  async isReady(): Promise<boolean> {
    try {
      await this.#probing.lend((connection) => connection.query(READY))
      return true
    } catch {
      return false
    }
  }

  usage(): PoolUsage[] {
    return [
      { pool: 'main', ...this.#asking.pool.usage },
      // Members wait for their turn before they wait for a connection.
      { pool: 'search', ...this.#searching.pool.usage, waiting: this.#searches.waiting },
      { pool: 'anonymous', ...this.#anonymousPool.usage },
      { pool: 'compute', ...this.#computing.usage },
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    await this.#memories[Symbol.asyncDispose]()
    this.#closed = true
    await Promise.all([
      this.#computing[Symbol.asyncDispose](),
      this.#asking.pool[Symbol.asyncDispose](),
      this.#searching.pool[Symbol.asyncDispose](),
      this.#anonymousPool[Symbol.asyncDispose](),
      this.#probing[Symbol.asyncDispose](),
    ])
  }

  async #transact<T>(
    work: (tx: Transaction) => Promise<T>,
    { bulk, memberId, isAwaited }: TransactOptions,
  ): Promise<T> {
    if (this.#closed) throw new RequestError('unavailable', 'The database is closing.')
    const { pool, prepared } = this.#asking
    let isCommitting = false
    const transact = pool.lend(async (connection) => {
      const tx = new PostgresTransaction(connection, prepared, this.#shapes, {
        memberId,
        isAwaited,
        statementTimeout: bulk ? this.#timeouts.bulkStatement : undefined,
      })
      try {
        const value = await work(tx)
        const startedAt = performance.now()
        isCommitting = true
        await tx.commit()
        this.#turnReads.forget()
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

class PostgresMember implements MemberDatabase {
  readonly memberId: number
  readonly heavy: MemberReader
  readonly #light: MemberReader
  readonly #database: PostgresDatabase

  constructor(database: PostgresDatabase, light: MemberReader, heavy: MemberReader) {
    this.memberId = light.memberId
    this.#database = database
    this.#light = light
    this.heavy = heavy
  }

  get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    return this.#light.get(statement, params)
  }

  all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return this.#light.all(statement, params)
  }

  get memory(): MemberMemory {
    return this.#database.memoryOf(this.memberId)
  }

  compute<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#database.computeFor(this.memberId, computation, input, options)
  }

  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#database.writeFor(this.memberId, work, options)
  }

  change<P, Row>(change: RecordedUpdate<P, Row>, params: P | (() => P)): Promise<Row | undefined> {
    return this.#database.changeFor(this.memberId, change, params)
  }
}

interface TransactOptions {
  readonly bulk: boolean
  /** The member whose lock is held. */
  readonly memberId?: number
  readonly isAwaited?: () => boolean
}

function takingTurns(reader: MemberReader, turns: KeyedSemaphore<number>): MemberReader {
  const { memberId } = reader
  return {
    memberId,
    get: (statement, params) => turns.run(memberId, () => reader.get(statement, params)),
    all: (statement, params) => turns.run(memberId, () => reader.all(statement, params)),
  }
}

/** Reads one member's rows on a separate connection, for a compute thread. */
export function openPostgresReaders(
  url: string,
  timeouts: DatabaseTimeouts,
): (memberId: number) => MemberReader {
  const pool = new ConnectionPool({ url, timeouts, size: 1, settings: COMPUTE_SETTINGS })
  const asking: Asking = { pool, prepared: new PreparedStatements() }
  return (memberId) => memberReaderOf(asking, memberId)
}

/** Runs statements outside a transaction. */
interface Asking {
  readonly pool: ConnectionPool
  readonly prepared: PreparedStatements
  /** Receives the time of every statement, in milliseconds. */
  readonly answered?: (milliseconds: number) => void
}

function readerOf(asking: Asking): Reader {
  return {
    async get<P, Row>(statement: Statement<P, Row>, params: P) {
      const { rows } = await ask(asking, memberScopeOf(statement), statement.text, params)
      return rows[0] as Row | undefined
    },
    async all<P, Row>(statement: Statement<P, Row>, params: P) {
      return (await ask(asking, memberScopeOf(statement), statement.text, params)).rows as Row[]
    },
  }
}

function memberReaderOf(asking: Asking, memberId: number): MemberReader {
  return {
    memberId,
    async get<P, Row>(statement: MemberStatement<P, Row>, params: P) {
      return (await ask(asking, memberId, statement.text, params)).rows[0] as Row | undefined
    },
    async all<P, Row>(statement: MemberStatement<P, Row>, params: P) {
      const { binary, text } = statement
      const read = binary ? copy(asking, memberId, { text, binary }, params) : undefined
      return (await (read ?? ask(asking, memberId, text, params))).rows as Row[]
    },
  }
}

/** See `BinaryColumns`. */
async function copy<P>(
  { pool, prepared, answered }: Asking,
  memberId: number,
  { text, binary }: { readonly text: string; readonly binary: BinaryColumns },
  params: P,
): Promise<QueryResult> {
  const { text: query, values = [] } = bind(prepared.prepare(text), params as object, memberId)
  const startedAt = performance.now()
  const result = await retryConflicts(() =>
    pool.lend((connection) =>
      copyScoped(connection, memberId, { text: copyText(query, values), columns: binary }),
    ),
  )
  answered?.(performance.now() - startedAt)
  return result
}

async function ask<P>(
  { pool, prepared, answered }: Asking,
  acting: Acting,
  text: string,
  params: P,
): Promise<QueryResult> {
  const memberId = typeof acting === 'number' ? acting : undefined
  const query = bind(prepared.prepare(text), params as object, memberId)
  const startedAt = performance.now()
  const result = await retryConflicts(() =>
    pool.lend((connection) => queryScoped(connection, acting, query)),
  )
  answered?.(performance.now() - startedAt)
  return result
}

/** Repeats a transaction that lost a conflict, which rolled it back completely. */
async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isSerializationConflict(error)) throw error
      if (attempt === MAX_ATTEMPTS) throw translateConflict(error)
      await sleep(ATTEMPT_PAUSE * attempt * Math.random())
    }
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

/** The version without the suffix that distributions add. */
const DESCRIPTION: Statement<object, { version: string; bytes: number }> = {
  text: `
  select split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database()) as bytes`,
}
