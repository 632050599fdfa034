/** complete_follow_up: it is done; one that recurs rolls on to its next day. */

import Type from 'typebox'
import { defineWriteTool } from '../../tools/tool.ts'
import { markFollowUpComplete } from './complete-follow-up.ts'
import { FollowUpDetails, FollowUpId, formatFollowUp } from './follow-up-schemas.ts'

export const completeFollowUpTool = defineWriteTool({
  name: 'complete_follow_up',
  title: 'Complete a follow-up',
  description:
    'Marks a follow-up as done. One that recurs is followed by a new one on its next day after today, which comes back ' +
    'as next. One that is done already stays as it is. Free.',
  effect: 'write',
  idempotent: true,
  credits: 0,
  input: Type.Object({ follow_up_id: FollowUpId }, { additionalProperties: false }),
  output: Type.Object(
    { follow_up: FollowUpDetails, next: Type.Optional(FollowUpDetails) },
    { additionalProperties: false },
  ),
  async run(call, { follow_up_id }) {
    const { done, next } = await markFollowUpComplete(call, follow_up_id)
    return {
      follow_up: formatFollowUp(done, call.now),
      ...(next && { next: formatFollowUp(next, call.now) }),
    }
  },
})
