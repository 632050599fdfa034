/** `GET /user/connections/suggestions`: people for the search field, while the member types. */

import * as Type from '../../base/type.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { CONNECTION_SUGGESTIONS_PATH, connectionPath } from '../../html/site-map.ts'
import { json } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readTyped } from '../ui/form-input.ts'
import type { ConnectionDeps } from './connection-deps.ts'

/** As many as fit under the field on a small screen. */
const MAX_SUGGESTIONS = 8

const Typed = Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })) })

const Suggestions = Type.Object(
  {
    suggestions: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          detail: Type.String({ description: 'Title and company' }),
          path: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export function suggestionsRoute({ database }: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: CONNECTION_SUGGESTIONS_PATH,
    operationId: 'suggestConnections',
    summary: 'Suggest connections for what is typed so far',
    access: 'session',
    answers: { 200: { description: 'The best matches', schema: Suggestions } },
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      const { q = '' } = readTyped(Typed, Object.fromEntries(new URLSearchParams(search)))
      const query = q.trim()
      const connections = query === '' ? [] : await suggestConnections(db, query, MAX_SUGGESTIONS)
      const suggestions = connections.map(({ connectionId, name, title, company }) => ({
        name,
        detail: [title, company].filter((part) => part !== null).join(' · '),
        path: connectionPath(publicConnectionId(connectionId)),
      }))
      return json({ suggestions }, 200, { 'cache-control': 'no-store' })
    },
  })
}
