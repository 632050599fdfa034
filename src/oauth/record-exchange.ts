/** Records the outcome of a token request, for the member whose code or refresh token it carries. */

import { findCode, type AuthorizationCode } from './authorization-code.ts'
import { OAuthError } from './oauth-error.ts'
import { parameter } from './parameters.ts'
import { findRefreshToken, type TokenPair } from './token-pair.ts'
import type { ClientOrigin } from './attempt-trace.ts'
import type { AttemptCause } from './connection-attempt.ts'
import type { TokenDeps } from './grant-type.ts'

/** Runs the exchange. Only the holder of a code or refresh token can add to the record of its member. */
export async function recordExchange(
  deps: TokenDeps,
  form: URLSearchParams,
  origin: ClientOrigin,
  exchange: () => Promise<TokenPair>,
): Promise<TokenPair> {
  const { database, attempts, clock } = deps
  const clientId = form.get('client_id') ?? ''
  const refreshToken = form.get('refresh_token')
  if (refreshToken !== null) {
    const owner = await findRefreshToken(database, refreshToken)
    const pair = await exchange()
    if (owner) await attempts.refreshed(owner)
    return pair
  }
  // Read before the exchange, which may consume or revoke it.
  const code = await findCode(database, form.get('code') ?? '')
  const owner = { memberId: code?.memberId, clientId: code?.clientId ?? clientId }
  try {
    const pair = await exchange()
    await attempts.exchanged(origin, owner, { accessToken: pair.accessToken })
    return pair
  } catch (error) {
    const cause = error instanceof OAuthError ? causeOf(error, form, code, clock.now()) : undefined
    if (cause) await attempts.exchanged(origin, owner, { cause })
    throw error
  }
}

function causeOf(
  { code: error }: OAuthError,
  form: URLSearchParams,
  code: AuthorizationCode | undefined,
  now: number,
): AttemptCause {
  if (error === 'invalid_client') return 'client_unknown'
  if (!code) return 'code_rejected'
  if (code.redeemedAt !== null) return 'code_reused'
  if (code.expiresAt <= now) return 'code_expired'
  const redirectUri = parameter(form, 'redirect_uri')
  return redirectUri !== undefined && redirectUri !== code.redirectUri
    ? 'redirect_mismatch'
    : 'code_rejected'
}
