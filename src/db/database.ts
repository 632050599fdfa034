/** What every storage engine offers. Features use this and never ask which engine runs. */

import type { FullText } from './full-text.ts'
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
  readonly fullText: FullText
  /** As `Database.write`; such transactions of one member run one after another, on either engine. */
  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** `MemberTransaction.change` as a transaction of its own, in one round trip; waits for no other of the member's. */
  change<P, Row>(change: RecordedChange<P, Row>, params: P): Promise<Row | undefined>
}
