/** Pages of connections that search_connections lists without words: everyone in an order, or a saved view. */

import { dayInZone } from '../../dates/time-zone.ts'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { readCustomFields } from '../custom-fields/custom-fields.ts'
import { pageOfConnections, type PageOfConnections } from '../search/connection-page.ts'
import { contactFilterOf, type ContactInput } from '../search/filters/contact-arguments.ts'
import { listConnections } from '../search/connection-lists.ts'
import { assertMayCompare, withheldFields } from '../search/filters/withheld-fields.ts'
import { findListed, readListed } from './find-people.ts'
import { peopleQueryOf } from './list-query.ts'
import { readListState } from './list-state.ts'
import { requireView } from './saved-views.ts'
import type { ReadCall } from '../../tools/tool.ts'
import type { ConnectionPage } from '../search/show.ts'

interface Page {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface BrowseInput extends ContactInput {
  readonly sort?: 'relevance' | 'name' | 'recent' | 'added' | 'last_contact' | 'due'
  readonly tag?: string
  readonly changed_jobs_since?: string
}

/** Lists everyone who passes the filters, page by page. `limit`: people on a page. */
export async function browseConnections(
  db: ReadCall['db'],
  input: BrowseInput,
  { limit, cursor }: Page,
): Promise<PageOfConnections> {
  const { tag, changed_jobs_since: since } = input
  const contact = contactFilterOf(input)
  const asked = input.sort === 'relevance' ? undefined : input.sort
  const sort = since === undefined ? (asked ?? naturalSort(contact)) : ('job_change' as const)
  const query = {
    sort,
    ...contact,
    ...(tag !== undefined && { tag }),
    ...(since !== undefined && { since: requireDay(since, 'changed_jobs_since') }),
  }
  return pageOfConnections(db, await listConnections(db, query, limit, cursor), {
    withFormer: since !== undefined,
    withDate: sort === 'recent',
    withContact: Object.keys(contact).length > 0 || sort === 'last_contact' || sort === 'due',
  })
}

function naturalSort({ dueBy, lastContactBefore }: ReturnType<typeof contactFilterOf>) {
  if (dueBy !== undefined) return 'due'
  return lastContactBefore === undefined ? 'name' : 'last_contact'
}

/**
 * The people of a saved view in its order. Its words are not read as a question.
 *
 * @throws {RequestError} `not_found` when there is no view with this name; the error lists the others.
 * @throws {RequestError} `invalid_request` when the view searches by meaning.
 */
export async function browseView(
  { db, now, caller }: Pick<ReadCall, 'db' | 'now' | 'caller'>,
  name: string,
  { limit, cursor }: Page,
): Promise<PageOfConnections> {
  const { viewId, query } = await requireView(db, name)
  const fields = await readCustomFields(db)
  const asked = peopleQueryOf(readListState(query), {
    fields,
    today: dayInZone(caller.timeZone, now),
    now,
  })
  if (asked.mode === 'semantic')
    throw new RequestError('invalid_request', `The view “${name}” searches by meaning.`, {
      hint: `Call search_connections with mode semantic and the query “${asked.query}”.`,
    })
  assertMayCompare(caller.limits, asked.filters.custom)
  const withheld = withheldFields(caller.limits)
  const found = await findListed(db, { ...asked, mode: 'keyword', withheld }, undefined)
  const question = [db.memberId, viewId, query]
  const [start] = cursor === undefined ? [0] : readCursor(question, cursor, ['number'])
  const ids = found.ids.slice(start, start + limit)
  const { rows } = await readListed(db, { ...found, answer: undefined }, ids)
  const page: ConnectionPage = {
    connections: rows.map(({ listed }) => listed),
    hasMore: found.ids.length > start + limit,
    cursorAfter(index: number) {
      const at = ids.indexOf(rows[index]?.listed.connectionId ?? 0)
      return writeCursor(question, [start + (at < 0 ? limit : at + 1)])
    },
  }
  const { silentSince, dueBy } = asked.filters
  const isByContact =
    silentSince !== undefined || dueBy !== undefined || ['contact', 'due'].includes(asked.sort)
  return pageOfConnections(db, page, { withContact: isByContact })
}
