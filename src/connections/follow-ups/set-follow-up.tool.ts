/** set_follow_up: note what to do about a person, and by when; or change that. */

import { defineWriteTool } from '../../tools/tool.ts'
import { FollowUpDetails, formatFollowUp } from './follow-up-schemas.ts'
import { FollowUpInput, setFollowUp } from './set-follow-up.ts'

export const setFollowUpTool = defineWriteTool({
  name: 'set_follow_up',
  title: 'Set a follow-up',
  description:
    'Plans something to do about a connection by a day, once or recurring: needs connection_id, text and due_on. ' +
    'With follow_up_id it changes an open one instead: what is given is set, the rest stays. Nobody is reminded; ' +
    'list_follow_ups shows what is due. Returns the follow-up.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: FollowUpInput,
  output: FollowUpDetails,
  async run(call, input) {
    return formatFollowUp((await setFollowUp(call, input)).followUp, call.now)
  },
})
