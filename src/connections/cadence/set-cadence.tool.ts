/** set_cadence: how often the member wants to be in touch with people or a tag. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { NamedConnection, namedOf } from '../model/schemas.ts'
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
  output: Type.Closed({
    changed: Type.Integer(),
    people: Type.Optional(Type.Array(NamedConnection)),
    activity_id: Type.Optional(Type.String()),
  }),
  async run(call, input) {
    const { changed, people, activityId } = await setCadence(call, input)
    return {
      changed,
      ...(people && { people: people.map(namedOf) }),
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})
