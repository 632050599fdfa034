/** Storage in one SQLite file: light reads on the main thread, heavy reads in threads, writes through one writer. */

import { statSync } from 'node:fs'
import type { SQLInputValue } from 'node:sqlite'
import type { ComputeThreads } from '../../compute-threads.ts'
import { givenParams } from '../../database.ts'
import { transactionEnded } from '../../ended-transaction.ts'
import type {
  Computation,
  ComputeOptions,
  Database,
  DatabaseDescription,
  DatabaseTimings,
  EraseOptions,
  MemberDatabase,
  MemberMemory,
  MemberReader,
  MemberTransaction,
  PoolUsage,
  Reader,
  Rows,
  SharedTransaction,
  Transaction,
  UpdatedRows,
  WriteOptions,
} from '../../database.ts'
import type { MemberStatement, RecordedUpdate, Statement } from '../../statement.ts'
import { SqliteConnection, bind } from './connection.ts'
import { translateFailure } from './failures.ts'
import { eraseFromIndexes, MAX_VACUUM_BYTES, vacuum } from './erase.ts'
import { DEFAULT_MEMORY_BYTES, Memories } from '../../member-memory.ts'
import { sqliteFullText } from './full-text.ts'
import { SearchThreads } from './search-threads.ts'
import { databaseTimeouts, type DatabaseTimeouts } from '../../timeouts.ts'
import { TurnReads } from '../../turn-reads.ts'
import { Writer } from './writer.ts'

interface SqliteOptions {
  readonly path: string
  /** Threads for heavy reads, started on demand. */
  readonly searchThreads: number
  readonly timeouts?: DatabaseTimeouts
  /** Budget of `MemberDatabase.memory`. */
  readonly memoryBytes?: number
  /** The same for anonymous callers. */
  readonly anonymousThreads: number
  /** Closed with the database. */
  readonly computing: ComputeThreads
  readonly timings?: DatabaseTimings | undefined
}

const CACHE_MEBIBYTES = 8
/** Page cache for one bulk transaction, which would otherwise write pages twice. Allocated only as needed. */
const WRITE_CACHE_MEBIBYTES = 32
const SEARCH_CACHE_MEBIBYTES = 16

export class SqliteDatabase implements Database {
  readonly fullText = sqliteFullText
  readonly heavy: Reader
  readonly anonymous: Reader
  readonly #path: string
  readonly #file: string
  readonly #reading: SqliteConnection
  readonly #writing: SqliteConnection
  readonly #writer: Writer
  readonly #threads: SearchThreads
  readonly #anonymousThreads: SearchThreads
  readonly #computing: ComputeThreads
  readonly #memories: Memories
  readonly #turnReads = new TurnReads()

  /** The file must exist and be migrated. */
  constructor(options: SqliteOptions) {
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
      onCommitted: () => this.#turnReads.forget(),
      timings: options.timings,
    })
    this.#threads = new SearchThreads(
      { path: options.path, cacheMebibytes: SEARCH_CACHE_MEBIBYTES },
      options.searchThreads,
      (milliseconds) => options.timings?.searched('members', milliseconds),
    )
    this.#computing = options.computing
    this.heavy = threadReader(this.#light, this.#threads)
    this.#anonymousThreads = new SearchThreads(
      { path: options.path, cacheMebibytes: SEARCH_CACHE_MEBIBYTES },
      options.anonymousThreads,
      (milliseconds) => options.timings?.searched('anonymous', milliseconds),
    )
    this.anonymous = threadReader(this.#light, this.#anonymousThreads)
    this.#memories = new Memories(options.memoryBytes ?? DEFAULT_MEMORY_BYTES, (memberId) =>
      this.member(memberId),
    )
  }

  get memoryBytes(): number {
    return this.#memories.bytes
  }

  /**
   * Light reads use the writer's connection, whose cache is not invalidated by its own commits. While a transaction is open
   * there, they use a second connection, which sees only committed data.
   */
  readonly #light = (): SqliteConnection =>
    this.#writing.handle.isTransaction ? this.#reading : this.#writing

  async get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.#light(), statement.text, params as object)
  }

  async all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.#light(), statement.text, params as object)
  }

  write<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.#writer.write(async () => {
      using tx = new SqliteTransaction(this.#writing, this.#writer)
      return await work(tx)
    }, options)
  }

  member(memberId: number): MemberDatabase {
    return new SqliteMember(memberId, this, {
      light: this.#light,
      threads: this.#threads,
      computing: this.#computing,
      memories: this.#memories,
    })
  }

  shareRead<T>(key: string, read: () => Promise<T>): Promise<T> {
    return this.#turnReads.share(key, read)
  }

  async erase(options: EraseOptions = {}): Promise<boolean> {
    const areIndexesClear = await eraseFromIndexes((work, how) => this.write(work, how), options)
    const isWrittenAnew =
      areIndexesClear && this.#bytesInUse() <= MAX_VACUUM_BYTES && (await vacuum(this.#path))
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

  usage(): PoolUsage[] {
    const { waiting, isBusy } = this.#writer
    return [
      { pool: 'writer', size: 1, used: isBusy ? 1 : 0, waiting },
      { pool: 'search', ...this.#threads.usage },
      { pool: 'anonymous', ...this.#anonymousThreads.usage },
      { pool: 'compute', ...this.#computing.usage },
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#memories[Symbol.asyncDispose]()
    await this.#writer.close()
    await Promise.all([
      this.#threads.close(),
      this.#anonymousThreads.close(),
      this.#computing[Symbol.asyncDispose](),
    ])
    this.#reading.close()
    this.#writing.close()
  }
}

type LightConnection = () => SqliteConnection

/** Selects where a member's reads run. */
interface Reading {
  readonly light: LightConnection
  readonly threads: SearchThreads
  readonly computing: ComputeThreads
  readonly memories: Memories
}

class SqliteMember implements MemberDatabase {
  readonly memberId: number
  readonly #database: Database
  readonly #light: LightConnection
  readonly #reading: Reading
  #memory: MemberMemory | undefined

  constructor(memberId: number, database: Database, reading: Reading) {
    this.memberId = memberId
    this.#database = database
    this.#light = reading.light
    this.#reading = reading
  }

  compute<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#reading.computing.run(this.memberId, computation, input, options)
  }

  get memory(): MemberMemory {
    return (this.#memory ??= this.#reading.memories.of(this.memberId))
  }

  get heavy(): MemberReader {
    const { memberId } = this
    const { light, threads } = this.#reading
    return {
      memberId,
      async get<P, Row>(statement: MemberStatement<P, Row>, params: P) {
        return (await this.all(statement, params))[0]
      },
      async all<P, Row>(statement: MemberStatement<P, Row>, params: P) {
        return askThread<Row>(light, threads, statement.text, params as object, memberId)
      },
    }
  }

  async get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.#light(), statement.text, params as object, this.memberId)
  }

  async all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.#light(), statement.text, params as object, this.memberId)
  }

  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#database.write((tx) => work(tx.member(this.memberId)), options)
  }

  change<P, Row>(change: RecordedUpdate<P, Row>, params: P | (() => P)): Promise<Row | undefined> {
    return this.write((tx) => tx.change(change, givenParams(params)))
  }
}

/** Disposed with its `work`, before the commit or rollback. */
class SqliteTransaction implements Transaction, Disposable {
  readonly fullText = sqliteFullText
  readonly #connection: SqliteConnection
  readonly #writer: Writer
  #hasEnded = false

  constructor(connection: SqliteConnection, writer: Writer) {
    this.#connection = connection
    this.#writer = writer
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
  }

  /** For one statement. */
  get connection(): SqliteConnection {
    if (this.#hasEnded) throw transactionEnded()
    return this.#connection
  }

  get isAwaited(): boolean {
    return this.#writer.waiting > 0
  }

  async get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.connection, statement.text, params as object)
  }

  async all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.connection, statement.text, params as object)
  }

  async run<P>(statement: Statement<P, never>, params: P): Promise<number> {
    return runWrite(this.connection, statement.text, params as object)
  }

  async insertMany(rows: Rows): Promise<void> {
    insertRows(this.connection, rows, [])
  }

  member(memberId: number): MemberTransaction {
    return new SqliteMemberTransaction(memberId, this)
  }
}

class SqliteMemberTransaction implements MemberTransaction {
  readonly memberId: number
  readonly #transaction: SqliteTransaction

  constructor(memberId: number, transaction: SqliteTransaction) {
    this.memberId = memberId
    this.#transaction = transaction
  }

  get #connection(): SqliteConnection {
    return this.#transaction.connection
  }

  get shared(): SharedTransaction {
    return this.#transaction
  }

  get isAwaited(): boolean {
    return this.#transaction.isAwaited
  }

  async get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.#connection, statement.text, params as object, this.memberId)
  }

  async all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.#connection, statement.text, params as object, this.memberId)
  }

  async run<P>(statement: MemberStatement<P, never>, params: P): Promise<number> {
    return runWrite(this.#connection, statement.text, params as object, this.memberId)
  }

  async change<P, Row>(change: RecordedUpdate<P, Row>, params: P): Promise<Row | undefined> {
    const changed = getRow<Row>(this.#connection, change.update, params as object, this.memberId)
    if (changed)
      recordRow(this.#connection, change.record, params as object, changed, this.memberId)
    return changed
  }

  async insertMany(rows: Rows): Promise<void> {
    insertRows(this.#connection, { ...rows, columns: ['member_id', ...rows.columns] }, [
      this.memberId,
    ])
  }

  async updateMany({ table, key, columns, rows }: UpdatedRows): Promise<void> {
    const set = columns.map((column) => `${column} = ?`).join(', ')
    const text = `update ${table} set ${set} where ${conditionOn(key)}`
    const { statement } = this.#connection.prepare(text)
    for (const row of rows as readonly (readonly SQLInputValue[])[]) {
      const values = [...row.slice(key.length), this.memberId, ...row.slice(0, key.length)]
      statement.get(...values)
    }
  }

  async deleteMany({ table, key, rows }: Pick<UpdatedRows, 'table' | 'key' | 'rows'>) {
    const text = `delete from ${table} where ${conditionOn(key)}`
    const { statement } = this.#connection.prepare(text)
    for (const row of rows as readonly (readonly SQLInputValue[])[])
      statement.get(this.memberId, ...row)
  }
}

function threadReader(light: LightConnection, threads: SearchThreads): Reader {
  return {
    async get<P, Row>(statement: Statement<P, Row>, params: P) {
      return (await this.all(statement, params))[0]
    },
    async all<P, Row>(statement: Statement<P, Row>, params: P) {
      return askThread<Row>(light, threads, statement.text, params as object)
    },
  }
}

/** Compiled here, so that a missing parameter throws here; prepared and run in the thread. */
async function askThread<Row>(
  light: LightConnection,
  threads: SearchThreads,
  text: string,
  params: object,
  memberId?: number,
): Promise<Row[]> {
  try {
    const values = bind(light().prepare(text), params, memberId)
    return (await threads.all(text, values, memberId)) as Row[]
  } catch (error) {
    throw translateFailure(error)
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

function getRow<Row>(
  connection: SqliteConnection,
  text: string,
  params: object,
  memberId?: number,
): Row | undefined {
  try {
    const prepared = connection.prepare(text)
    return prepared.statement.get(...bind(prepared, params, memberId)) as Row | undefined
  } catch (error) {
    throw translateFailure(error)
  }
}

function allRows<Row>(
  connection: SqliteConnection,
  text: string,
  params: object,
  memberId?: number,
): Row[] {
  try {
    const prepared = connection.prepare(text)
    return prepared.statement.all(...bind(prepared, params, memberId)) as Row[]
  } catch (error) {
    throw translateFailure(error)
  }
}

function runWrite(
  connection: SqliteConnection,
  text: string,
  params: object,
  memberId?: number,
): number {
  const prepared = connection.prepareWrite(text)
  return Number(prepared.statement.run(...bind(prepared, params, memberId)).changes)
}

/** Finds one row of a member. */
function conditionOn(key: readonly string[]): string {
  return ['member_id', ...key].map((column) => `${column} = ?`).join(' and ')
}

/** `changed` is the updated row. SQLite does not allow an update in a WITH clause, so its values are parameters. */
function recordRow(
  connection: SqliteConnection,
  record: string,
  params: object,
  changed: object,
  memberId: number,
): void {
  const columns = Object.keys(changed).map((column) => `:changed_${column} as ${column}`)
  const values = Object.entries(changed).map(([column, value]) => [`changed_${column}`, value])
  runWrite(
    connection,
    `with changed as (select ${columns.join(', ')}) ${record}`,
    { ...params, ...Object.fromEntries(values) },
    memberId,
  )
}

/**
 * One row per statement: several would copy each page that they change again, to be able to undo the statement. `get`
 * returns nothing, and so takes less time than `run`.
 */
function insertRows(
  connection: SqliteConnection,
  { table, columns, rows, onConflict }: Rows,
  first: readonly SQLInputValue[],
): void {
  const conflict = onConflict === undefined ? '' : `or ${onConflict} `
  const places = columns.map(() => '?').join(', ')
  const { statement } = connection.prepare(
    `insert ${conflict}into ${table} (${columns.join(', ')}) values (${places})`,
  )
  const values = [...first]
  for (const row of rows as readonly (readonly SQLInputValue[])[]) {
    values.length = first.length
    for (const value of row) values.push(value)
    statement.get(...values)
  }
}
