/** merge_connections: merges several connections of the same person into one. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { listNames } from '../editing/confirmation-text.ts'
import { publicConnectionId } from '../model/connection.ts'
import { mergeConnections, MergeInput } from './merge-connections.ts'
import { ConnectionSummary, summaryOf } from '../model/schemas.ts'
import type { MemberReader } from '../../db/database.ts'
import type { WriteCall } from '../../tools/tool.ts'

const MAX_GROUPS = 20

const GROUP = MergeInput.properties

const AS_ABOVE = { description: 'As above' }
const Group = Type.Object(
  { keep_id: { ...GROUP.keep_id, ...AS_ABOVE }, merge_ids: { ...GROUP.merge_ids, ...AS_ABOVE } },
  { additionalProperties: false },
)

const Input = Type.Object(
  {
    keep_id: Type.Optional(GROUP.keep_id),
    merge_ids: Type.Optional(GROUP.merge_ids),
    groups: Type.Optional(
      Type.Array(Group, {
        minItems: 1,
        maxItems: MAX_GROUPS,
        description: `Instead: up to ${MAX_GROUPS} groups at once, all or none`,
      }),
    ),
  },
  { additionalProperties: false, examples: [{ keep_id: 'c_12', merge_ids: ['c_15'] }] },
)

const MERGED = {
  activity_id: Type.String({ description: 'For undo' }),
  merged: Type.Array(Type.String()),
  filled: Type.Array(Type.String(), { description: 'Fields of the kept one that changed' }),
  moved_notes: Type.Integer(),
  moved_follow_ups: Type.Integer(),
  connection: ConnectionSummary,
}
const MergedObject = Type.Object(MERGED)
type Merged = Static<typeof MergedObject>

export const mergeConnectionsTool = defineWriteTool({
  name: 'merge_connections',
  title: 'Merge connections',
  description:
    'Merges connections of the same person into keep_id and returns it: fills empty fields, overwrites ' +
    'nothing, moves notes and follow-ups, deletes the others.',
  effect: 'destructive',
  idempotent: false,
  credits: 2,
  input: Input,
  output: Type.Object(
    {
      ...Type.Partial(Type.Object(MERGED)).properties,
      merges: Type.Optional(
        Type.Array(Type.Object(MERGED, { additionalProperties: false }), {
          description: 'One for each of groups',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  async question(reader, { keep_id, merge_ids, groups }) {
    if (keep_id !== undefined && merge_ids !== undefined)
      return mergeQuestion(reader, { keep_id, merge_ids })
    const [first, ...others] = groups ?? []
    if (!first || others.length === 0) return first && mergeQuestion(reader, first)
    const merged = [first, ...others].flatMap(({ merge_ids: ids }) => ids)
    const names = await listNames(reader, merged)
    return (
      names &&
      `Merge ${merged.length} duplicates (${names}) into the ${others.length + 1} connections to keep? You can undo this.`
    )
  },
  async run(call, { keep_id, merge_ids, groups }) {
    if (groups !== undefined && keep_id === undefined && merge_ids === undefined) {
      const merges: Merged[] = []
      for (const group of groups) merges.push(await merge(call, group))
      return { merges }
    }
    if (keep_id === undefined || merge_ids === undefined || groups !== undefined)
      throw new RequestError(
        'invalid_request',
        'Provide either keep_id and merge_ids, or groups for several people.',
        {
          errors: [
            {
              pointer: '/keep_id',
              detail: 'is required with merge_ids unless groups is given, and not allowed with it',
            },
          ],
        },
      )
    return merge(call, { keep_id, merge_ids })
  },
})

async function mergeQuestion(
  reader: MemberReader,
  { keep_id, merge_ids }: MergeInput,
): Promise<string | undefined> {
  const kept = await listNames(reader, [keep_id])
  const merged = await listNames(reader, merge_ids)
  if (kept === undefined || merged === undefined) return undefined
  return `Merge ${merged} (${merge_ids.join(', ')}) into ${kept} (${keep_id})? You can undo this.`
}

/** Merges one group and records it, so that each can be undone alone. */
async function merge(
  { tx, now, record }: WriteCall,
  { keep_id, merge_ids }: MergeInput,
): Promise<Merged> {
  const { kept, merged, change, ...result } = await mergeConnections(tx, keep_id, merge_ids, now)
  const activityId = await record(change)
  return {
    activity_id: publicActivityId(activityId),
    merged: merged.map(({ connectionId }) => publicConnectionId(connectionId)),
    filled: [...result.filled],
    moved_notes: result.movedNotes,
    moved_follow_ups: result.movedFollowUps,
    connection: summaryOf(kept.connection, kept.tags),
  }
}
