/** grant_type=authorization_code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */

import {
  findCode,
  redeemCode,
  verifiesChallenge,
  type AuthorizationCode,
} from './authorization-code.ts'
import { revokeGrant } from './grant.ts'
import { OAuthError } from './oauth-error.ts'
import { parameter, requireParameter, checkResource } from './parameters.ts'
import { issueTokens, type TokenPair } from './token-pair.ts'
import { requireKnownClient } from './grant-type.ts'
import type { ClientDeps } from './oauth-deps.ts'

/** RFC 7636 section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * An invalid request does not use the code, because otherwise a thief without the verifier could block its owner.
 * Presenting a used code again revokes the grant (RFC 6749 section 4.1.2), no matter how late.
 *
 * @throws {OAuthError} `invalid_client` when the client is unknown.
 * @throws {OAuthError} `invalid_grant` when the code, the redirect URI or the verifier does not match.
 * @throws {OAuthError} `invalid_request` when a parameter is missing or repeated.
 * @throws {OAuthError} `invalid_target` when the resource belongs to another server.
 */
export async function exchangeCode(deps: ClientDeps, form: URLSearchParams): Promise<TokenPair> {
  const { database, clock, publicUrl } = deps
  const secret = requireParameter(form, 'code')
  const clientId = requireParameter(form, 'client_id')
  await requireKnownClient(deps, clientId)
  checkResource(publicUrl, form.getAll('resource'))
  const now = clock.now()
  const code = await findCode(database, secret)
  if (!code || code.clientId !== clientId) throw invalidGrant()
  if (code.redeemedAt === null && code.expiresAt <= now) throw invalidGrant()
  checkBinding(code, form)
  const pair =
    code.redeemedAt === null
      ? await database.member(code.memberId).write(async (tx) => {
          if (!(await redeemCode(tx, secret, now))) return undefined
          return issueTokens(tx, code, now)
        })
      : undefined
  if (pair) return pair
  await database.member(code.memberId).write((tx) => revokeGrant(tx, code.grantId))
  throw invalidGrant()
}

function checkBinding(code: AuthorizationCode, form: URLSearchParams): void {
  const redirectUri = parameter(form, 'redirect_uri')
  // OAuth 2.1 clients leave it out. PKCE binds the code to the client too.
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) throw invalidGrant()
  const verifier = parameter(form, 'code_verifier') ?? ''
  if (!VERIFIER.test(verifier) || !verifiesChallenge(code.codeChallenge, verifier))
    throw invalidGrant()
}

/** One message for all causes, so that it tells an attacker nothing. */
function invalidGrant(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is unknown, expired or used, or was issued to another client, redirect_uri or code_challenge',
  )
}
