/** Reads what the sidebar of member pages says. */

import { countDue } from '../connections/briefing/count-days.ts'
import { lastKnownGroups } from '../connections/duplicates/kept-groups.ts'
import { countConnections } from '../connections/people/count-connections.ts'
import { isStartView, listViews } from '../connections/people/saved-views.ts'
import { viewCounts } from '../connections/people/view-counts.ts'
import { MAX_DUE_SHOWN } from '../html/sidebar.ts'
import { CONNECTIONS_PATH } from '../html/site-map.ts'
import { timesOf } from '../ui/time.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { PageDeps } from '../forms/page-route.ts'

/** Returns the reader for these dependencies. */
export function sidebarReader({
  embedder,
}: {
  readonly embedder: Embedder
}): NonNullable<PageDeps['readSidebar']> {
  return async ({ db, browser, now }) => {
    const { today, timeZone } = timesOf(browser, now)
    const [connections, due, views] = await Promise.all([
      countConnections(db),
      countDue(db, today, { most: MAX_DUE_SHOWN + 1 }),
      listViews(db),
    ])
    const counts = await viewCounts(db, views, { embedder, today, now, timeZone })
    return {
      connections,
      due: due.followUps + due.people,
      duplicates: lastKnownGroups(db),
      views: views
        .map(({ viewId, name, query }) => ({
          viewId,
          name,
          path: `${CONNECTIONS_PATH}?${query}`,
          count: counts.get(query),
          isStart: isStartView({ query }),
        }))
        .filter(({ isStart, count = 0 }) => !isStart || count > 0)
        // One that begins to find people does not move those that the member saved.
        .toSorted((one, other) => Number(one.isStart) - Number(other.isStart)),
    }
  }
}
