/** set_cadence: how often the member wants to be in touch with people or a tag. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { CadenceInput, setCadence } from './set-cadence.ts'

export const setCadenceTool = defineWriteTool({
  name: 'set_cadence',
  title: 'Set cadence',
  description:
    'Sets how often to be in touch with people or a tag, or pauses or mutes them in list_reconnects. Returns the activity_id.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: CadenceInput,
  output: Type.Object(
    { changed: Type.Integer(), activity_id: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  async run(call, input) {
    const { changed, activityId } = await setCadence(call, input)
    return {
      changed,
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})
