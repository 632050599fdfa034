/** `GET /user/connections`: lists the member's connections, with the same search as the tool. */

import Type from 'typebox'
import { searchInMode } from '../../connections/search/semantic-search.ts'
import {
  listConnections,
  type ConnectionPage,
  type SearchPage,
} from '../../connections/search/search.ts'
import { tagsOf } from '../../connections/model/connection-store.ts'
import { photoIdsOf } from '../../connections/model/photo-store.ts'
import { formerPositions } from '../../connections/search/connection-page.ts'
import { listTags } from '../../connections/tags/tags.ts'
import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readNoticed } from '../activity/change-notice.ts'
import { readTyped } from '../ui/form-input.ts'
import { MAX_FILTER_LENGTH, MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { connectionListPage } from './list.page.ts'
import { NO_FILTERS, type ListFilters } from './list-path.ts'
import { CONNECTIONS_PATH } from '../../html/site-map.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { ConnectionDeps } from './connection-deps.ts'

const PAGE_SIZE = 50

/** The number of tags in the filter. */
const MAX_TAGS = 100

const Question = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })),
  company: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  tag: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  place: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  jobs: Type.Optional(Type.Enum(['', 'changed'], { type: 'string' })),
  cursor: Type.Optional(Type.String()),
})

export function listRoute(deps: ConnectionDeps): Route {
  const { database, undoers } = deps
  return defineRoute({
    method: 'GET',
    path: CONNECTIONS_PATH,
    operationId: 'showConnections',
    summary: "List the member's connections, searched and filtered",
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      400: { description: 'The query is invalid', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ search, browser, signal }) {
      const db = database.member(browser.member.memberId)
      const sent = Object.fromEntries(new URLSearchParams(search))
      const { cursor, ...typed } = readTyped(Question, sent)
      const asked = { ...NO_FILTERS, ...trimmed(typed) }
      const [page, { tags }] = await Promise.all([
        find(deps, db, { asked, cursor, signal }),
        listTags(db, { limit: MAX_TAGS }),
      ])
      const { connections, hasMore } = page
      const ids = connections.map(({ connectionId }) => connectionId)
      return connectionListPage({
        browser,
        asked,
        isFirst: cursor === undefined,
        connections,
        found: 'matches' in page ? page : undefined,
        tagsOf: await tagsOf(db, ids),
        photosOf: await photoIdsOf(db, ids),
        formerOf: asked.jobs === '' ? undefined : await formerPositions(db, ids),
        next: hasMore ? page.cursorAfter(connections.length - 1) : undefined,
        tags: tags.map(({ tag }) => tag),
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function trimmed({
  q = '',
  company = '',
  tag = '',
  place = '',
  jobs = '',
}: Partial<ListFilters>): ListFilters {
  return { q: q.trim(), company: company.trim(), tag: tag.trim(), place: place.trim(), jobs }
}

interface Search {
  readonly asked: ListFilters
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

/** Sorted by name unless a search or filter is set. Job changes are listed by their day. */
async function find(
  { clock, embedder }: ConnectionDeps,
  db: MemberDatabase,
  { asked, cursor, signal }: Search,
): Promise<ConnectionPage | SearchPage> {
  const { q: query, company, tag, place: location } = asked
  const tagged = tag === '' ? {} : { tag }
  if (asked.jobs === 'changed')
    return listConnections(db, { sort: 'job_change', ...tagged }, PAGE_SIZE, cursor)
  if (query + company + location === '')
    return listConnections(db, { sort: 'name', ...tagged }, PAGE_SIZE, cursor)
  const filters = {
    ...(company !== '' && { company }),
    ...(location !== '' && { location }),
    ...tagged,
  }
  return searchInMode(
    db,
    { query: { query, ...filters }, mode: 'auto', limit: PAGE_SIZE, cursor },
    { embedder, now: clock.now(), signal },
  )
}
