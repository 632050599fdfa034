/** The interface of every storage engine. Features use it without knowing which engine runs. */

import type { MemberStatement, RecordedUpdate, SqlParameter, Statement } from './statement.ts'

/** Reads shared tables (members, the directory, token hashes). */
export interface Reader {
  /** The first row, or undefined. */
  get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined>
  all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]>
}

/** Reads one member's private rows. `:member_id` is bound by the handle and cannot be changed. */
export interface MemberReader {
  readonly memberId: number
  get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined>
  all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]>
}

/** Reports progress. `done` increases with every report. */
export type ReportSteps = (done: number, total?: number, message?: string) => void

/**
 * Computes over one member's rows, or over shared tables with a `Reader`. Input and output must be structured-cloneable.
 */
export type ComputeFunction<Input, Output, From = MemberReader> = (
  reader: From,
  input: Input,
  report: ReportSteps,
) => Promise<Output>

/** A reference to an exported function that a thread can import. Created by `defineComputation`. */
export interface Computation<Input, Output, From = MemberReader> {
  readonly module: string
  readonly name: string
  readonly [types]?: (reader: From, input: Input) => Output
}

declare const types: unique symbol

/** Used as `defineComputation(import.meta.url, { findGroups })` in the module that exports `findGroups`. */
export function defineComputation<Input, Output, From = MemberReader>(
  module: string,
  exported: Readonly<Record<string, ComputeFunction<Input, Output, From>>>,
): Computation<Input, Output, From> {
  const [name, ...others] = Object.keys(exported)
  if (name === undefined || others.length > 0)
    throw new TypeError('pass exactly one exported function')
  return { module, name }
}

export interface ComputeOptions {
  /** Removes a queued call, or terminates the thread that runs it. */
  readonly signal?: AbortSignal | undefined
  readonly report?: ReportSteps | undefined
}

export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlParameter[])[]
  /** If the primary key exists. An error by default. */
  readonly onConflict?: 'ignore' | 'replace'
}

export interface UpdatedRows {
  readonly table: string
  /** The primary key, whose values come first in each row. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlParameter[])[]
}

/** With `service`, `rows` belong to a private table and several members. */
export interface SharedRows extends Rows {
  readonly service?: true
}

export interface Transaction extends Reader {
  run<P>(statement: Statement<P, never>, params: P): Promise<number>
  /** A prepared loop on SQLite, one `unnest` on PostgreSQL. */
  insertMany(rows: SharedRows): Promise<void>
  member(memberId: number): MemberTransaction
}

export type SharedTransaction = Omit<Transaction, 'member'>

export interface MemberTransaction extends MemberReader {
  /** The same transaction, for shared tables. */
  readonly shared: SharedTransaction
  run<P>(statement: MemberStatement<P, never>, params: P): Promise<number>
  /** Returns the updated row. Records nothing and returns undefined if no row matched. */
  change<P, Row>(change: RecordedUpdate<P, Row>, params: P): Promise<Row | undefined>
  /** Adds `member_id` to every row. */
  insertMany(rows: Rows): Promise<void>
  /** Ignores rows that do not exist. Adds `member_id` to the key. */
  updateMany(rows: UpdatedRows): Promise<void>
  deleteMany(rows: Pick<UpdatedRows, 'table' | 'key' | 'rows'>): Promise<void>
}

export interface WriteOptions {
  /** Yields to small transactions and shares no commit with them. */
  readonly bulk?: boolean
}

export interface Database extends Reader, AsyncDisposable {
  /** For heavy reads. Never runs on the main thread. */
  readonly heavy: Reader
  /** As `heavy`, on separate threads or connections, so that anonymous callers cannot slow down members. */
  readonly anonymous: Reader
  /** Bytes of derived data, including `MemberDatabase.memory`. */
  readonly memoryBytes: number
  readonly memory: SharedMemory
  /** As `MemberDatabase.compute`, over shared tables. */
  compute<Input, Output>(
    computation: Computation<Input, Output, Reader>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output>
  /**
   * Commits durably before the promise resolves, and rolls back if `work` throws. `work` may await only `tx` and must
   * have no other side effects: it runs again after a conflict on PostgreSQL.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  member(memberId: number): MemberDatabase
  /**
   * Runs `read` once for all callers of the same turn of the event loop with the same `key`, which must name everything
   * that the result depends on.
   */
  shareRead<T>(key: string, read: () => Promise<T>): Promise<T>
  /** Erases deleted data from the files. Resolves with false if some may be left. */
  erase(): Promise<boolean>
  describe(): Promise<DatabaseDescription>
  /** True if a trivial read works. Fails within a second. */
  isReady(): Promise<boolean>
  /** How far the database server's clock is ahead of this machine's; 0 on SQLite, which uses the same. Milliseconds. */
  clockAheadMs(): Promise<number>
  /** How busy the connections, threads and queues of this process are, for metrics. */
  usage(): readonly PoolUsage[]
}

export interface PoolUsage {
  /** `main`, `search`, `anonymous` or `compute`; `writer` on SQLite. */
  readonly pool: string
  readonly size: number
  readonly used: number
  readonly waiting: number
}

/** Receives milliseconds. Must be fast and not throw. */
export interface DatabaseTimings {
  /** On SQLite: of a group of transactions, with its fsync. */
  committed(milliseconds: number): void
  searched(callers: 'members' | 'anonymous', milliseconds: number): void
}

export interface DatabaseDescription {
  /** Such as `SQLite 3.51.0`. */
  readonly engine: string
  readonly bytes: number
}

export interface MemberDatabase extends MemberReader {
  readonly heavy: MemberReader
  /**
   * Runs in a thread with its own connection and heap limit, one computation per member at a time. Throws the signal's
   * reason when it aborts.
   *
   * @throws {RequestError} `rate_limited` when the member's queue is full.
   */
  compute<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output>
  /** Derived data in the memory of this process. */
  readonly memory: MemberMemory
  /** As `Database.write`. Serializes the transactions of a member. */
  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Runs `MemberTransaction.change` in its own transaction, in one round trip, without waiting for other transactions of
   * the member. Calls a function in `params` just before the statement runs.
   */
  change<P, Row>(change: RecordedUpdate<P, Row>, params: P | (() => P)): Promise<Row | undefined>
}

/** Resolves parameters that were given as a function. */
export function givenParams<P>(params: P | (() => P)): P {
  return typeof params === 'function' ? (params as () => P)() : params
}

/** Created by `defineMemory`. */
export interface MemoryKind<T> {
  readonly name: string
  /** Evicted first, because it is cheap to derive again. */
  readonly isSpare?: boolean
  readonly [held]?: T
}

declare const held: unique symbol

/** Defines a kind of derived data. `name` must be unique in the program. */
export function defineMemory<T>(
  name: string,
  options: Pick<MemoryKind<T>, 'isSpare'> = {},
): MemoryKind<T> {
  return { name, ...options }
}

/** Data derived from one member's rows, evicted when the byte budget is exceeded: see `member-memory.ts`. */
export interface MemberMemory {
  read<T>(kind: MemoryKind<T>): T | undefined
  /** `bytes` is approximate. */
  keep<T>(kind: MemoryKind<T>, value: T, bytes: number): void
  /**
   * Stores derived data after the current call, in its own transactions, and ignores failures. Resolves when it is done.
   */
  save(work: (write: SaveStep) => Promise<void>): Promise<void>
}

export interface SharedMemory extends Pick<MemberMemory, 'read' | 'keep'> {
  /** Shared by all members. */
  readonly maxBytes: number
}

export type SaveStep = (step: (tx: MemberTransaction) => Promise<void>) => Promise<void>
