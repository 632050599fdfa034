/** list_reconnects: who to contact again, and why. */

import * as Type from '../../base/type.ts'
import { dayInZone } from '../../base/calendar-day.ts'
import { pageLimit } from '../../tools/result-json.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'
import { DEFAULT_RECONNECTS, listReconnects, type Reconnect } from './reconnects.ts'

export const listReconnectsTool = defineReadTool({
  name: 'list_reconnects',
  title: 'List reconnects',
  description:
    'Lists who to contact again, most overdue first, with the reason: people past their cadence or whose usual ' +
    'rhythm broke. set_cadence with paused_until snoozes.',
  credits: 1,
  input: Type.Closed({ limit: pageLimit(DEFAULT_RECONNECTS) }),
  output: Type.Closed({
    reconnects: Type.Array(
      Type.Closed({
        ...ConnectionSummary.properties,
        reason: Type.String(),
        last_contact_on: Type.Optional(Type.String()),
        due_on: Type.Optional(Type.String()),
      }),
    ),
    hint: Type.Optional(Type.String({ description: 'If these are all' })),
  }),
  async run({ db, now, caller }, { limit = DEFAULT_RECONNECTS }) {
    const found = await listReconnects(db, dayInZone(caller.timeZone, now), limit)
    return { reconnects: found.map(reconnectJson), ...(found.length < limit && { hint: HINT }) }
  },
})

const HINT =
  'No one else has an overdue cadence or a broken rhythm. search_connections with sort last_contact lists others.'

function reconnectJson({ connection, reason, lastContactOn, dueOn }: Reconnect) {
  return {
    ...summaryOf(connection),
    reason,
    ...(lastContactOn !== null && { last_contact_on: lastContactOn }),
    ...(dueOn !== null && { due_on: dueOn }),
  }
}
