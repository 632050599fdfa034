/** `GET /tour`: begins a tour of the pages with the demo account. */

import { t } from '../../languages/message.ts'
import { findTourMember, tourCookie } from '../../access/tour.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { messagePage } from '../../html/message.page.ts'
import { TOUR_PATH, USER_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'

export interface TourDeps extends PageDeps {
  readonly publicUrl: string
  /** `WEFT_DEMO`. */
  readonly demo: 'on' | 'off'
}

export function tourRoutes(deps: TourDeps): Route[] {
  if (deps.demo === 'off') return []
  const begin = pageRoute(deps, {
    path: TOUR_PATH,
    access: 'browser',
    async handle({ browser }) {
      if (browser.member) return seeOther(USER_PATH)
      if (await findTourMember(deps.database))
        return seeOther(USER_PATH, [tourCookie(deps.publicUrl)])
      return messagePage({
        status: 404,
        title: t('No demo account'),
        text: t('The demo account was deleted. The administrator can create it again.'),
        action: { href: '/', label: t('Go to home') },
      })
    },
  })
  return [begin]
}
