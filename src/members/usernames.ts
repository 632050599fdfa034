/** The rules for usernames: their format, and the words that are reserved for the service. */

import { t } from '../languages/message.ts'
import { readDataLines } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { RequestError } from '../base/request-error.ts'

export const MIN_USERNAME_LENGTH = 2
export const MAX_USERNAME_LENGTH = 39

/** Letters, digits and single hyphens between them. Also used in JSON schemas. */
const SHAPE = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Names of paths and roles, and values that programs misinterpret. */
const reserved = lazy(
  () =>
    new Set(
      readDataLines(new URL('data/reserved-usernames.txt', import.meta.url)).flatMap((line) =>
        line.split(' '),
      ),
    ),
)

/** The stored and searched form. Invalid usernames stay invalid, so they match no member. */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

/** Validates and normalizes a username. Only the service itself can use reserved ones. */
export function checkUsername(username: string, allowReserved: boolean): string {
  const key = usernameKey(username.trim())
  if (key.length < MIN_USERNAME_LENGTH || key.length > MAX_USERNAME_LENGTH || !SHAPE.test(key))
    throw usernameError(
      t(
        'must have {minUsernameLength} to {maxUsernameLength} lowercase letters, digits and single hyphens',
        { minUsernameLength: MIN_USERNAME_LENGTH, maxUsernameLength: MAX_USERNAME_LENGTH },
      ),
    )
  if (!allowReserved && reserved().has(key))
    throw usernameError(t('“{key}” is reserved for the service', { key }))
  return key
}

function usernameError(detail: string): RequestError {
  return new RequestError('invalid_request', t('The username {detail}.', { detail }), {
    errors: [{ pointer: '/username', detail }],
  })
}
