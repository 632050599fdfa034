/** The interface of every storage engine. Features use it without knowing which engine runs. */

import type { DirectoryDocument, DirectorySearch, Found } from './full-text.ts'
import type {
  BinaryStatement,
  MemberStatement,
  RecordedUpdate,
  SqlParameter,
  Statement,
} from './statement.ts'

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
  /**
   * Passes each row to `onRow` when it arrives and keeps none: its bytes are only valid during the call. `onRow` must not throw.
   * Undefined if the engine does not receive rows from elsewhere; then `all` reads them at no higher cost.
   */
  receive?<P, Row>(
    statement: BinaryStatement<P, Row>,
    params: P,
    onRow: (row: Row) => void,
  ): Promise<void>
}

/** Reports the progress of a computation. `done` increases with every report. */
export type ReportSteps = (done: number, total?: number, message?: string) => void

/**
 * A computation over one member's rows, or with a `Reader` over shared tables. Its input and output must be
 * structured-cloneable.
 */
export type ComputeFunction<Input, Output, From = MemberReader> = (
  reader: From,
  input: Input,
  report: ReportSteps,
) => Promise<Output>

/** A reference to an exported function that a thread can import. Created by `defineComputation`. */
export interface Computation<Input, Output, From = MemberReader> {
  /** URL of the module. */
  readonly module: string
  readonly name: string
  readonly [types]?: (reader: From, input: Input) => Output
}

declare const types: unique symbol

/**
 * `defineComputation(import.meta.url, { findGroups })`, in the module that exports `findGroups`. TypeScript checks the
 * arguments and the result; the thread imports the module.
 */
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
  /** Removes a waiting call from the queue, or terminates the thread that runs it. */
  readonly signal?: AbortSignal | undefined
  readonly report?: ReportSteps | undefined
}

/** A column list and its rows, for a bulk insert. */
export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlParameter[])[]
  /** What to do if the primary key exists; an error by default. */
  readonly onConflict?: 'ignore' | 'replace'
}

/** New values of existing rows, for a bulk update. */
export interface UpdatedRows {
  readonly table: string
  /** The columns of the primary key. They come first in each row. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlParameter[])[]
}

/** Rows of a shared table. With `service`, rows of a private table for several members. */
export interface SharedRows extends Rows {
  readonly service?: true
}

export interface Transaction extends Reader {
  /** Runs a write and returns the number of changed rows. */
  run<P>(statement: Statement<P, never>, params: P): Promise<number>
  /** Inserts many rows of one table: a prepared loop on SQLite, one `unnest` on PostgreSQL. */
  insertMany(rows: SharedRows): Promise<void>
  member(memberId: number): MemberTransaction
  readonly fullText: FullText
}

/** Writes to shared tables in a transaction. */
export type SharedTransaction = Omit<Transaction, 'member'>

export interface MemberTransaction extends MemberReader {
  /** Whether other writes of this process wait for the end of the transaction. Long bulk work should then end it. */
  readonly isAwaited: boolean
  /**
   * Reads the rows as they were before the transaction, while its statements run: nothing of them, and nothing of other
   * transactions of the member. `undefined` if the engine runs the statements of a transaction and its reads one by one.
   */
  readonly outside?: MemberReader | undefined
  /** The same transaction for shared tables; it cannot reach private rows. */
  readonly shared: SharedTransaction
  run<P>(statement: MemberStatement<P, never>, params: P): Promise<number>
  /** Returns the updated row, or undefined if no row matched; then nothing is recorded. */
  change<P, Row>(change: RecordedUpdate<P, Row>, params: P): Promise<Row | undefined>
  /** Like `Transaction.insertMany`. `member_id` is added to every row, so `columns` omits it. */
  insertMany(rows: Rows): Promise<void>
  /** Updates many rows of one table; rows that do not exist are ignored. `member_id` is added to the key. */
  updateMany(rows: UpdatedRows): Promise<void>
  /** Deletes the rows of one table with these values in `key`. */
  deleteMany(rows: Pick<UpdatedRows, 'table' | 'key' | 'rows'>): Promise<void>
}

export interface WriteOptions {
  /**
   * Bulk work yields to small transactions and does not share commits with them. A statement for many rows may resolve
   * before the database has run it; if it fails, a later one or the transaction rejects.
   */
  readonly bulk?: boolean
  /**
   * With `false`, the write may resolve before it is durable: a power failure can undo it until a later write has resolved. For
   * work that is then repeated, such as a step of a job. Has no effect on PostgreSQL.
   */
  readonly durable?: boolean
}

export interface Database extends Reader, AsyncDisposable {
  /** For searches and other heavy reads; never runs on the main thread. */
  readonly heavy: Reader
  /** The same for anonymous callers, on separate threads or connections, so that they cannot slow down members. */
  readonly anonymous: Reader
  readonly fullText: FullText
  /** Bytes of derived data in memory; see `MemberDatabase.memory`. */
  readonly memoryBytes: number
  /** Data derived from shared tables, within the same budget. */
  readonly memory: SharedMemory
  /** Like `MemberDatabase.compute`, over shared tables. They have one computation at a time, too. */
  compute<Input, Output>(
    computation: Computation<Input, Output, Reader>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output>
  /**
   * Runs `work` in a transaction: committed durably before the promise resolves, unless `options` say otherwise, and rolled
   * back if it throws. `work` may await only this transaction, because on SQLite other transactions wait for it. It must have
   * no other side effects, because it may run again after a conflict on PostgreSQL. Afterwards, `tx` rejects every statement.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** A handle for one member's private rows. */
  member(memberId: number): MemberDatabase
  /**
   * Shares a read with others of the same key in the same turn of the event loop. `key` names the kind of read and
   * everything that its result depends on.
   */
  shareRead<T>(key: string, read: () => Promise<T>): Promise<T>
  /**
   * Erases deleted and overwritten data from the files, if the engine keeps it after the transaction. Works in steps of
   * a few milliseconds, so that other work can run in between. Resolves with false if there is more to do.
   */
  erase(options?: EraseOptions): Promise<boolean>
  /** Engine and size, for the operator. */
  describe(): Promise<DatabaseDescription>
  /** True when a trivial read works. Fails within a second, and is not delayed by other work. */
  isReady(): Promise<boolean>
  /** How busy the connections, threads and queues of this process are, for metrics. */
  usage(): readonly PoolUsage[]
}

export interface PoolUsage {
  /** `main`, `search`, `anonymous` or `compute`; `writer` on SQLite. */
  readonly pool: string
  readonly size: number
  readonly used: number
  /** Callers that wait for one. */
  readonly waiting: number
}

/** Receives durations in milliseconds, for metrics. Must be fast and not throw. */
export interface DatabaseTimings {
  /** A commit: on SQLite of a group of transactions, with its fsync if it waits for one. */
  committed(milliseconds: number): void
  /** A search, from the call to its rows. */
  searched(callers: 'members' | 'anonymous', milliseconds: number): void
}

export interface EraseOptions {
  /** No timeout by default. */
  readonly maxSteps?: number
  readonly signal?: AbortSignal
}

export interface DatabaseDescription {
  /** With its version, such as `SQLite 3.51.0`. */
  readonly engine: string
  readonly bytes: number
}

export interface MemberDatabase extends MemberReader {
  readonly heavy: MemberReader
  /**
   * Runs a computation over this member's rows in a thread with its own database connection and heap limit. Each member
   * has one computation at a time; further calls wait in the member's queue, and members take turns. Throws the
   * signal's reason when it aborts.
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
  /** Like `Database.write`. Transactions of the same member are serialized on every engine. */
  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * `MemberTransaction.change` in its own transaction and a single round trip; waits for no other transaction of the member.
   * Parameters given as a function are computed once, just before the statement runs.
   */
  change<P, Row>(change: RecordedUpdate<P, Row>, params: P | (() => P)): Promise<Row | undefined>
}

/** The parameters, if they were given as a function. */
export function givenParams<P>(params: P | (() => P)): P {
  return typeof params === 'function' ? (params as () => P)() : params
}

/** One kind of derived data; `defineMemory` creates it. */
export interface MemoryKind<T> {
  readonly name: string
  /** Evicted before other data, because it is cheaper to derive again. */
  readonly isSpare?: boolean
  readonly [held]?: T
}

declare const held: unique symbol

/** `name` is unique in the program. */
export function defineMemory<T>(
  name: string,
  options: Pick<MemoryKind<T>, 'isSpare'> = {},
): MemoryKind<T> {
  return { name, ...options }
}

/** Data derived from one member's rows, kept between calls while the byte budget allows: see `member-memory.ts`. */
export interface MemberMemory {
  read<T>(kind: MemoryKind<T>): T | undefined
  /** `bytes` is its approximate size. */
  keep<T>(kind: MemoryKind<T>, value: T, bytes: number): void
  /**
   * Stores derived data after the current call, in transactions of its own. Failures are ignored, because the data can be
   * derived again. Resolves when it is stored or has failed.
   */
  save(work: (write: SaveStep) => Promise<void>): Promise<void>
}

export interface SharedMemory extends Pick<MemberMemory, 'read' | 'keep'> {
  /** The budget, which all members share. */
  readonly maxBytes: number
}

export type SaveStep = (step: (tx: MemberTransaction) => Promise<void>) => Promise<void>

export interface FullText {
  /** Adds a member to the search index, or replaces the entry `before`. */
  indexMember(
    tx: SharedTransaction,
    document: DirectoryDocument,
    before?: DirectoryDocument,
  ): Promise<void>
  /** Removes the member's entry, if any, with all words that only it contains. */
  removeMember(tx: SharedTransaction, before: DirectoryDocument): Promise<void>
  /**
   * Resizes the engine's search tables a few rows at a time. Returns the number of rows: 0 if nothing is left to do.
   */
  resize(tx: SharedTransaction): Promise<number>
  /** One page; `columns` refer to `members m`. */
  searchMembers<Row>(
    reader: Reader,
    columns: string,
    search: DirectorySearch,
  ): Promise<Found<Row>[]>
}
