/** `POST /agent/identity`: tells an agent what it can do without a credential, or whose credential it holds. */

import * as Type from '../base/type.ts'
import { SCOPE } from '../access/scope.ts'
import { rfc3339 } from '../base/clock.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { json } from '../http/response.ts'
import { defineRoute, pathTemplate, type Route } from '../http/route.ts'
import { PublishedLimits, publishedLimits } from '../access/agent-limits.ts'
import type { Caller } from '../http/caller.ts'

interface IdentityDeps {
  /** All routes of the service, once they are known. */
  readonly routes: () => readonly Route[]
  authenticate(authorization: string | undefined): Promise<Caller>
}

const TYPES = ['anonymous', 'service_auth'] as const
const NO_STORE = { 'cache-control': 'no-store' }

const REQUEST = Type.Object({ type: Type.Enum([...TYPES]) })

const ANSWER = Type.Object({
  type: Type.Enum([...TYPES]),
  surfaces: Type.Optional(
    Type.Array(
      Type.Object({ method: Type.String(), path: Type.String(), description: Type.String() }),
    ),
  ),
  member: Type.Optional(Type.Object({ username: Type.String(), name: Type.String() })),
  credential: Type.Optional(
    Type.Object({
      kind: Type.Enum(['oauth_access_token', 'api_token']),
      holder: Type.Enum(['ai_client', 'cloud_agent']),
      name: Type.String(),
      agent: Type.Optional(Type.String()),
      client_id: Type.Optional(Type.String()),
      scope: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    }),
  ),
  limits: Type.Optional(PublishedLimits),
})

/** The only two types: Weft issues no identities to agents. */
export function agentIdentityRoute(deps: IdentityDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/agent/identity',
    operationId: 'identifyAgent',
    summary: 'What an agent can do, and on whose behalf',
    description:
      '`anonymous` lists the endpoints that need no credential. `service_auth`, with a bearer token, returns the member ' +
      'and the credential.',
    access: 'public',
    body: { kind: 'json', schema: REQUEST, maxBytes: 16 * 1024 },
    limit: LIMITS.identity,
    answers: {
      200: { description: 'The identity', schema: ANSWER },
      401: { description: '`service_auth` without a valid bearer token' },
    },
    async handle({ body, header }) {
      if (body.type === 'anonymous')
        return json(
          { type: 'anonymous', surfaces: deps.routes().filter(isOpen).map(surfaceOf) },
          200,
          NO_STORE,
        )
      const caller = await deps.authenticate(header('authorization'))
      return json(identityOf(caller), 200, NO_STORE)
    },
  })
}

/** Leaves out aliases, pages for people, and catch-all routes that only return errors. */
function isOpen({ access, copyOf, forPeople, path }: Route): boolean {
  return access === 'public' && copyOf === undefined && !forPeople && !path.includes('*')
}

function surfaceOf({ method, path, summary }: Route) {
  return { method, path: pathTemplate(path), description: summary }
}

function identityOf({ username, name, credential, limits }: Caller) {
  const { kind, holder, agent, clientId, createdAt, expiresAt } = credential
  return {
    type: 'service_auth',
    member: { username, name },
    credential: {
      kind,
      holder,
      name: credential.name,
      ...(agent !== null && { agent }),
      ...(clientId !== null && { client_id: clientId }),
      scope: SCOPE,
      created_at: rfc3339(createdAt),
      expires_at: rfc3339(expiresAt),
    },
    limits: publishedLimits(limits),
  }
}
