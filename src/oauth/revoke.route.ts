/** The revocation endpoint (RFC 7009). */

import * as Type from '../base/type.ts'
import { revokeApiTokenSecret } from '../access/api-token.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { empty } from '../http/response.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { revokeGrant } from './grant.ts'
import { answerInOAuth, NO_STORE, OAuthError, oauthErrorResponse } from './oauth-error.ts'
import { parameter, assertNotRepeated, requireParameter } from './parameters.ts'
import { findTokenGrant, type TokenGrant } from './token-pair.ts'
import { OAUTH_ERROR } from './token.route.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import type { Database } from '../db/database.ts'

const MAX_FORM_BYTES = 16 * 1024

/** RFC 7009 section 2.1. The hint is accepted but ignored. */
const REVOCATION = Type.Object({
  token: Type.String(),
  token_type_hint: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String({ description: 'Must be that of the token, if sent' })),
})

/**
 * Anyone who has a token can revoke it: public clients cannot authenticate, and a leaked token should be revoked.
 * Revoking an access or refresh token revokes its grant. Revoking an API token revokes only that token.
 */
export function revokeRoute({ database, clock }: OAuthDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/oauth/revoke',
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Revokes an access or refresh token together with the other token of its pair, or an API token. The response does ' +
      'not reveal whether the token was valid.',
    access: 'public',
    body: { kind: 'form', fields: REVOCATION, maxBytes: MAX_FORM_BYTES },
    limit: LIMITS.token,
    answers: {
      200: { description: 'The token is not valid, or no longer valid' },
      400: {
        description: 'No token was sent, or the token was issued to another client_id',
        schema: OAUTH_ERROR,
      },
    },
    onError: oauthErrorResponse,
    handle: ({ body: form }) =>
      answerInOAuth(async () => {
        assertNotRepeated(form)
        const token = requireParameter(form, 'token')
        const grant = await findTokenGrant(database, token)
        if (grant) await endGrant(database, grant, parameter(form, 'client_id'))
        else await revokeApiTokenSecret(database, token, clock.now())
        return empty(200, NO_STORE)
      }),
  })
}

/** @throws {OAuthError} `invalid_client` when the token was issued to another client (RFC 7009 section 2.1). */
async function endGrant(
  database: Database,
  { memberId, grantId, clientId }: TokenGrant,
  requestClientId: string | undefined,
): Promise<void> {
  if (requestClientId !== undefined && requestClientId !== clientId)
    throw new OAuthError('invalid_client', 'The token was issued to another client_id')
  await database.member(memberId).write((tx) => revokeGrant(tx, grantId))
}
