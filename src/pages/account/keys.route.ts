/** Turns the single keys of the pages off or on in this browser. A script reads the cookie. */

import { keysCookie } from '../../access/cookies.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { KEYS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { ACCOUNT_NOTICES } from './account-view.ts'
import type { Route } from '../../http/route.ts'

export function keysRoute(deps: PageDeps & { readonly publicUrl: string }): Route {
  return formRoute(deps, {
    path: KEYS_PATH,
    async handle({ body }) {
      const isOff = body.get('keys') === 'off'
      const notice = ACCOUNT_NOTICES.pathTo(isOff ? 'keys_off' : 'keys_on')
      return { ...seeOther(notice), cookies: [keysCookie(isOff, deps.publicUrl)] }
    },
  })
}
