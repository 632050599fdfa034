/** The rules for usernames: their format, and the words that are reserved for the service. */

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
      `must have ${MIN_USERNAME_LENGTH} to ${MAX_USERNAME_LENGTH} lowercase letters, digits and single hyphens`,
    )
  if (!allowReserved && reserved().has(key))
    throw usernameError(`“${key}” is reserved for the service`)
  return key
}

function usernameError(detail: string): RequestError {
  return new RequestError('invalid_request', `The username ${detail}.`, {
    errors: [{ pointer: '/username', detail }],
  })
}
