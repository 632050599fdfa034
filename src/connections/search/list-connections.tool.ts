/** list_connections: pages through the whole network in a chosen order. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { CURSOR, pageLimit } from '../../tools/result-json.ts'
import { MAX_TAG_LENGTH } from '../../contact-files/contact/limits.ts'
import { CalendarDay } from '../../tools/arguments/calendar-day.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { PageOfConnections, pageOfConnections } from './connection-page.ts'
import { listConnections } from './connection-lists.ts'

export const listConnectionsTool = defineReadTool({
  name: 'list_connections',
  title: 'List connections',
  description:
    'List or browse all contacts by name, or newest first by date met (recent) or added; also who changed jobs ' +
    'since a date. To find people, use search_connections.',
  credits: 1,
  input: Type.Object(
    {
      sort: Type.Optional(
        Type.Enum(['name', 'recent', 'added'], {
          type: 'string',
          default: 'name',
          description: 'Default name',
        }),
      ),
      tag: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_TAG_LENGTH,
          description: 'Only with this tag',
          [PLAIN_KEYWORD]: true,
          examples: ['investor'],
        }),
      ),
      changed_jobs_since: Type.Optional(CalendarDay('Date')),
      limit: pageLimit(),
      cursor: Type.Optional(CURSOR),
    },
    { additionalProperties: false },
  ),
  output: PageOfConnections,
  async run({ db }, { sort = 'name', tag, changed_jobs_since: since, limit = 20, cursor }) {
    const tagged = tag === undefined ? {} : { tag }
    if (since === undefined)
      return pageOfConnections(db, await listConnections(db, { sort, ...tagged }, limit, cursor))
    const query = {
      sort: 'job_change' as const,
      since: requireDay(since, 'changed_jobs_since'),
      ...tagged,
    }
    const page = await listConnections(db, query, limit, cursor)
    return pageOfConnections(db, page, { withFormer: true })
  },
})
