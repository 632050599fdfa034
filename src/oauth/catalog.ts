/** The routes of the authorization server. */

import { agentIdentityRoute } from './agent-identity.route.ts'
import { authorizeRoutes } from './authorize.route.ts'
import { metadataRoutes, type MetadataDeps } from './metadata.route.ts'
import { registerRoute } from './register.route.ts'
import { revokeRoute } from './revoke.route.ts'
import { tokenRoute } from './token.route.ts'
import { clientDirectory } from './client.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'
import type { Route } from '../http/route.ts'
import type { Limits } from '../http/rate-limit-policy.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { AttemptRecorder } from './attempts/attempt-recorder.ts'
import type { ClientDocuments } from './client-document.ts'

interface OAuthDeps extends MetadataDeps {
  readonly database: Database
  readonly clock: Clock
  readonly quota: number
  readonly refreshGraceSeconds: number
  readonly documents: ClientDocuments
  readonly inFlight: InFlight
  readonly limits: Limits
  readonly attempts: AttemptRecorder
  readonly routes: () => readonly Route[]
  authenticate(authorization: string | undefined): Promise<Caller>
}

export function oauthRoutes(deps: OAuthDeps): Route[] {
  const clients = clientDirectory(deps)
  const endpoint = { ...deps, clients }
  return [
    ...metadataRoutes(deps),
    registerRoute(deps),
    ...authorizeRoutes(endpoint),
    tokenRoute(endpoint),
    revokeRoute(deps),
    agentIdentityRoute(deps),
  ]
}
