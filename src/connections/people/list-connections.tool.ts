/** list_connections: pages through the whole network in a chosen order. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { dayAt } from '../../base/calendar-day.ts'
import { readCursor, writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { CURSOR, pageLimit } from '../../tools/result-json.ts'
import { MAX_TAG_LENGTH } from '../../contact-files/contact/limits.ts'
import { CalendarDay } from '../../tools/arguments/calendar-day.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { defineReadTool, type ReadCall } from '../../tools/tool.ts'
import { readCustomFields } from '../model/custom-fields.ts'
import { PageOfConnections, pageOfConnections } from '../search/connection-page.ts'
import { ContactArguments, contactFilterOf } from '../search/contact-arguments.ts'
import { listConnections } from '../search/connection-lists.ts'
import { assertMayCompare, withheldFields } from '../search/withheld-fields.ts'
import { findListed, readListed } from './find-people.ts'
import { peopleQueryOf, readListState } from './list-query.ts'
import { MAX_VIEW_NAME_LENGTH, requireView } from './saved-views.ts'
import type { ConnectionPage } from '../search/search.ts'

export const listConnectionsTool = defineReadTool({
  name: 'list_connections',
  title: 'List connections',
  description:
    'List or browse contacts by name, newest met (recent) or added, last_contact (longest ago first) or cadence due ' +
    'date; who changed jobs; a saved view.',
  credits: 1,
  input: Type.Closed({
    sort: Type.Optional(
      Type.Enum(['name', 'recent', 'added', 'last_contact', 'due'], {
        type: 'string',
        description: 'Default name',
        [PLAIN_KEYWORD]: true,
      }),
    ),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TAG_LENGTH,
        description: 'With this tag',
        [PLAIN_KEYWORD]: true,
        examples: ['investor'],
      }),
    ),
    view: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_VIEW_NAME_LENGTH,
        description: 'Saved by the member',
        [PLAIN_KEYWORD]: true,
        examples: ['No email'],
      }),
    ),
    ...ContactArguments,
    changed_jobs_since: Type.Optional({
      ...CalendarDay('Date', 'latest-first'),
      [PLAIN_KEYWORD]: true,
    }),
    limit: pageLimit(),
    cursor: Type.Optional(CURSOR),
  }),
  output: PageOfConnections,
  async run(call, { view, limit = 20, cursor, ...input }) {
    const { db } = call
    if (view !== undefined) {
      if (Object.keys(input).length > 0)
        throw new RequestError(
          'invalid_request',
          'view can only be combined with limit and cursor. Remove the other arguments.',
        )
      const { page, isByContact } = await listView(call, view, limit, cursor)
      return pageOfConnections(db, page, { withContact: isByContact })
    }
    const { tag, changed_jobs_since: since } = input
    const contact = contactFilterOf(input)
    const sort =
      since === undefined ? (input.sort ?? naturalSort(contact)) : ('job_change' as const)
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
  },
})

function naturalSort({ dueBy, lastContactBefore }: ReturnType<typeof contactFilterOf>) {
  if (dueBy !== undefined) return 'due'
  return lastContactBefore === undefined ? 'name' : 'last_contact'
}

/** The people of a saved view in its order. Its words are not read as a question. */
async function listView(
  { db, now, caller }: Pick<ReadCall, 'db' | 'now' | 'caller'>,
  name: string,
  limit: number,
  cursor: string | undefined,
): Promise<{ readonly page: ConnectionPage; readonly isByContact: boolean }> {
  const { viewId, query } = await requireView(db, name)
  const fields = await readCustomFields(db)
  const asked = peopleQueryOf(readListState(query), { fields, today: dayAt(now), now })
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
  const page = {
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
  return { page, isByContact }
}
