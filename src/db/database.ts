/** What every storage engine offers. Features use this and never ask which engine runs. */

import type {
  DirectoryDocument,
  DirectorySearch,
  Found,
  ConnectionDocument,
  ConnectionSearch,
} from './full-text.ts'
import type { MemberStatement, RecordedChange, SqlParameter, Statement } from './statement.ts'

/** Reads over shared tables (members, the directory, tokens by their hash). */
export interface Reader {
  /** The first row, or undefined. */
  get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined>
  all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]>
}

/** Reads over one member's private rows: `:member_id` is supplied, and cannot be another's. */
export interface MemberReader {
  readonly memberId: number
  get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined>
  all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]>
}

/** Tells how far a computation is. `done` grows from report to report. */
export type ReportSteps = (done: number, total?: number, message?: string) => void

/** Reads one member's rows and computes; what goes in and what comes out can be copied between threads. */
export type ComputeFunction<Input, Output> = (
  reader: MemberReader,
  input: Input,
  report: ReportSteps,
) => Promise<Output>

/** A function that a module exports, named so that a thread can import it. `defineComputation` makes one. */
export interface Computation<Input, Output> {
  /** The URL of the module. */
  readonly module: string
  readonly name: string
  readonly [types]?: (input: Input) => Output
}

declare const types: unique symbol

/**
 * `defineComputation(import.meta.url, { findGroups })`, in the module that exports `findGroups`: TypeScript checks the
 * arguments and the result, and the module is what the thread imports.
 */
export function defineComputation<Input, Output>(
  module: string,
  exported: Readonly<Record<string, ComputeFunction<Input, Output>>>,
): Computation<Input, Output> {
  const [name, ...others] = Object.keys(exported)
  if (name === undefined || others.length > 0) throw new TypeError('name one exported function')
  return { module, name }
}

export interface ComputeOptions {
  /** Takes the call out of the queue, or stops its thread. */
  readonly signal?: AbortSignal | undefined
  readonly report?: ReportSteps | undefined
}

/** One column list and the rows for it, as a bulk insert takes them. */
export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlParameter[])[]
  /** What to do when the primary key is there already; without it that is an error. */
  readonly onConflict?: 'ignore' | 'replace'
}

/** Rows of a shared table; or, for the service itself, of a private one, of several members at once. */
export interface SharedRows extends Rows {
  readonly service?: true
}

export interface Transaction extends Reader {
  /** Runs a write and tells how many rows it changed. */
  run<P>(statement: Statement<P, never>, params: P): Promise<number>
  /** Inserts many rows of one shape: a prepared loop on SQLite, one `unnest` on PostgreSQL. */
  insertMany(rows: SharedRows): Promise<void>
  member(memberId: number): MemberTransaction
  readonly fullText: FullText
}

/** What a transaction does with shared tables. */
export type SharedTransaction = Omit<Transaction, 'member'>

export interface MemberTransaction extends MemberReader {
  /** The same transaction for shared tables: it acts for nobody, and reaches no private row. */
  readonly shared: SharedTransaction
  run<P>(statement: MemberStatement<P, never>, params: P): Promise<number>
  /** The updated row; or undefined where there was none to update, and then nothing is recorded. */
  change<P, Row>(change: RecordedChange<P, Row>, params: P): Promise<Row | undefined>
  /** As `Transaction.insertMany`; every row gets `member_id` in front, so the columns leave it out. */
  insertMany(rows: Rows): Promise<void>
  readonly fullText: FullText
}

export interface WriteOptions {
  /** Bulk work waits for small transactions and shares no commit with them. */
  readonly bulk?: boolean
}

export interface Database extends Reader, AsyncDisposable {
  /** For search and other heavy reads: never on the thread that answers light requests. */
  readonly heavy: Reader
  /** The same for anonymous callers, with threads or connections of its own: they cannot slow members' searches. */
  readonly anonymous: Reader
  readonly fullText: FullText
  /**
   * Runs `work` in a transaction: committed durably before the promise resolves, undone whole if it throws.
   * `work` awaits nothing but this transaction; on SQLite others wait for it. It changes nothing outside of it, and may
   * run again: PostgreSQL asks for that when two transactions get in each other's way.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** A handle on one member's private rows. */
  member(memberId: number): MemberDatabase
  /**
   * Takes what was deleted or overwritten out of the files, where the engine keeps it for longer than its transaction;
   * in steps of a few milliseconds that let others in between. Resolves with false where there is more to do.
   */
  erase(options?: EraseOptions): Promise<boolean>
  /** For whoever runs the service: what it is, and how large. */
  describe(): Promise<DatabaseDescription>
  /** True once a trivial read works. */
  isReady(): Promise<boolean>
}

export interface EraseOptions {
  /** No end unless given. */
  readonly mostSteps?: number
  readonly signal?: AbortSignal
}

export interface DatabaseDescription {
  /** With its version, as `SQLite 3.51.0`. */
  readonly engine: string
  readonly bytes: number
}

export interface MemberDatabase extends MemberReader {
  readonly heavy: MemberReader
  /**
   * Runs a computation over this member's rows in a thread with a database connection and a bounded heap of its own.
   * One member computes one thing at a time; further calls wait in the member's queue, and members take turns.
   *
   * @throws Refusal `rate_limited` when the member's queue is full; the signal's reason when it aborts.
   */
  compute<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output>
  readonly fullText: FullText
  /** As `Database.write`; such transactions of one member run one after another, on either engine. */
  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** `MemberTransaction.change` as a transaction of its own, in one round trip; waits for no other of the member's. */
  change<P, Row>(change: RecordedChange<P, Row>, params: P): Promise<Row | undefined>
}

/** A member's rows, for light reads and for heavy ones; the engine chooses. */
export interface SearchReader extends MemberReader {
  readonly heavy: MemberReader
}

export interface FullText {
  /** Puts a member where searches find them, or moves them: the entry `before` is replaced, if there is one. */
  indexMember(
    tx: SharedTransaction,
    document: DirectoryDocument,
    before?: DirectoryDocument,
  ): Promise<void>
  /** Takes their entry out, if there is one, with every word that only it has. */
  removeMember(tx: SharedTransaction, before: DirectoryDocument): Promise<void>
  /** One page; `columns` are of `members m`. */
  searchMembers<Row>(
    reader: Reader,
    columns: string,
    search: DirectorySearch,
  ): Promise<Found<Row>[]>

  indexConnections(tx: MemberTransaction, documents: readonly ConnectionDocument[]): Promise<void>
  removeConnections(tx: MemberTransaction, connectionIds: readonly number[]): Promise<void>
  /** One page of one member's; `columns` are of `connections c`. Reads off the main thread what takes long. */
  searchConnections<Row>(
    reader: SearchReader,
    columns: string,
    search: ConnectionSearch,
  ): Promise<Found<Row>[]>
  /** One small step of the engine's own upkeep after bulk changes; true while there is more to do. */
  tidyConnections(tx: MemberTransaction): Promise<boolean>
}
