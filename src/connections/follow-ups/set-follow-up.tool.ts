/** set_follow_up: plans a follow-up or changes an open one. */

import { defineWriteTool } from '../../tools/tool.ts'
import { FollowUpDetails, formatFollowUp } from './follow-up-schemas.ts'
import { FollowUpInput, setFollowUp } from './set-follow-up.ts'

export const setFollowUpTool = defineWriteTool({
  name: 'set_follow_up',
  title: 'Set follow-up',
  description:
    'Plans a follow-up for a connection and returns it. No reminder is sent; list_follow_ups ' +
    'shows what is due.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: FollowUpInput,
  output: FollowUpDetails,
  async run(call, input) {
    return formatFollowUp((await setFollowUp(call, input)).followUp, call)
  },
})
