/** The token endpoint (RFC 6749 section 3.2): exchanges authorization codes and refresh tokens for token pairs. */

import { json, type Answer } from '../http/response.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as Type from '../base/type.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { SCOPE } from '../access/scope.ts'
import { exchangeCode } from './authorization-code-grant.ts'
import { answerInOAuth, OAuthError, NO_STORE, oauthErrorResponse } from './oauth-error.ts'
import { assertNotRepeated, requireParameter, parameter } from './parameters.ts'
import { refresh } from './refresh-token-grant.ts'
import { ACCESS_TOKEN_LIFETIME_MS, type TokenPair, findRefreshToken } from './token-pair.ts'
import { findCode, type AuthorizationCode } from './authorization-code.ts'
import type { GrantType } from './grant-type.ts'
import type { ClientDeps } from './oauth-deps.ts'
import type { ClientOrigin } from './attempts/attempt-trace.ts'
import type { AttemptCause } from './attempts/connection-attempt.ts'

const GRANT_TYPES: Readonly<Record<string, GrantType>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
}

const MAX_FORM_BYTES = 16 * 1024

/** RFC 6749 sections 4.1.3 and 6, RFC 7636 section 4.5, RFC 8707. */
const TOKEN_REQUEST = Type.Object({
  grant_type: Type.Enum(Object.keys(GRANT_TYPES)),
  client_id: Type.String(),
  code: Type.Optional(Type.String({ description: 'For authorization_code' })),
  code_verifier: Type.Optional(Type.String({ description: 'For authorization_code' })),
  redirect_uri: Type.Optional(Type.String({ description: 'For authorization_code' })),
  refresh_token: Type.Optional(Type.String({ description: 'For refresh_token' })),
  scope: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String({ format: 'uri' })),
})

/** RFC 6749 section 5.1. */
const TOKEN_RESPONSE = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  refresh_token: Type.String(),
  scope: Type.String(),
})

/** RFC 6749 section 5.2. */
export const OAUTH_ERROR = Type.Object({
  error: Type.String(),
  error_description: Type.String(),
})

export function tokenRoute(deps: ClientDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/oauth/token',
    operationId: 'issueTokens',
    summary: 'Exchange an authorization code or a refresh token',
    description:
      'grant_type=authorization_code with code, code_verifier, client_id and redirect_uri; or grant_type=refresh_token ' +
      'with refresh_token and client_id. A refresh token is single-use: the response contains the next one.',
    access: 'public',
    body: { kind: 'form', fields: TOKEN_REQUEST, maxBytes: MAX_FORM_BYTES },
    limit: LIMITS.token,
    answers: {
      200: { description: 'A pair of tokens', schema: TOKEN_RESPONSE },
      400: { description: 'The request or the grant is not valid', schema: OAUTH_ERROR },
      401: { description: 'Unknown client', schema: OAUTH_ERROR },
    },
    onError: oauthErrorResponse,
    handle: ({ body: form, address, header }) =>
      answerInOAuth(async () => {
        assertNotRepeated(form)
        const grantType = grantTypeOf(form)
        const origin = { address, userAgent: header('user-agent') }
        const pair = await recordExchange(deps, form, origin, () => grantType(deps, form))
        return tokenAnswer(pair, deps.clock.now())
      }),
  })
}

function grantTypeOf(form: URLSearchParams): GrantType {
  const name = requireParameter(form, 'grant_type')
  const grantType = Object.hasOwn(GRANT_TYPES, name) ? GRANT_TYPES[name] : undefined
  if (grantType) return grantType
  const known = Object.keys(GRANT_TYPES).join(' or ')
  throw new OAuthError('unsupported_grant_type', `grant_type must be ${known}`)
}

function tokenAnswer({ accessToken, refreshToken, issuedAt }: TokenPair, now: number): Answer {
  const response = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.floor((issuedAt + ACCESS_TOKEN_LIFETIME_MS - now) / 1000)),
    refresh_token: refreshToken,
    scope: SCOPE,
  }
  return json(response, 200, NO_STORE)
}

/** Runs the exchange and records its outcome. Only the holder of a code or refresh token can add to the record of its member. */
async function recordExchange(
  deps: ClientDeps,
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
