/** Who is calling: from the `Authorization` header to a member, or the 401 that says how to get in. */

import { RequestError } from '../base/request-error.ts'
import { ACCESS_TOKEN_PREFIX, findAccessTokenHolder } from './access-token.ts'
import { findTokenHolder } from './api-token.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'

/** The one scope there is; it covers the whole tool surface. */
export const SCOPE = 'network'

/** RFC 6750 section 2.1: the scheme in any case, then b64token characters. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

export interface BearerDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

/**
 * Finds the caller, or refuses with 401 and a challenge (RFC 6750 section 3, RFC 9728 section 5.1). `error` is in the
 * challenge only where a token was sent: a client that sent none has made no mistake.
 */
export function bearerCheck(
  deps: BearerDeps,
): (authorization: string | undefined) => Promise<Caller> {
  const metadata = `${deps.publicUrl}/.well-known/oauth-protected-resource/mcp`
  const challenge = `Bearer resource_metadata="${metadata}", scope="${SCOPE}"`
  const refuse = (detail: string, error = '') =>
    new RequestError('unauthorized', detail, {
      hint: 'Send Authorization: Bearer <token>, with an access token by OAuth or an API token that the member made.',
      headers: { 'www-authenticate': challenge + error },
    })
  return async (authorization) => {
    if (authorization === undefined) throw refuse('This path needs a bearer token.')
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined)
      throw refuse(
        'The Authorization header is not of the form “Bearer <token>”.',
        ', error="invalid_token"',
      )
    const find = token.startsWith(ACCESS_TOKEN_PREFIX) ? findAccessTokenHolder : findTokenHolder
    const caller = await find(deps.database, token, deps.clock.now())
    if (!caller)
      throw refuse(
        'The token is unknown, expired or revoked.',
        ', error="invalid_token", error_description="The token is unknown, expired or revoked"',
      )
    return caller
  }
}
