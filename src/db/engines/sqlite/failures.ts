/** Classifies SQLite errors: temporarily unavailable, or a bug. */

import { databaseUnavailable } from '../../unavailable.ts'

/**
 * Transient primary result codes (https://sqlite.org/rescode.html): the file is locked, the disk is full or fails, the file
 * cannot be written or opened. Not SQLITE_CORRUPT (11) and SQLITE_NOTADB (26), which no retry fixes.
 */
const TRANSIENT = new Set([
  5, // SQLITE_BUSY
  6, // SQLITE_LOCKED
  7, // SQLITE_NOMEM
  8, // SQLITE_READONLY
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  14, // SQLITE_CANTOPEN
  15, // SQLITE_PROTOCOL: too many processes raced to lock the log
])

const SQLITE_BUSY = 5

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY
}

/** Converts a transient failure to a `RequestError` with code `unavailable`; returns any other error unchanged. */
export function translateFailure(error: unknown): unknown {
  const code = primaryCode(error)
  return code !== undefined && TRANSIENT.has(code) ? databaseUnavailable(error) : error
}

/** The extended code of an error of `node:sqlite`, such as 1032 (SQLITE_READONLY_DBMOVED). */
export function errorCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
}

/** The lower eight bits of an extended code. */
function primaryCode(error: unknown): number | undefined {
  const code = errorCode(error)
  return code === undefined ? undefined : code & 0xff
}
