/** The pages about connections: the list, one connection, duplicates and deleted connections. */

import { newRoutes } from '../person/new.route.ts'
import { photoRoutes } from '../person/photo.route.ts'
import { columnsRoute } from './columns.route.ts'
import { bulkRoute } from './bulk.route.ts'
import { neighborFinder } from './list-neighbors.ts'
import { listRoute, type ListDeps } from './list.route.ts'
import { detailsRoutes } from '../person/details.route.ts'
import { suggestionsRoute } from './suggestions.route.ts'
import { deletedRoutes } from './deleted.route.ts'
import { editRoutes } from '../person/edit.route.ts'
import { entryRoutes } from '../person/entry.route.ts'
import { duplicatesRoutes } from './duplicates.route.ts'
import { findPhotosRoutes, type FindPhotosDeps } from './find-photos.route.ts'
import { viewRoutes } from './views.route.ts'
import type { Route } from '../../http/route.ts'

export function connectionRoutes(deps: ListDeps & FindPhotosDeps): Route[] {
  return [
    listRoute(deps),
    bulkRoute(deps),
    columnsRoute(deps),
    ...viewRoutes(deps),
    suggestionsRoute(deps),
    ...newRoutes(deps),
    ...duplicatesRoutes(deps),
    ...findPhotosRoutes(deps),
    ...deletedRoutes(deps),
    ...detailsRoutes({ ...deps, findNeighbors: neighborFinder(deps) }),
    ...editRoutes(deps),
    ...photoRoutes(deps),
    ...entryRoutes(deps),
  ]
}
