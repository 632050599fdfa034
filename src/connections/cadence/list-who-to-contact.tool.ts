/** list_who_to_contact: who to contact again, and why. */

import { idsOf } from '../model/connection.ts'
import * as Type from '../../base/type.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { pageLimit } from '../../tools/result-pages.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { listFollowUps } from '../follow-ups/follow-up-list.ts'
import { formatNamed, NamedFollowUp } from '../follow-ups/follow-up-schemas.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { ConnectionSummary, summaryOf } from '../person/connection-schemas.ts'
import { DEFAULT_RECONNECTS, listReconnects, type Reconnect } from './reconnects.ts'

export const listWhoToContactTool = defineReadTool({
  name: 'list_who_to_contact',
  title: 'List who to contact',
  description:
    'Who should I contact or reach out to again: people I have not talked to in a long time or ' +
    'am losing touch with, most overdue first, with the reason; also urgent follow-ups. ' +
    'keep_in_touch sets how often.',
  credits: 1,
  input: Type.Closed({
    exclude: Type.Optional({
      ...peopleRefs(),
      description: 'To show others',
      [PLAIN_KEYWORD]: true,
    }),
    limit: pageLimit(DEFAULT_RECONNECTS),
  }),
  output: Type.Closed({
    reconnects: Type.Array(
      Type.Closed({
        ...ConnectionSummary.properties,
        reason: Type.String(),
        last_contact_on: Type.Optional(Type.String()),
        due_on: Type.Optional(Type.String()),
      }),
    ),
    follow_ups: Type.Array(NamedFollowUp, { description: 'Overdue or due within 7 days' }),
    hint: Type.Optional(Type.String({ description: 'If these are all' })),
  }),
  async run(call, { exclude = [], limit = DEFAULT_RECONNECTS }) {
    const { db, now, caller } = call
    const today = dayInZone(caller.timeZone, now)
    const excluded = await requireConnections(db, exclude)
    const without = new Set(idsOf(excluded))
    const all = await listReconnects(db, today, limit + without.size)
    const found = all
      .filter(({ connection }) => !without.has(connection.connectionId))
      .slice(0, limit)
    const due = { status: 'open', dueBefore: daysLater(today, 8) } as const
    const { entries: followUps } = await listFollowUps(db, due, MAX_FOLLOW_UPS)
    const others = found.length > 0 ? 'No one else' : 'No one'
    return {
      reconnects: found.map(reconnectJson),
      follow_ups: followUps.map((one) => formatNamed(one, call)),
      ...(found.length < limit && { hint: `${others} ${HINT}` }),
    }
  },
})

const MAX_FOLLOW_UPS = 20

const HINT =
  'has an overdue cadence or a broken rhythm and is not paused. search_connections with sort last_contact lists others.'

function reconnectJson({ connection, reason, lastContactOn, dueOn }: Reconnect) {
  return {
    ...summaryOf(connection),
    reason,
    ...(lastContactOn !== null && { last_contact_on: lastContactOn }),
    ...(dueOn !== null && { due_on: dueOn }),
  }
}
