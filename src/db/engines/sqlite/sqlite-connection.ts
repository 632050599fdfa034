/** A SQLite connection with shared settings. Each statement is prepared once. */

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { compileForSqlite, type CompiledStatement, type SqlParameter } from '../../statement.ts'

interface ConnectionOptions {
  readonly readOnly?: boolean
  /** Page cache in MiB. */
  readonly cacheMebibytes: number
}

/** A prepared statement, the names of its columns, and the order of its parameters. */
export interface Prepared {
  /** Its rows are arrays; see `statements.ts`. */
  readonly statement: StatementSync
  readonly columns: readonly string[]
  readonly parameters: CompiledStatement['parameters']
}

export class SqliteConnection {
  readonly handle: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(path: string, options: ConnectionOptions) {
    this.handle = new DatabaseSync(path, { readOnly: options.readOnly ?? false })
    // NORMAL: SQLite syncs the log only before it copies it into the file. The writer syncs it after each commit (log-sync.ts).
    // secure_delete: deleted data is overwritten (decisions/0014).
    // busy_timeout 0: the writer waits for locks of other processes without blocking the event loop.
    this.handle.exec(`
      pragma busy_timeout = 0;
      pragma synchronous = normal;
      pragma foreign_keys = on;
      pragma secure_delete = on;
      pragma cache_size = ${-1024 * options.cacheMebibytes};
      pragma temp_store = memory;
    `)
  }

  prepare(text: string): Prepared {
    let prepared = this.#prepared.get(text)
    if (!prepared) {
      const compiled = compileForSqlite(text)
      const statement = this.handle.prepare(compiled.text)
      statement.setReturnArrays(true)
      const columns = statement.columns().map(({ name }) => name)
      prepared = { statement, columns, parameters: compiled.parameters }
      this.#prepared.set(text, prepared)
    }
    return prepared
  }

  /**
   * Runs a statement without reading its rowid: FTS5 can leave a rowid beyond 2^53 behind after a delete, and node:sqlite
   * would throw on it.
   */
  prepareWrite(text: string): Prepared {
    const prepared = this.prepare(text)
    prepared.statement.setReadBigInts(true)
    return prepared
  }

  close(): void {
    this.#prepared.clear()
    this.handle.close()
  }
}

/** The parameter values in placeholder order. `memberId` is the value of `:member_id`. */
export function bind(prepared: Prepared, params: object, memberId?: number): SQLInputValue[] {
  const values: SQLInputValue[] = []
  for (const { name, list } of prepared.parameters) {
    const value =
      name === 'member_id' && memberId !== undefined
        ? memberId
        : (params as Record<string, SqlParameter | undefined>)[name]
    if (value === undefined) throw new TypeError(`the parameter :${name} is missing`)
    values.push(list ? JSON.stringify(value) : (value as SQLInputValue))
  }
  return values
}
