/** The routes of pages, OAuth, files, jobs, documents and the sandbox. */

import { askRoutes } from '../ask/ask.route.ts'
import { batchRoute } from '../batch/batch.route.ts'
import { addressBookOf } from '../connections/cards/address-book.ts'
import { davRoutes } from '../dav/dav.route.ts'
import { discoveryRoutes } from '../discovery/catalog.ts'
import { docsAnswers } from '../discovery/docs/docs-answers.ts'
import { createLibrary } from '../discovery/docs/library.ts'
import { connectionExportRoute } from '../exports/connection-export.route.ts'
import { contactFileRoute } from '../exports/contact-file.route.ts'
import { exportRoute } from '../exports/export.route.ts'
import { manifestRoute } from '../html/app-manifest.route.ts'
import { assetRoutes } from '../html/assets.route.ts'
import { jobRoutes } from '../jobs/jobs.route.ts'
import { uploadRoute } from '../jobs/uploads.route.ts'
import { oauthRoutes } from '../oauth/catalog.ts'
import { pageRoutes } from '../pages/catalog.ts'
import { sandboxRoutes } from '../sandbox/catalog.ts'
import { signInRoutes } from '../sign-in/catalog.ts'
import type { Route } from '../http/route.ts'
import type { Records } from './catalog.ts'

/** All routes except `before`, which some of them list. */
export function otherRoutes(records: Records, before: readonly Route[]): Route[] {
  const others: Route[] = []
  const deps = { ...records, routes: () => [...before, ...others] }
  const library = createLibrary(deps)
  others.push(
    ...jobRoutes(deps),
    uploadRoute(deps),
    exportRoute(deps),
    connectionExportRoute(deps),
    contactFileRoute(deps),
    ...davRoutes({ addressBook: (device) => addressBookOf(deps, device) }),
    ...oauthRoutes(deps),
    ...signInRoutes(deps),
    ...pageRoutes(deps),
    ...assetRoutes(),
    manifestRoute(),
    ...discoveryRoutes({ ...deps, library }),
    ...askRoutes({ ...deps, sources: [docsAnswers(library)] }),
    batchRoute(deps),
  )
  // Copies all public routes, so it comes last.
  others.push(...sandboxRoutes({ ...deps, tools: records.sandboxTools }))
  return others
}
