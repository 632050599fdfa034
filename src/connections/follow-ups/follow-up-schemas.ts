/** Schemas of follow-ups in tool results. Empty fields are omitted. */

import Type, { type Static } from 'typebox'
import { publicIdPattern } from '../../base/public-id.ts'
import { rfc3339 } from '../../base/clock.ts'
import { freeText } from '../../tools/free-text.ts'
import { dayAt } from '../model/calendar-day.ts'
import { publicConnectionId } from '../model/connection.ts'
import { publicFollowUpId, type FollowUp } from './follow-ups.ts'

export const FollowUpId = Type.String({
  pattern: publicIdPattern('f'),
  description: 'f_… ID from list_follow_ups',
  examples: ['f_3'],
})

/** `recurrence` is omitted when it does not recur; `overdue` means due before today, in UTC. */
export const FollowUpDetails = Type.Object(
  {
    follow_up_id: Type.String(),
    connection_id: Type.String(),
    text: freeText('text', Type.String()),
    due_on: Type.String(),
    recurrence: Type.Optional(Type.String()),
    overdue: Type.Optional(Type.Boolean()),
    completed_at: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type FollowUpDetails = Static<typeof FollowUpDetails>

export function formatFollowUp(followUp: FollowUp, now: number): FollowUpDetails {
  const { recurrence, completedAt } = followUp
  return {
    follow_up_id: publicFollowUpId(followUp.followUpId),
    connection_id: publicConnectionId(followUp.connectionId),
    text: followUp.text,
    due_on: followUp.dueOn,
    ...(recurrence !== 'none' && { recurrence }),
    ...(completedAt === null && followUp.dueOn < dayAt(now) && { overdue: true }),
    ...(completedAt !== null && { completed_at: rfc3339(completedAt) }),
  }
}
