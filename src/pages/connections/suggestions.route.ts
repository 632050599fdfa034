/** `GET /user/connections/suggestions`: people for a text box, while the member types a name after an @. */

import * as Type from '../../base/type.ts'
import { tokenize } from '../../base/tokenize.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-lengths.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { mentionsOf } from '../../connections/told-contacts/mentions.ts'
import { closestFirst } from '../../connections/editing/closest-first.ts'
import { CONNECTION_SUGGESTIONS_PATH } from '../../html/site-map.ts'
import { face } from '../../html/face.ts'
import { namesakeDetails } from '../../connections/people/namesake-details.ts'
import { html, type Html } from '../../html/html.ts'
import { json } from '../../http/response.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { problem } from '../../http/problem.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { timesOf } from '../../ui/time.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'

/** People found, some of them by another field, and those shown: they fit below a text box. */
const [MAX_FOUND, MAX_SUGGESTIONS] = [30, 6]

const Typed = Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })) })

/** JSON for a script of the page, errors included. The options are HTML. */
export function suggestionsRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: CONNECTION_SUGGESTIONS_PATH,
    onError: problem,
    async handle({ search, db, browser, now }) {
      const { q = '' } = readTyped(Typed, Object.fromEntries(new URLSearchParams(search)))
      const options = await suggestPeople(db, q, timesOf(browser, now).today)
      return json({ options: options.map(String) }, 200, { 'cache-control': 'no-store' })
    },
  })
}

/** People whose names have a word that begins with each word typed; the closest come first. */
async function suggestPeople(db: MemberDatabase, typed: string, today: string): Promise<Html[]> {
  const words = tokenize(typed)
  if (words.length === 0) return []
  const found = await suggestConnections(db, typed.trim(), MAX_FOUND)
  const named = found.filter(({ name }) => {
    const names = tokenize(name)
    return words.every((word) => names.some((one) => one.startsWith(word)))
  })
  const people = await closestFirst(db, named, { today, limit: MAX_SUGGESTIONS })
  const mentions = await mentionsOf(db, people)
  const details = namesakeDetails(named)
  const telling = new Map(named.map(({ connectionId }, at) => [connectionId, details[at]]))
  return people.map(({ connectionId, name, title, company, photo }, at) => {
    const work = [title, company].filter((part) => part !== null).join(' · ')
    const detail = telling.get(connectionId) || work
    return html`<li role="option" data-mention="${mentions[at]}">
      ${face({ name, photo })}<bdi>${name}</bdi>${detail !== '' && html` <small><bdi>${detail}</bdi></small>`}
    </li>`
  })
}
