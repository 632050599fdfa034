/** Writes a file so that its final name never refers to an incomplete file. */

import { codeOf } from '../base/thrown.ts'
import { chmod, link, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { RequestError } from '../base/request-error.ts'

/** Only the owner can read it: it contains everything. */
const OWNER_ONLY_FILE = 0o600

/** Added to the name while a file is incomplete. A leftover with this ending may be deleted. */
export const INCOMPLETE_SUFFIX = '.incomplete'

/**
 * Runs `write` with the path of a temporary file in the same folder, then syncs that file and gives it its name. If
 * `write` fails, the temporary file is removed.
 *
 * @throws {RequestError} `conflict` when a file with that name exists.
 * @throws {RequestError} `not_found` when the folder does not exist.
 */
export async function writeWhole<T>(
  path: string,
  write: (incompletePath: string) => Promise<T>,
): Promise<T> {
  const incomplete = `${path}.${process.pid}${INCOMPLETE_SUFFIX}`
  try {
    await createEmpty(incomplete)
    const result = await write(incomplete)
    await chmod(incomplete, OWNER_ONLY_FILE)
    await sync(incomplete)
    await nameIt(incomplete, path)
    await sync(dirname(path))
    return result
  } catch (error) {
    await rm(incomplete, { force: true })
    throw error
  }
}

/** The error names the folder, because the user did not choose the temporary name. */
async function createEmpty(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', OWNER_ONLY_FILE)).close()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new RequestError('not_found', `The folder ${resolve(dirname(path))} does not exist.`, {
      hint: 'Create it, or choose another path.',
    })
  }
}

/** Unlike a rename, a hard link never replaces another file. On file systems without links, the file is renamed. */
async function nameIt(incomplete: string, path: string): Promise<void> {
  try {
    await link(incomplete, path)
    await rm(incomplete)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST')
      throw new RequestError('conflict', `${path} already exists.`, {
        hint: 'Choose another path, or remove the file.',
      })
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error
    await rename(incomplete, path)
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
