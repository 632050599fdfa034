/** The registration endpoint (RFC 7591). It is open to every app and grants no access by itself. */

import * as Type from '../base/type.ts'
import { SCOPE } from '../access/scope.ts'
import { SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { respondOnceAnonymous, type AnswerStorage } from '../guards/idempotent-response.ts'
import { keyOfRequest } from '../guards/idempotency-key.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { json, type Answer } from '../http/response.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { findRegistration, registerClient } from './client.ts'
import { ClientMetadata, describeClient, type Client } from './client-metadata.ts'
import {
  answerInOAuth,
  NO_STORE,
  oauthAnswer,
  OAuthError,
  oauthErrorResponse,
} from './oauth-error.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import type { Limits } from '../http/rate-limit-policy.ts'
import type { Database } from '../db/database.ts'

const MAX_BYTES = 64 * 1024

const Registration = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970' }),
  client_name: Type.String(),
  client_uri: Type.Optional(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Literal('none'),
  scope: Type.Literal(SCOPE),
})

type RegisterDeps = Pick<OAuthDeps, 'database' | 'clock' | 'inFlight' | 'limits' | 'attempts'>

export function registerRoute(deps: RegisterDeps): Route {
  const { database, clock, inFlight, limits, attempts } = deps
  const storage = storedAsClientId(database)
  return defineRoute({
    method: 'POST',
    path: '/oauth/register',
    operationId: 'registerClient',
    summary: 'Register an OAuth client (RFC 7591)',
    description:
      'Every client is public: token_endpoint_auth_method is always none, and there is no client_secret. Fields that ' +
      'are not listed are ignored. A client that no member has allowed is removed a day after it registered.',
    access: 'public',
    body: { kind: 'json', schema: ClientMetadata, maxBytes: MAX_BYTES },
    limit: LIMITS.register,
    idempotent: true,
    answers: {
      201: { description: 'The registered client', schema: Registration },
      400: { description: 'invalid_redirect_uri or invalid_client_metadata' },
    },
    onError: registrationErrorResponse,
    async handle({ body, address, header }) {
      const answer = await answerInOAuth(async () => {
        const now = clock.now()
        const key = keyOfRequest(header, { scope: address, surface: 'oauth/register', body })
        const described = describeClient(body)
        await takeQuotas(limits, address)
        return respondOnceAnonymous(database, { key, inFlight, now }, storage, async (tx) => {
          const client = await registerClient(tx, described, now)
          return registrationAnswer(client, now)
        })
      })
      attempts.registered({ address, userAgent: header('user-agent') }, clientIdOf(answer))
      return answer
    },
  })
}

/** Undefined if the registration was rejected. */
function clientIdOf({ status, body }: Answer): string | undefined {
  return status === 201
    ? (JSON.parse(String(body)) as Type.Static<typeof Registration>).client_id
    : undefined
}

/** Takes from the hourly and daily quotas. The `limit` of the route is per minute. */
async function takeQuotas(limits: Limits, address: string): Promise<void> {
  for (const policy of [LIMITS.register_hour, LIMITS.register_day]) {
    const { allowed, retryAfter, headers } = await limits.take(policy, address)
    if (!allowed)
      throw new RequestError(
        'rate_limited',
        `Too many registrations. Try again in ${retryAfter} seconds.`,
        {
          retryAfter,
          headers,
        },
      )
  }
}

/** Rebuilds the response from the stored client. Storing the response would double the space. */
function storedAsClientId(database: Database): AnswerStorage {
  return {
    // Written by `registrationAnswer`.
    store: ({ body }) => (JSON.parse(String(body)) as { readonly client_id: string }).client_id,
    async restore(stored) {
      const found = await findRegistration(database, stored)
      if (!found) throw new Error('the client was removed before its idempotency record')
      return registrationAnswer(found.client, found.createdAt)
    },
  }
}

function registrationAnswer(client: Client, createdAt: number): Answer {
  return json(registrationOf(client, createdAt), 201, NO_STORE)
}

/** RFC 7591 section 3.2.1: the metadata as registered, even if the client requested something else. Omits empty fields. */
function registrationOf(
  { clientId, name, uri, redirectUris }: Client,
  now: number,
): Type.Static<typeof Registration> {
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(now / SECOND),
    client_name: name,
    ...(uri !== null && { client_uri: uri }),
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPE,
  }
}

/** Maps schema errors to the codes of RFC 7591 section 3.2.2. */
function registrationErrorResponse(error: RequestError): Answer {
  const [problem] = error.details.errors ?? []
  if (!problem) return oauthErrorResponse(error)
  const code = problem.pointer.startsWith('/redirect_uris')
    ? 'invalid_redirect_uri'
    : 'invalid_client_metadata'
  return oauthAnswer(new OAuthError(code, error.message))
}
