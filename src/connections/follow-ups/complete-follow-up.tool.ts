/** complete_follow_up: marks a follow-up as done and creates the next one of a recurring follow-up. */

import * as Type from '../../base/type.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { markFollowUpComplete } from './complete-follow-up.ts'
import { FollowUpDetails, FollowUpId, formatFollowUp } from './follow-up-schemas.ts'

export const completeFollowUpTool = defineWriteTool({
  name: 'complete_follow_up',
  title: 'Complete follow-up',
  description:
    'Marks a follow-up as done and returns it. A recurring one gets its next date, returned as ' +
    'next.',
  effect: 'write',
  idempotent: true,
  credits: 0,
  input: Type.Object({ follow_up_id: FollowUpId }, { additionalProperties: false }),
  output: Type.Object(
    { follow_up: FollowUpDetails, next: Type.Optional(FollowUpDetails) },
    { additionalProperties: false },
  ),
  async run(call, { follow_up_id }) {
    const { done, next } = await markFollowUpComplete(call, follow_up_id, call.caller.timeZone)
    return {
      follow_up: formatFollowUp(done, call),
      ...(next && { next: formatFollowUp(next, call) }),
    }
  },
})
