/** list_follow_ups: follow-ups sorted by due date. */

import { idsOf } from '../model/connection.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import {
  CURSOR,
  PAGE_END,
  DEFAULT_PAGE_SIZE,
  pageLimit,
  pageOf,
  hintIfEmpty,
} from '../../tools/result-pages.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { NamedFollowUp, formatNamed } from './follow-up-schemas.ts'
import { STATUSES, listFollowUps } from './follow-up-list.ts'
import { peopleRefs } from '../person/people-argument.ts'

export const listFollowUpsTool = defineReadTool({
  name: 'list_follow_ups',
  title: 'List follow-ups',
  description:
    'Show open reminders, to-dos and follow-ups by due date, overdue first. To plan or complete ' +
    'one use save_follow_up; for people without one, list_who_to_contact.',
  credits: 1,
  input: Type.Closed({
    status: Type.Optional(
      Type.Enum([...STATUSES], {
        type: 'string',
        default: 'open',
        description: 'Default open',
        [PLAIN_KEYWORD]: true,
      }),
    ),
    due_before: Type.Optional(CalendarDay('Date, exclusive', 'next-first')),
    people: Type.Optional(peopleRefs()),
    limit: pageLimit(),
    cursor: Type.Optional(CURSOR),
  }),
  output: Type.Closed({
    follow_ups: Type.Array(NamedFollowUp),
    ...PAGE_END,
  }),
  async run(call, { status = 'open', due_before, people, limit = DEFAULT_PAGE_SIZE, cursor }) {
    const { db } = call
    const named = people === undefined ? undefined : await requireConnections(db, people)
    const query = {
      status,
      ...(due_before !== undefined && { dueBefore: requireDay(due_before, 'due_before') }),
      ...(named && { people: idsOf(named) }),
    }
    const page = await listFollowUps(db, query, limit, cursor)
    const entries = page.entries.map((listed) => formatNamed(listed, call))
    const { items, end } = pageOf({ ...page, entries })
    return { follow_ups: items, ...end, ...hintIfEmpty(items, NONE) }
  },
})

const NONE =
  'No follow-ups match. Plan one with save_follow_up; list_who_to_contact suggests people.'
