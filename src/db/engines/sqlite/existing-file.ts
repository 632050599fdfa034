/** Opening a SQLite file creates it, so commands that need the data of a running Weft check for it first. */

import { existsSync } from 'node:fs'
import { RequestError } from '../../../base/request-error.ts'

/** @throws {RequestError} `not_found` when there is no file, as in another folder than the service's. */
export function assertFileExists(path: string): void {
  if (existsSync(path)) return
  throw new RequestError('not_found', `The database file ${path} does not exist.`, {
    hint: 'Run the command in the folder where Weft runs, or set WEFT_DATABASE to the file that it uses.',
  })
}
