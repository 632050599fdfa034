/** The routes of the authorization server. */

import { agentIdentityRoute } from './agent-identity.route.ts'
import { authorizeRoutes } from './authorize.route.ts'
import { metadataRoutes } from './metadata.route.ts'
import { registerRoute } from './register.route.ts'
import { revokeRoute } from './revoke.route.ts'
import { tokenRoute } from './token.route.ts'
import { clientDirectory } from './client.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import type { Route } from '../http/route.ts'

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
