/** `/user/search`: people, pages and actions by what is typed. The command palette of the scripts shows the same. */

import { phrase, t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { listViews } from '../../connections/people/saved-views.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { suggestConnections } from '../../connections/search/search.ts'
import { suggestionDetail } from './suggestion-detail.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { sidebarPages } from '../../html/sidebar.ts'
import {
  ACCOUNT_PATH,
  connectionPath,
  CONNECTIONS_PATH,
  CUSTOM_FIELDS_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  LOG_PATH,
  logContactPath,
  NEW_CONNECTION_PATH,
  SEARCH_PATH,
} from '../../html/site-map.ts'
import { listPath } from '../ui/list-path.ts'
import { searchPage, type SearchLink } from './search.page.ts'
import { recentPeople } from '../person/recent-people.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { Route } from '../../http/route.ts'

/** As many as fit into the palette without scrolling. */
const MAX_PEOPLE = 8

const Typed = Type.Object({ q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })) })

export function searchRoute(deps: PersonDeps): Route {
  return pageRoute(deps, {
    path: SEARCH_PATH,
    async handle(request) {
      const { search, db, browser } = request
      const sent = new URLSearchParams(search)
      const isLogging = sent.get('then') === 'log'
      const { q = '' } = readTyped(Typed, { q: (sent.get('q') ?? '').trim() })
      const found =
        q === ''
          ? await recentPeople(deps.publicUrl, request)
          : await suggestConnections(db, q, MAX_PEOPLE)
      const people = found.map((one) => ({
        label: one.name,
        detail: suggestionDetail(one),
        path: (isLogging ? logContactPath : connectionPath)(publicConnectionId(one.connectionId)),
      }))
      const views = (await listViews(db)).map(({ name, query }) => ({
        label: name,
        path: `${CONNECTIONS_PATH}?${query}`,
      }))
      const all =
        q === '' || people.length === 0 || isLogging
          ? []
          : [{ label: t('All results for “{q}”', { q }), path: listPath({ q }) }]
      return searchPage({
        browser,
        query: q,
        isLogging,
        groups: [
          { title: q === '' ? t('Recent people') : t('People'), links: [...people, ...all] },
          ...(isLogging
            ? []
            : [
                { title: t('Actions'), links: matching(ACTIONS, q) },
                {
                  title: t('Pages'),
                  links: matching([...sidebarPages(browser.member), ...views], q),
                },
              ]),
        ],
      })
    },
  })
}

const ACTIONS: readonly SearchLink[] = [
  { label: phrase('Log contact'), path: LOG_PATH },
  { label: phrase('Add person'), path: NEW_CONNECTION_PATH },
  { label: phrase('Import contacts'), path: IMPORT_PATH },
  { label: phrase('Connect an agent'), path: INTEGRATIONS_PATH },
  { label: phrase('Edit custom fields'), path: CUSTOM_FIELDS_PATH },
  { label: phrase('Export your data'), path: ACCOUNT_PATH },
  { label: phrase('Turn keyboard shortcuts on or off'), path: `${ACCOUNT_PATH}#keys-heading` },
]

/** The links in the language of the page. Each word that was typed begins a word of the label. */
function matching(links: readonly SearchLink[], query: string): readonly SearchLink[] {
  const typed = wordsOf(query)
  return links
    .map((link) => ({ ...link, label: t(link.label) }))
    .filter(({ label }) => {
      const words = wordsOf(label)
      return typed.every((begun) => words.some((word) => word.startsWith(begun)))
    })
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s&]+/)
    .filter((word) => word !== '')
}
