/** Turns the single keys of the pages off or on in this browser, or chooses its colors. A script reads the cookie of the keys. */

import { keysCookie, themeCookie } from '../../access/cookies.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { KEYS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { ACCOUNT_NOTICES } from './account-view.ts'
import type { Route } from '../../http/route.ts'

export function keysRoute(deps: PageDeps & { readonly publicUrl: string }): Route {
  return formRoute(deps, {
    path: KEYS_PATH,
    async handle({ body }) {
      const theme = body.get('theme')
      if (theme !== null) {
        const chosen = theme === 'light' || theme === 'dark' ? theme : undefined
        const changed = seeOther(ACCOUNT_NOTICES.pathTo('theme_changed'))
        return { ...changed, cookies: [themeCookie(chosen, deps.publicUrl)] }
      }
      const isOff = body.get('keys') === 'off'
      const notice = ACCOUNT_NOTICES.pathTo(isOff ? 'keys_off' : 'keys_on')
      return { ...seeOther(notice), cookies: [keysCookie(isOff, deps.publicUrl)] }
    },
  })
}
