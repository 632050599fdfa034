/** set_follow_up: plans a follow-up or changes an open one. */

import { defineWriteTool } from '../../tools/tool.ts'
import { FollowUpDetails, formatFollowUp } from './follow-up-schemas.ts'
import { FollowUpInput, setFollowUp } from './set-follow-up.ts'

export const setFollowUpTool = defineWriteTool({
  name: 'set_follow_up',
  title: 'Set follow-up',
  description:
    'Plans a follow-up for a connection by a date, once or recurring: needs connection_id, text and due_on. With ' +
    'follow_up_id, updates the given fields of an open one instead. Sends no reminders; list_follow_ups shows what is ' +
    'due. Returns the follow-up.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: FollowUpInput,
  output: FollowUpDetails,
  async run(call, input) {
    return formatFollowUp((await setFollowUp(call, input)).followUp, call.now)
  },
})
