/** merge_connections: merges several connections of the same person into one. */

import Type from 'typebox'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { publicConnectionId } from '../model/connection.ts'
import { mergeConnections, MergeInput } from './merge-connections.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'

export const mergeConnectionsTool = defineWriteTool({
  name: 'merge_connections',
  title: 'Merge connections',
  description:
    'Merges the connections merge_ids into keep_id, the same person: fills its empty fields without overwriting, combines ' +
    'emails, phones, links and tags, and moves notes and follow-ups. Deletes the merged connections; imports that match ' +
    'them update the kept one. Can be undone for 30 days. Returns a summary of the kept one.',
  effect: 'destructive',
  idempotent: false,
  credits: 2,
  input: MergeInput,
  output: Type.Object(
    {
      activity_id: Type.String({ description: 'For undo' }),
      merged: Type.Array(Type.String()),
      filled: Type.Array(Type.String(), { description: 'Fields of the kept one that changed' }),
      moved_notes: Type.Integer(),
      moved_follow_ups: Type.Integer(),
      connection: ConnectionSummary,
    },
    { additionalProperties: false },
  ),
  async run({ tx, now, record }, { keep_id, merge_ids }) {
    const { kept, merged, change, ...merge } = await mergeConnections(tx, keep_id, merge_ids, now)
    const activityId = await record(change)
    return {
      activity_id: publicActivityId(activityId),
      merged: merged.map(({ connectionId }) => publicConnectionId(connectionId)),
      filled: [...merge.filled],
      moved_notes: merge.movedNotes,
      moved_follow_ups: merge.movedFollowUps,
      connection: summaryOf(kept.connection, kept.tags),
    }
  },
})
