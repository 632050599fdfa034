/** `/admin`: how the service is, who is a member, who may join. For operators; for anybody else it is not there. */

import { Refusal } from '../../base/request-error.ts'
import { healthRoute } from './health.route.ts'
import { inviteRoutes } from './invitations.route.ts'
import { memberRoutes } from './member.route.ts'
import { rosterRoute } from './members.route.ts'
import type { Route } from '../../http/route.ts'
import type { AdminParts } from './admin-deps.ts'

export function adminRoutes(parts: AdminParts): Route[] {
  const routes = [
    healthRoute(parts),
    rosterRoute(parts),
    ...memberRoutes(parts),
    ...inviteRoutes(parts),
  ]
  return routes.map(forOperators)
}

/** A member is told what anybody is told of an address where there is nothing. */
function forOperators(route: Route): Route {
  return {
    ...route,
    async handle(request) {
      if (request.visit?.member?.role !== 'operator')
        throw new Refusal('not_found', `There is nothing at ${pathOf(route, request.params)}.`)
      return route.handle(request)
    },
  }
}

function pathOf({ path }: Route, params: unknown): string {
  const named = new Map<string, unknown>(Object.entries(params ?? {}))
  return path.replaceAll(/:([a-z]+)/g, (_, name) => encodeURIComponent(String(named.get(name))))
}
