/** The pages about connections: list, details, duplicates and deleted connections. */

import { deletedRoutes } from './deleted.route.ts'
import { detailsRoutes } from './details.route.ts'
import { duplicatesRoutes } from './duplicates.route.ts'
import { editRoutes } from './edit.route.ts'
import { homeRoute, listRoute } from './list.route.ts'
import { newRoutes } from './new.route.ts'
import { photoRoutes } from './photo.route.ts'
import { suggestionsRoute } from './suggestions.route.ts'
import type { Route } from '../../http/route.ts'
import type { ConnectionDeps } from './connection-deps.ts'

export function connectionRoutes(deps: ConnectionDeps): Route[] {
  return [
    homeRoute(),
    listRoute(deps),
    suggestionsRoute(deps),
    ...newRoutes(deps),
    ...duplicatesRoutes(deps),
    ...deletedRoutes(deps),
    ...detailsRoutes(deps),
    ...editRoutes(deps),
    ...photoRoutes(deps),
  ]
}
