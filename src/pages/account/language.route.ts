/** Sets the language of the member's pages and emails. */

import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { LANGUAGE_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { isLanguage } from '../../languages/language.ts'
import { setLanguage } from '../../members/member-language.ts'
import { ACCOUNT_NOTICES } from './account-view.ts'
import type { Route } from '../../http/route.ts'

export function languageRoute(deps: PageDeps): Route {
  const { database } = deps
  return formRoute(deps, {
    path: LANGUAGE_PATH,
    async handle({ body, browser }) {
      const chosen = body.get('language')
      const language = isLanguage(chosen) ? chosen : null
      const { memberId } = browser.member
      await database.write((tx) => setLanguage(tx, memberId, language))
      return seeOther(ACCOUNT_NOTICES.pathTo('language_changed'))
    },
  })
}
