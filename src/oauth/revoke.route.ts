/** The revocation endpoint (RFC 7009). */

import Type from 'typebox'
import { defineRoute, type Route } from '../http/route.ts'
import { empty } from '../http/answer.ts'
import { LIMITS } from '../guards/policies.ts'
import { revokeGrant } from './grant.ts'
import { answerInOAuth, NO_STORE, refuseAsOAuth } from './oauth-error.ts'
import { requireParameter } from './parameters.ts'
import { findTokenGrant } from './tokens.ts'
import { OAUTH_ERROR } from './token.route.ts'
import type { Database } from '../db/database.ts'

const MOST_FORM_BYTES = 16 * 1024

/** RFC 7009 section 2.1; the hint is not needed here. */
const REVOCATION = Type.Object({
  token: Type.String(),
  token_type_hint: Type.Optional(Type.String()),
})

/**
 * Whoever has a token may end it: there is no client to authenticate, and a token that strangers hold is better dead.
 * Either token of a pair ends both, and whatever else came of the same consent.
 */
export function revokeRoute({ database }: { readonly database: Database }): Route {
  return defineRoute({
    method: 'POST',
    path: '/oauth/revoke',
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Ends an access or refresh token and the other of its pair. The answer does not tell whether it was live.',
    access: 'public',
    body: { kind: 'form', fields: REVOCATION, maxBytes: MOST_FORM_BYTES },
    limit: LIMITS.token,
    answers: {
      200: { description: 'The token is not live (any more)' },
      400: { description: 'No token was sent', schema: OAUTH_ERROR },
    },
    refuse: refuseAsOAuth,
    handle: ({ body: form }) =>
      answerInOAuth(async () => {
        const token = requireParameter(form, 'token')
        const grant = await findTokenGrant(database, token)
        if (grant)
          await database.member(grant.memberId).write((tx) => revokeGrant(tx, grant.grantId))
        return empty(200, NO_STORE)
      }),
  })
}
