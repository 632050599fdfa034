/** update_follow_up: changes an open follow-up. */

import * as Type from '../../base/type.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { FollowUpDetails, FollowUpId, formatFollowUp } from './follow-up-schemas.ts'
import { FollowUpInput, setFollowUp } from './set-follow-up.ts'

const { follow_up_id: _, ...FIELDS } = FollowUpInput.properties

export const updateFollowUpTool = defineWriteTool({
  name: 'update_follow_up',
  title: 'Update follow-up',
  description: 'Changes an open follow-up and returns it. Fields not given stay.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: Type.Object(
    { follow_up_id: FollowUpId, ...FIELDS },
    { additionalProperties: false, examples: [{ follow_up_id: 'f_3', due_on: '2026-03-05' }] },
  ),
  output: FollowUpDetails,
  async run(call, input) {
    return formatFollowUp((await setFollowUp(call, input)).followUp, call)
  },
})
