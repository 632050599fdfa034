/** The secret that encrypts what the database must not contain in clear, such as the addresses of calendars. */

import { codeOf } from '../base/thrown.ts'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { RequestError } from '../base/request-error.ts'
import { t } from '../languages/message.ts'
import type { Config } from './config.ts'

/**
 * `WEFT_SECRET_KEY`, or else on SQLite the content of a file beside the database, which the first use creates.
 *
 * @throws {RequestError} `unavailable` when PostgreSQL is used and the setting is missing.
 */
export function readSealSecret({
  secretKey,
  database,
}: Pick<Config, 'secretKey' | 'database'>): string {
  if (secretKey !== null) return secretKey
  if (database.engine === 'sqlite') return secretIn(`${database.path}.key`)
  throw new RequestError(
    'unavailable',
    t('This server has no key to encrypt addresses and secrets.'),
    {
      hint: t('Ask your administrator to set WEFT_SECRET_KEY.'),
    },
  )
}

/** The same, without creating a file. Undefined if there is no secret yet. */
export function findSealSecret({
  secretKey,
  database,
}: Pick<Config, 'secretKey' | 'database'>): string | undefined {
  if (secretKey !== null || database.engine !== 'sqlite') return secretKey ?? undefined
  const path = `${database.path}.key`
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** Processes that start together agree: only one creates the file. */
function secretIn(path: string): string {
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}
