/** The pages of a member's connections: the list, one of them, duplicates, and those that were deleted. */

import { deletedRoutes } from './deleted.route.ts'
import { detailsRoutes } from './details.route.ts'
import { duplicatesRoutes } from './duplicates.route.ts'
import { editRoutes } from './edit.route.ts'
import { listRoute } from './list.route.ts'
import { newRoutes } from './new.route.ts'
import type { Route } from '../../http/route.ts'
import type { ConnectionParts } from './connection-deps.ts'

export function connectionRoutes(parts: ConnectionParts): Route[] {
  return [
    listRoute(parts),
    ...newRoutes(parts),
    ...duplicatesRoutes(parts),
    ...deletedRoutes(parts),
    ...detailsRoutes(parts),
    ...editRoutes(parts),
  ]
}
