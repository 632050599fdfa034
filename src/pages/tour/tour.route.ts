/** `GET /tour` and `GET /tour/end`: begin and end a tour of the pages with the demo account. */

import { t } from '../../languages/message.ts'
import { endedTourCookie, findTourMember, tourCookie } from '../../access/demo-tour.ts'
import { DEFAULT_MIN_SCORE } from '../../connections/duplicates/duplicate-page.ts'
import { currentGroups } from '../../connections/duplicates/kept-groups.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { messagePage } from '../../html/message.page.ts'
import { END_TOUR_PATH, TOUR_PATH, USER_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'

export interface TourDeps extends PageDeps {
  readonly publicUrl: string
  /** `WEFT_DEMO`. */
  readonly demo: 'on' | 'off'
  /** Brings the demo account up to date. */
  readonly renewDemo: () => Promise<unknown>
}

export function tourRoutes(deps: TourDeps): Route[] {
  if (deps.demo === 'off') return []
  const begin = pageRoute(deps, {
    path: TOUR_PATH,
    access: 'browser',
    async handle({ signal }) {
      await deps.renewDemo()
      const demo = await findTourMember(deps.database)
      if (demo) {
        // For the number in the sidebar.
        await currentGroups(deps.database.member(demo.memberId), {
          minScore: DEFAULT_MIN_SCORE,
          signal,
        })
        return seeOther(USER_PATH, [tourCookie(deps.publicUrl)])
      }
      return messagePage({
        status: 404,
        title: t('No demo account'),
        text: t('The demo account was deleted. The administrator can create it again.'),
        action: { href: '/', label: t('Go to home') },
      })
    },
  })
  const end = pageRoute(deps, {
    path: END_TOUR_PATH,
    access: 'browser',
    async handle({ browser }) {
      return seeOther(browser.member ? USER_PATH : '/', [endedTourCookie(deps.publicUrl)])
    },
  })
  return [begin, end]
}
