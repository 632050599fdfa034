/** `GET /user/connections`: lists the member's connections, with the same search as the tool. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { listConnections } from '../../connections/search/connection-lists.ts'
import { searchInMode } from '../../connections/search/search.ts'
import {
  customFieldNumber,
  readCustomFields,
  type CustomField,
} from '../../connections/model/custom-fields.ts'
import { tagsOf } from '../../connections/model/tag-store.ts'
import { photoIdsOf } from '../../connections/model/photo-store.ts'
import { formerPositions } from '../../connections/search/connection-page.ts'
import { findTag, listTags } from '../../connections/tags/tags.ts'
import { readNoticed } from '../activity/change-notice.ts'
import { MAX_FILTER_LENGTH, MAX_QUERY_LENGTH } from '../../connections/search/query-limits.ts'
import { connectionListPage } from './list.page.ts'
import { NO_FILTERS, type ListFilters } from '../ui/list-path.ts'
import { CONNECTIONS_PATH, MEMBER_HOME_PATH, USER_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { nextOf } from '../ui/pager.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { ConnectionPage, SearchPage } from '../../connections/search/search.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { PersonDeps } from '../person/details.page.ts'

const PAGE_SIZE = 50

/** The number of tags in the filter. */
const MAX_TAGS = 100

const Question = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })),
  company: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  tag: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  place: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  field: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  value: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  jobs: Type.Optional(Type.Enum(['', 'changed'], { type: 'string' })),
  cursor: Type.Optional(Type.String()),
})

export interface ListDeps extends PersonDeps {
  readonly embedder: Embedder
}

export function listRoute(deps: ListDeps): Route {
  return pageRoute(deps, {
    path: CONNECTIONS_PATH,
    async handle({ search, browser, db, signal }) {
      const sent = Object.fromEntries(new URLSearchParams(search))
      const { cursor, ...typed } = readTyped(Question, sent)
      const sought = { ...NO_FILTERS, ...trimmed(typed) }
      const tagged = sought.tag === '' ? undefined : await findTag(db, sought.tag)
      const asked = { ...sought, tag: tagged?.tag ?? sought.tag }
      const fields = await readCustomFields(db)
      const condition = conditionOf(asked, fields)
      const [{ page, filterError }, { tags }] = await Promise.all([
        findUnlessInvalid(deps, db, { asked, condition, cursor, signal }),
        listTags(db, { limit: MAX_TAGS }),
      ])
      const { connections } = page
      const ids = connections.map(({ connectionId }) => connectionId)
      return connectionListPage({
        browser,
        asked,
        cursor,
        connections,
        found: 'matches' in page ? page : undefined,
        total: 'matches' in page ? page.total : (tagged?.count ?? 0),
        tagsOf: await tagsOf(db, ids),
        photosOf: await photoIdsOf(db, ids),
        formerOf: asked.jobs === '' ? undefined : await formerPositions(db, ids),
        next: nextOf(page, connections.length),
        tags: tags.map(({ tag }) => tag),
        fields,
        filterError,
        noticed: await readNoticed(db, search, deps.undoers),
      })
    },
  })
}

/** People type the shortest path that could lead to their pages. */
export function homeRoute(deps: PageDeps): Route {
  return pageRoute(deps, { path: USER_PATH, handle: async () => seeOther(MEMBER_HOME_PATH) })
}

function trimmed(typed: Partial<ListFilters>): Partial<ListFilters> {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim()]))
}

/** The filter by a custom field, as the search takes it; undefined if there is none. */
function conditionOf(
  { field: id, value }: ListFilters,
  fields: readonly CustomField[],
): string | undefined {
  const field = fields.find(({ fieldId }) => fieldId === customFieldNumber(id))
  if (!field) return undefined
  if (value === '') return `${field.name}=*`
  return /^(?:[<>]=?|=)/.test(value) ? `${field.name}${value}` : `${field.name}=${value}`
}

interface Search {
  readonly asked: ListFilters
  readonly condition: string | undefined
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

/** No one, and why, when the value of the filter by a custom field is not one that the field takes. */
async function findUnlessInvalid(
  deps: ListDeps,
  db: MemberDatabase,
  search: Search,
): Promise<{
  readonly page: ConnectionPage | SearchPage
  readonly filterError?: string | undefined
}> {
  try {
    return { page: await find(deps, db, search) }
  } catch (error) {
    const isFilter =
      error instanceof RequestError && error.details.errors?.[0]?.pointer === '/custom'
    if (!isFilter || search.condition === undefined) throw error
    return { page: NO_ONE, filterError: error.details.errors?.[0]?.detail }
  }
}

const NO_ONE: ConnectionPage = { connections: [], hasMore: false, cursorAfter: () => '' }

/** Sorted by name unless a search or filter is set. Job changes are listed by their day. */
async function find(
  { clock, embedder }: ListDeps,
  db: MemberDatabase,
  { asked, condition, cursor, signal }: Search,
): Promise<ConnectionPage | SearchPage> {
  const { q: query, company, tag, place: location } = asked
  const tagged = tag === '' ? {} : { tag }
  if (asked.jobs === 'changed')
    return listConnections(db, { sort: 'job_change', ...tagged }, PAGE_SIZE, cursor)
  if (query + company + location === '' && condition === undefined)
    return listConnections(db, { sort: 'name', ...tagged }, PAGE_SIZE, cursor)
  const filters = {
    ...(company !== '' && { company }),
    ...(location !== '' && { location }),
    ...tagged,
    ...(condition !== undefined && { custom: [condition] }),
  }
  return searchInMode(
    db,
    { query: { query, ...filters }, mode: 'auto', limit: PAGE_SIZE, cursor },
    { embedder, now: clock.now(), signal },
  )
}
