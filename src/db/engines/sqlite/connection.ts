/** One SQLite connection: opened with the settings every connection of Weft has, its statements prepared once. */

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { compileForSqlite, type CompiledStatement, type SqlParameter } from '../../statement.ts'

export interface ConnectionOptions {
  readonly readOnly?: boolean
  /** Mebibytes of pages kept in memory. */
  readonly cacheMebibytes: number
}

/** A prepared statement and the order in which its parameters stand. */
export interface Prepared {
  readonly statement: StatementSync
  readonly parameters: CompiledStatement['parameters']
}

/** Pages of 4 KiB in the log before they are moved into the file: an import writes each page often, the file once. */
const CHECKPOINT_PAGES = 8192

export class SqliteConnection {
  readonly handle: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(path: string, options: ConnectionOptions) {
    this.handle = new DatabaseSync(path, { readOnly: options.readOnly ?? false })
    // FULL: an answered write has survived the fsync of its commit (https://sqlite.org/pragma.html#pragma_synchronous).
    // secure_delete: what is deleted is written over (decisions/0014).
    // busy_timeout 0: a lock held by another process is waited for off the event loop, in the writer.
    this.handle.exec(`
      pragma busy_timeout = 0;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma secure_delete = on;
      pragma cache_size = ${-1024 * options.cacheMebibytes};
      pragma temp_store = memory;
      pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
    `)
  }

  prepare(text: string): Prepared {
    let prepared = this.#prepared.get(text)
    if (!prepared) {
      const compiled = compileForSqlite(text)
      prepared = { statement: this.handle.prepare(compiled.text), parameters: compiled.parameters }
      this.#prepared.set(text, prepared)
    }
    return prepared
  }

  /**
   * For a statement that is run for its effect: the rowid that node:sqlite reports with it may be beyond 2^53 (FTS5
   * leaves such a one behind after a delete), which it would else throw at.
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

/** The values of a statement in the order of its placeholders; `memberId` stands for `:member_id`. */
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
