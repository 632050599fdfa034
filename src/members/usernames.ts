/** The rules for usernames: their format, and the words that are reserved for the service. */

import { RequestError } from '../base/request-error.ts'

export const MIN_USERNAME_LENGTH = 2
export const MAX_USERNAME_LENGTH = 39

/** Letters, digits and single hyphens between them. Also used in JSON schemas. */
const SHAPE = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Names of paths and roles, and values that programs misinterpret. */
// prose-ok: a word list
const RESERVED: ReadonlySet<string> = new Set(
  `about abuse account accounts activity admin administrator agent agents anonymous any api app ask
  assets auth authorize batch billing blog bot callback client clients connections contact credits
  dashboard default demo directory doc docs download email error everyone export false favicon
  feedback file files follow-ups guest healthz help home human humans identity image images import
  index info invite issues jobs join js legal llms llms-full localhost login logout mail mcp me
  media member members metrics moderator myself network networks new news nil nobody none null
  oauth official openapi operator owner people ping post postmaster press privacy profile profiles
  public readyz register revoke robots root sandbox schema search security self server service
  settings sign-in sign-out sign-up signin signout signup sitemap someone staff static status
  support system team terms test tests token tokens tools true undefined unknown uploads user
  username users v1 v2 v3 void webmaster weft well-known www you`.split(/\s+/),
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
  if (!allowReserved && RESERVED.has(key))
    throw usernameError(`“${key}” is reserved for the service`)
  return key
}

function usernameError(detail: string): RequestError {
  return new RequestError('invalid_request', `The username ${detail}.`, {
    errors: [{ pointer: '/username', detail }],
  })
}
