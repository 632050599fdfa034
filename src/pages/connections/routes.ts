/** The pages of a member's connections: the list, one of them, duplicates, and those that were deleted. */

import { deletedRoutes } from './deleted.routes.ts'
import { detailsRoutes } from './details.routes.ts'
import { duplicatesRoutes } from './duplicates.routes.ts'
import { editRoutes } from './edit.routes.ts'
import { listRoute } from './list.route.ts'
import { newRoutes } from './new.routes.ts'
import type { Route } from '../../http/route.ts'
import type { ConnectionParts } from './parts.ts'

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
