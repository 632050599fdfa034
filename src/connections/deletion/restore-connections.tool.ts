/** restore_connections: restores deleted connections. */

import * as Type from '../../base/type.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { NamedConnection, namedOf } from '../model/schemas.ts'
import { ManyPeople, SkippedConnections, restoreConnections } from './deletion.ts'

export const restoreConnectionsTool = defineWriteTool({
  name: 'restore_connections',
  title: 'Restore connections',
  description:
    'Bring back deleted contacts: restores and returns people deleted in the last 30 days.',
  effect: 'write',
  idempotent: true,
  credits: 0,
  input: Type.Closed({ people: ManyPeople }),
  output: Type.Closed({ restored: Type.Array(NamedConnection), left_alone: SkippedConnections }),
  async run({ tx, now, record }, { people }) {
    const { done, skipped, isAnyKnown, change } = await restoreConnections(tx, people, now)
    if (!isAnyKnown) await requireConnections(tx, people)
    if (change) await record(change)
    return {
      restored: done.map(namedOf),
      ...(skipped.length > 0 && { left_alone: skipped }),
    }
  },
})
