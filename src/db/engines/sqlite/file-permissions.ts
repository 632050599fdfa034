/** Restricts the database files to the user that runs Weft, except on Windows. */

import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname } from 'node:path'

/** A file or folder that other users could open. */
export interface LoosePath {
  readonly path: string
  /** Before, such as `644`. */
  readonly mode: string
  /** False if another user owns it. */
  readonly isTightened: boolean
}

const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY_FILE = 0o600
const OTHERS = 0o077

/** Get the permissions of the database file. */
const COMPANIONS = ['', '-wal', '-shm', '-journal']

/** Creates missing files and folders, which SQLite would make readable by all. */
export function createDatabaseFile(path: string): void {
  if (path === ':memory:') return
  createDatabaseFolder(path)
  closeSync(openSync(path, 'a', OWNER_ONLY_FILE))
}

/** Creates the folder of a database file. */
export function createDatabaseFolder(path: string): void {
  createPrivateFolder(dirname(path))
}

/** Creates a private folder and those above it. One at a time, because a recursive mkdir of Node.js hangs in `/proc`. */
export function createPrivateFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (!found) createPrivateFolder(dirname(path))
  try {
    mkdirSync(path, { mode: OWNER_ONLY_FOLDER })
  } catch (error) {
    // Another process may have created it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Removes permissions of other users. Returns the files they could open. */
export function tightenDatabaseFile(path: string): LoosePath[] {
  if (path === ':memory:' || platform() === 'win32') return []
  const folder = dirname(path)
  const own = COMPANIONS.map((suffix) => `${path}${suffix}`)
  return [...(holdsOnly(folder, own) ? [folder] : []), ...own].flatMap(tighten)
}

/** False for a folder with other files, such as `/tmp`. */
function holdsOnly(folder: string, paths: readonly string[]): boolean {
  const names = new Set(paths.map((path) => basename(path)))
  try {
    return readdirSync(folder).every((name) => names.has(name))
  } catch {
    return false
  }
}

/** Leaves a device such as `/dev/null` unchanged. */
function tighten(path: string): LoosePath[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() && !found?.isDirectory()) return []
  const { mode } = found
  if ((mode & OTHERS) === 0) return []
  const loose = { path, mode: (mode & 0o777).toString(8) }
  try {
    chmodSync(path, mode & 0o700)
    return [{ ...loose, isTightened: true }]
  } catch (error) {
    // EPERM: another owner. EROFS: read-only file system.
    if (error instanceof Error && 'code' in error) return [{ ...loose, isTightened: false }]
    throw error
  }
}
