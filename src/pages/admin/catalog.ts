/** `/admin`: service health, members and invitations. Admins only; other members get 404. */

import { notFound } from '../../http/not-found.ts'
import { inviteRoutes } from './invitations.route.ts'
import { adminMemberRoutes } from './member.route.ts'
import { healthRoute } from './health.page.ts'
import { adminLogRoute } from './log.page.ts'
import { attemptsRoute } from './attempts.page.ts'
import { membersRoute } from './members.page.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

export function adminRoutes(deps: AdminDeps): Route[] {
  const routes = [
    healthRoute(deps),
    membersRoute(deps),
    ...adminMemberRoutes(deps),
    ...inviteRoutes(deps),
    attemptsRoute(deps),
    adminLogRoute(deps),
  ]
  return routes.map(forAdmins)
}

/** Other members get the same error as for an unknown path. */
function forAdmins(route: Route): Route {
  return {
    ...route,
    async handle(request) {
      if (request.browser?.member?.role !== 'admin') throw notFound()
      return route.handle(request)
    },
  }
}
