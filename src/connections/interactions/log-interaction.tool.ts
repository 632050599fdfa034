/** log_interaction: records a call, meeting or message with people, or changes one. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import { NamedConnection, namedOf } from '../model/schemas.ts'
import { formatInteraction, InteractionDetails } from './interaction-schemas.ts'
import { InteractionInput, logInteraction } from './log-interaction.ts'

export const logInteractionTool = defineWriteTool({
  name: 'log_interaction',
  title: 'Log interaction',
  description:
    'Records a call, meeting or message with 1 to 50 people, which sets their last contact, or changes one. Returns it.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: InteractionInput,
  output: Type.Closed({
    ...InteractionDetails.properties,
    people: Type.Array(NamedConnection, { description: 'In the order given' }),
    follow_up_id: Type.Optional(Type.String()),
    activity_id: Type.Optional(Type.String()),
  }),
  async run(call, input) {
    const { interaction, people, followUp, activityId } = await logInteraction(call, input)
    return {
      ...formatInteraction(interaction),
      people: people.map(namedOf),
      ...(followUp && { follow_up_id: publicFollowUpId(followUp.followUpId) }),
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})
