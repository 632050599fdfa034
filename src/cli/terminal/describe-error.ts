/** Error messages for the person who runs a command: what happened and what to do. */

import { codeOf, messageOf } from '../../base/thrown.ts'
import { RequestError } from '../../base/request-error.ts'
import { StoppedBySignal } from './terminal.ts'

/** Appends the stack trace only if `isDebugging`. */
export function describeError(error: unknown, isDebugging: boolean): string {
  const message = textOf(error)
  const stack = error instanceof Error ? error.stack : undefined
  return isDebugging && stack !== undefined ? `${message}\n${stack}` : message
}

function textOf(error: unknown): string {
  if (error instanceof StoppedBySignal) return error.message
  if (error instanceof RequestError) return ofRequest(error)
  return ofSqlite(error) ?? ofPostgres(error) ?? ofSystem(error) ?? unexpected(error)
}

function ofRequest(error: RequestError): string {
  const { hint } = error.details
  const message = hint === undefined ? error.message : `${error.message}\n${hint}`
  const { cause } = error
  if (error.code !== 'unavailable' || !(cause instanceof Error)) return message
  // Hidden from callers of the service, but this person can free a disk or start a server.
  return ofSqlite(cause) ?? ofPostgres(cause) ?? `${message}\n(${cause.message})`
}

/** By primary result code: https://sqlite.org/rescode.html */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'The database is locked by another program. Stop that program, or try again when it has finished.',
  6: 'The database is locked by another program. Stop that program, or try again when it has finished.',
  8: 'The database is read-only. Give the user that runs Weft write access to the file and folder in WEFT_DATABASE.',
  10: 'The database file cannot be read or written (an I/O error). Check the disk of WEFT_DATABASE.',
  11: 'The database file is damaged. Restore it from a backup, or recover readable data with `sqlite3 FILE .recover`.',
  13: 'The disk is full. Free some space on the disk of WEFT_DATABASE, then start again.',
  14: 'The database cannot be opened. Set WEFT_DATABASE to a file in a folder that the user that runs Weft can write to.',
  26: 'The file in WEFT_DATABASE is not an SQLite database. Use another file, or restore this one from a backup.',
}

function ofSqlite(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  return SQLITE[Number(error.errcode) & 0xff]
}

/** By SQLSTATE: PostgreSQL, appendix A. */
const POSTGRES: Readonly<Record<string, string>> = {
  '25006':
    'The PostgreSQL database is read-only. Set WEFT_DATABASE to the primary server, not a standby.',
  '42501':
    'The PostgreSQL role lacks a privilege. Run `weft migrate` with WEFT_OWNER_DATABASE, or make the role the owner of the database: alter database <database> owner to <role>.',
  '3F000':
    'The PostgreSQL role cannot use the schema public. Make it the owner of the database: alter database <database> owner to <role>.',
  '53100': 'The disk of the PostgreSQL server is full. Free some space there, then start again.',
  '53300':
    'The PostgreSQL server has no free connection. Raise max_connections, or stop other clients.',
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
  const { syscall, path, port } = error as { syscall?: unknown; path?: unknown; port?: unknown }
  if (code === 'EADDRINUSE')
    return `Port ${String(port)} is in use; another Weft may be running. Stop it, or choose another port with WEFT_PORT or WEFT_METRICS_PORT.`
  if (syscall === 'listen' && code === 'EACCES')
    return 'This user cannot listen on that port. Set WEFT_PORT to 1024 or above.'
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return 'WEFT_HOST is not an address of this machine. Set it to one, such as 127.0.0.1 or 0.0.0.0.'
  if (code === 'ENOSPC') return 'The disk is full. Free some space, then start again.'
  if (typeof path !== 'string') return undefined
  if (code === 'EACCES' || code === 'EPERM')
    return `This user cannot open or create ${path}. Change its permissions, or use another path.`
  if (code === 'EROFS') return `${path} is on a read-only disk. Use another path.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${path} cannot be created: part of the path is a file, not a folder. Use another path.`
  if (code === 'EISDIR') return `${path} is a folder. Use the path of a file.`
  if (code === 'ENOENT') return `${path} cannot be found or created. Check the path.`
  return undefined
}

function unexpected(error: unknown): string {
  return `Unexpected error: ${messageOf(error).trim()}\nFor a bug report, run the command again with WEFT_LOG_LEVEL=debug to get the stack trace.`
}
