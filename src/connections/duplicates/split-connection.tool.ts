/** split_connection: separates two people who were merged by mistake. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { ConnectionId, ConnectionSummary, summaryOf } from '../model/schemas.ts'
import { splitConnection } from './split-connection.ts'

const MergedId = Type.String({
  ...ConnectionId,
  description: 'Merged c_… to restore, from merge_connections; default the last',
})

export const splitConnectionTool = defineWriteTool({
  name: 'split_connection',
  title: 'Split a connection',
  description:
    'Separates two people in one connection: restores the one that merge_connections merged, or else ' +
    'creates one from the contact that the last import merged. Typed values stay. Returns both.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: Type.Object(
    {
      connection_id: ConnectionId,
      merged_id: Type.Optional(MergedId),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      activity_id: Type.String({ description: 'For undo' }),
      connection: ConnectionSummary,
      other: ConnectionSummary,
    },
    { additionalProperties: false },
  ),
  async run({ tx, now, record }, { connection_id, merged_id }) {
    const split = await splitConnection(
      tx,
      { connectionId: connection_id, mergedId: merged_id },
      now,
    )
    const activityId = await record(split.change)
    return {
      activity_id: publicActivityId(activityId),
      connection: summaryOf(split.kept.connection, split.kept.tags),
      other: summaryOf(split.other.connection, split.other.tags),
    }
  },
})
