/** `GET /user/connections/suggestions`: people for the search field, while the member types. */

import * as Type from '../../base/type.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { suggestionDetail } from '../search/suggestion-detail.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { CONNECTION_SUGGESTIONS_PATH, connectionPath } from '../../html/site-map.ts'
import { json } from '../../http/response.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { problem } from '../../http/problem.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'

/** As many as fit under the field on a small screen. */
const MAX_SUGGESTIONS = 8

const Typed = Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })) })

/** JSON for a script of the page, errors included. */
export function suggestionsRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: CONNECTION_SUGGESTIONS_PATH,
    onError: problem,
    async handle({ search, db }) {
      const { q = '' } = readTyped(Typed, Object.fromEntries(new URLSearchParams(search)))
      const query = q.trim()
      const connections = query === '' ? [] : await suggestConnections(db, query, MAX_SUGGESTIONS)
      const suggestions = connections.map((one) => ({
        name: one.name,
        detail: suggestionDetail(one),
        path: connectionPath(publicConnectionId(one.connectionId)),
      }))
      return json({ suggestions }, 200, { 'cache-control': 'no-store' })
    },
  })
}
