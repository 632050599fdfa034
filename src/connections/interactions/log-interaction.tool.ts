/** log_interaction: records a call, meeting or message with people, or changes one. */

import * as Type from '../../base/type.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { FollowUpDetails, formatFollowUp } from '../follow-ups/follow-up-schemas.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import { formatInteraction, InteractionDetails } from './interaction-schemas.ts'
import { dayOfInteraction } from './interaction-store.ts'
import { InteractionInput, logInteraction } from './log-interaction.ts'

const PLANNED =
  'This is in the future. It counts as contact only after that date; change on if it has happened.'

export const logInteractionTool = defineWriteTool({
  name: 'log_interaction',
  title: 'Log contact',
  description:
    'Record or log a meeting, call or message, coffee or lunch with 1-50 people I met, which ' +
    'sets their last contact; with interaction_id changes one. Returns it. For a plain note use ' +
    'save_note.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: InteractionInput,
  output: Type.Closed({
    ...InteractionDetails.properties,
    people: Type.Array(NamedConnection, { description: 'In the order given' }),
    follow_up: Type.Optional(FollowUpDetails),
    hint: Type.Optional(Type.String({ description: 'If it is in the future' })),
    activity_id: Type.Optional(Type.String()),
  }),
  async run(call, input) {
    const { interaction, people, followUp, activityId } = await logInteraction(call, input)
    return {
      ...formatInteraction(interaction),
      people: people.map(namedOf),
      ...(followUp && { follow_up: formatFollowUp(followUp, call) }),
      ...(dayOfInteraction(interaction) > dayInZone(call.caller.timeZone, call.now) && {
        hint: PLANNED,
      }),
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})
