/** grant_type=authorization_code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */

import {
  findCode,
  redeemCode,
  verifiesChallenge,
  type AuthorizationCode,
} from './authorization-code.ts'
import { revokeGrant } from './grant.ts'
import { OAuthError } from './oauth-error.ts'
import { parameter, requireParameter } from './parameters.ts'
import { checkResource } from './resource-indicator.ts'
import { issueTokens, type TokenPair } from './token-pair.ts'
import { requireKnownClient } from './grant-type.ts'
import type { TokenDeps } from './grant-type.ts'

/** RFC 7636 section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * A mistake in the request does not use the code up: whoever stole the code without its verifier could otherwise keep
 * it from its owner. A code shown a second time ends all that came of it (RFC 6749 section 4.1.2), however late.
 */
export async function exchangeCode(deps: TokenDeps, form: URLSearchParams): Promise<TokenPair> {
  const { database, clock, publicUrl } = deps
  const secret = requireParameter(form, 'code')
  const clientId = requireParameter(form, 'client_id')
  await requireKnownClient(deps, clientId)
  checkResource(publicUrl, form.getAll('resource'))
  const now = clock.now()
  const code = await findCode(database, secret)
  if (!code || code.clientId !== clientId) throw notGood()
  if (code.redeemedAt === null && code.expiresAt <= now) throw notGood()
  refuseOtherRequest(code, form)
  const pair =
    code.redeemedAt === null
      ? await database.member(code.memberId).write(async (tx) => {
          if (!(await redeemCode(tx, secret, now))) return undefined
          return issueTokens(tx, code, now)
        })
      : undefined
  if (pair) return pair
  await database.member(code.memberId).write((tx) => revokeGrant(tx, code.grantId))
  throw notGood()
}

function refuseOtherRequest(code: AuthorizationCode, form: URLSearchParams): void {
  const redirectUri = parameter(form, 'redirect_uri')
  // OAuth 2.1 clients leave it out; PKCE binds the code to them as well.
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) throw notGood()
  const verifier = parameter(form, 'code_verifier') ?? ''
  if (!VERIFIER.test(verifier) || !verifiesChallenge(code.codeChallenge, verifier)) throw notGood()
}

/** One sentence for all: which of them it was is nothing for who tries codes. */
function notGood(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is unknown, expired or used, or was issued to another client, redirect_uri or code_challenge',
  )
}
