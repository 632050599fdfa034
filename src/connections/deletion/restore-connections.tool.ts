/** restore_connections: restores deleted connections. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import { ManyPeople, SkippedConnections, restoreConnections } from './deletion.ts'

export const restoreConnectionsTool = defineWriteTool({
  name: 'restore_connections',
  title: 'Restore people',
  description:
    'Bring back deleted contacts: restores and returns people deleted in the last 30 days.',
  effect: 'write',
  idempotent: true,
  credits: 0,
  input: Type.Closed({ people: ManyPeople }),
  output: Type.Closed({ restored: Type.Array(NamedConnection), left_alone: SkippedConnections }),
  async run({ tx, now, record }, { people }) {
    const { done, skipped, isAnyKnown, change } = await restoreConnections(tx, people, now)
    if (!isAnyKnown) throw noneDeleted(skipped)
    if (change) await record(change)
    return {
      restored: done.map(namedOf),
      ...(skipped.length > 0 && { left_alone: skipped }),
    }
  },
})

/** People that one error explains. */
const MAX_EXPLAINED = 5

/** Names the deleted people that an unclear name may mean. */
function noneDeleted(skipped: readonly { connection_id: string; reason: string }[]): RequestError {
  const reasons = skipped
    .slice(0, MAX_EXPLAINED)
    .map((one) => `${one.connection_id.slice(0, 60).toWellFormed()} ${one.reason}`)
  return new RequestError('not_found', 'None of these people is a deleted connection.', {
    hint: `${reasons.join('. ')}. list_activity lists what was deleted.`,
  })
}
