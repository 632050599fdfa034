/** What went wrong and what to do about it, in words for the person who ran the command. */

import { RequestError } from '../base/request-error.ts'
import { StoppedBySignal } from './terminal.ts'

/** Sentences. The stack comes with them only where `isDebugging`, for it says nothing to a person. */
export function describeError(error: unknown, isDebugging: boolean): string {
  const sentences = sentencesOf(error)
  const stack = error instanceof Error ? error.stack : undefined
  return isDebugging && stack !== undefined ? `${sentences}\n${stack}` : sentences
}

function sentencesOf(error: unknown): string {
  if (error instanceof StoppedBySignal) return error.message
  if (error instanceof RequestError) {
    const { hint } = error.details
    return hint === undefined ? error.message : `${error.message}\n${hint}`
  }
  return ofSqlite(error) ?? ofPostgres(error) ?? ofSystem(error) ?? unexpected(error)
}

/** By primary result code: https://sqlite.org/rescode.html */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'The database is locked by another program. Stop that program, or try again when it is done.',
  6: 'The database is locked by another program. Stop that program, or try again when it is done.',
  8: 'The database is read-only. Let the user that runs Weft write to the file and the folder that WEFT_DATABASE names.',
  10: 'The database file cannot be read or written (an I/O error). Check the disk that WEFT_DATABASE is on.',
  11: 'The database file is damaged. Restore it from a backup, or recover what can be read with `sqlite3 FILE .recover`.',
  13: 'The disk is full. Free some space on the disk that WEFT_DATABASE is on, then start again.',
  14: 'The database cannot be opened. Let WEFT_DATABASE name a file in a folder that the user that runs Weft may write to.',
  26: 'WEFT_DATABASE names a file that is not an SQLite database. Name another file, or restore it from a backup.',
}

function ofSqlite(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  return SQLITE[Number(error.errcode) & 0xff]
}

/** By SQLSTATE: PostgreSQL, appendix A. */
const POSTGRES: Readonly<Record<string, string>> = {
  '25006':
    'The PostgreSQL database is read-only. Let WEFT_DATABASE name the primary server, not a standby.',
  '42501':
    'The PostgreSQL role may not create tables here. Let it own the database: alter database <database> owner to <role>.',
  '3F000':
    'The PostgreSQL role may not use the schema public. Let it own the database: alter database <database> owner to <role>.',
  '53100': 'The disk of the PostgreSQL server is full. Free some space there, then start again.',
  '53300':
    'The PostgreSQL server has no connection left. Raise its max_connections, or stop other clients.',
}

function ofPostgres(error: unknown): string | undefined {
  const code = codeOf(error)
  const found = POSTGRES[code]
  return found === undefined || !(error instanceof Error)
    ? undefined
    : `${found}\n(${error.message})`
}

function ofSystem(error: unknown): string | undefined {
  const code = codeOf(error)
  const { syscall, path } = error as { syscall?: unknown; path?: unknown }
  if (code === 'EADDRINUSE')
    return 'The port is in use: another Weft may be running. Stop it, or set WEFT_PORT to another port.'
  if (syscall === 'listen' && code === 'EACCES')
    return 'The system does not let this user listen on that port. Set WEFT_PORT to 1024 or above.'
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return 'WEFT_HOST is not an address of this machine. Set it to one, such as 127.0.0.1 or 0.0.0.0.'
  if (code === 'ENOSPC') return 'The disk is full. Free some space, then start again.'
  if (typeof path !== 'string') return undefined
  if (code === 'EACCES' || code === 'EPERM')
    return `This user may not open or create ${path}. Change its permissions, or use another path.`
  if (code === 'EROFS') return `${path} is on a read-only disk. Use another path.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${path} cannot be created: part of the path is a file, not a folder. Use another path.`
  if (code === 'EISDIR') return `${path} is a folder, not a file. Name a file.`
  if (code === 'ENOENT') return `${path} cannot be found or created. Check the path.`
  return undefined
}

function unexpected(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return `Unexpected error: ${message.trim()}\nRun it again with WEFT_LOG_LEVEL=debug for the details that a bug report needs.`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
