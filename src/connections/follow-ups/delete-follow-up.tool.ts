/** delete_follow_up: deletes a follow-up, open or completed. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { listNames } from '../editing/confirmation-text.ts'
import { publicConnectionId } from '../model/connection.ts'
import { FollowUpId, NamedFollowUp, formatSaved } from './follow-up-schemas.ts'
import { FOLLOW_UPS, requireFollowUp } from './follow-ups.ts'
import { recordRemoved } from '../../records/record-rows.ts'

export const deleteFollowUpTool = defineWriteTool({
  name: 'delete_follow_up',
  title: 'Delete follow-up',
  description: 'Delete a reminder. Returns it and the activity_id for undo.',
  effect: 'destructive',
  idempotent: false,
  credits: 1,
  input: Type.Closed({ follow_up_id: FollowUpId }),
  output: Type.Closed({ follow_up: NamedFollowUp, activity_id: Type.String() }),
  async question(reader, { follow_up_id }) {
    const { connectionId, text, dueOn } = await requireFollowUp(reader, follow_up_id)
    if (connectionId === null) return `Delete “${text}” due on ${dueOn}? You can undo this.`
    const name = await listNames(reader, [publicConnectionId(connectionId)])
    return name && `Delete the follow-up with ${name} due on ${dueOn}? You can undo this.`
  },
  async run(call, { follow_up_id }) {
    const followUp = await requireFollowUp(call.tx, follow_up_id)
    const activityId = await recordRemoved(FOLLOW_UPS, call, [followUp])
    const follow_up = await formatSaved(followUp, call)
    return { follow_up, activity_id: publicActivityId(activityId) }
  },
})
