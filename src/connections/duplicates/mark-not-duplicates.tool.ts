/** mark_not_duplicates: records that connections are different people. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { markNotDuplicates, NotDuplicatesInput } from './not-duplicates.ts'

export const markNotDuplicatesTool = defineWriteTool({
  name: 'mark_not_duplicates',
  title: 'Mark as not duplicates',
  description:
    'Remembers that these are different people, so find_duplicates no longer pairs them. ' +
    'Returns the number of new pairs.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: NotDuplicatesInput,
  output: Type.Object(
    {
      activity_id: Type.Optional(
        Type.String({ description: 'For undo; absent if nothing is new' }),
      ),
      pairs: Type.Integer({ description: 'Pairs that were not decided before' }),
    },
    { additionalProperties: false },
  ),
  async run({ tx, now, record }, { connection_ids }) {
    const { pairs, change } = await markNotDuplicates(tx, connection_ids, now)
    if (pairs.length === 0) return { pairs: 0 }
    return { activity_id: publicActivityId(await record(change)), pairs: pairs.length }
  },
})
