/**
 * Every route, in groups that are loaded when a request needs them: profiles at the start, tools with the first call, and
 * pages, OAuth and documents with the first request for any of them (decisions/0005).
 */

import { lazy } from '../base/lazy.ts'
import { directoryRoutes } from '../members/public/directory.route.ts'
import { profileRoutes } from '../members/public/profile.route.ts'
import type { Route } from '../http/route.ts'
import type { RouteDeps } from './catalog.ts'

type RouteGroup = () => Promise<readonly Route[]>

/** In the order in which a path is looked up. */
export function routeGroups(deps: RouteDeps): [readonly Route[], ...RouteGroup[]] {
  const profiles = [...profileRoutes(deps), ...directoryRoutes(deps)]
  const records = lazy(async () => (await import('./catalog.ts')).createRecords(deps))
  const calls = lazy(async () => {
    const { mcpRoutes } = await import('../mcp/server/mcp.route.ts')
    return mcpRoutes(await records())
  })
  const others = lazy(async () => {
    const { otherRoutes } = await import('./other-routes.ts')
    return otherRoutes(await records(), [...profiles, ...(await calls())])
  })
  return [profiles, calls, others]
}
