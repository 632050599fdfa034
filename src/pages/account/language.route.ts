/** Sets the language of the member's pages and emails. */

import { memberStatement } from '../../db/statement.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { LANGUAGE_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { isLanguage } from '../../languages/language.ts'
import { ACCOUNT_NOTICES } from './account-view.ts'
import type { Route } from '../../http/route.ts'

export function languageRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: LANGUAGE_PATH,
    async handle({ body, db }) {
      const chosen = body.get('language')
      const language = isLanguage(chosen) ? chosen : null
      await db.write((tx) => tx.run(SET_LANGUAGE, { language }))
      return seeOther(ACCOUNT_NOTICES.pathTo('language_changed'))
    },
  })
}

const SET_LANGUAGE = memberStatement<{ language: string | null }>()(
  'update members set language = :language where member_id = :member_id',
)
