/** Authenticates the `Authorization` header, or rejects the request with a 401 challenge. */

import { RequestError } from '../base/request-error.ts'
import { ACCESS_TOKEN_PREFIX, findAccessTokenHolder } from './access-token.ts'
import { findTokenHolder } from './api-token.ts'
import { SCOPE } from './scope.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'

/** RFC 6750 section 2.1: a case-insensitive scheme, then b64token characters. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

interface BearerDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
}

/**
 * Returns the caller. The challenge has an `error` only if a token was sent: a request without one is not an error.
 *
 * @throws {RequestError} `unauthorized` with a challenge (RFC 6750 section 3, RFC 9728 section 5.1) when no valid token
 *   was sent.
 */
export function bearerCheck({
  database,
  clock,
  publicUrl,
}: BearerDeps): (authorization: string | undefined) => Promise<Caller> {
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource/mcp`
  const challenge = `Bearer resource_metadata="${metadata}", scope="${SCOPE}"`
  const unauthorized = (detail: string, error = '') =>
    new RequestError('unauthorized', detail, {
      hint: `Send Authorization: Bearer <token>, with an OAuth access token or an API token. How to get one: ${publicUrl}/auth.md`,
      headers: { 'www-authenticate': challenge + error },
    })
  return async (authorization) => {
    if (authorization === undefined) throw unauthorized('A bearer token is required.')
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined)
      throw unauthorized(
        'The Authorization header does not have the form “Bearer <token>”.',
        ', error="invalid_token"',
      )
    const now = clock.now()
    // The concurrent calls of an agent look up its token once.
    const caller = await database.shareRead(`holder of ${token}`, () => {
      const find = token.startsWith(ACCESS_TOKEN_PREFIX) ? findAccessTokenHolder : findTokenHolder
      return find(database, token, now)
    })
    if (!caller || hasEnded(caller, now))
      throw unauthorized(
        'The token is unknown, expired or revoked.',
        ', error="invalid_token", error_description="The token is unknown, expired or revoked"',
      )
    return caller
  }
}

/** Whether access ended since a call of the same turn looked up the token. */
function hasEnded({ credential, limits }: Caller, now: number): boolean {
  const { expiresAt } = credential
  const { endsAt } = limits
  return (expiresAt !== null && expiresAt <= now) || (endsAt !== null && endsAt <= now)
}
