/** Schemas of follow-ups in tool results. Empty fields are omitted. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { localTimeAt } from '../../dates/time-zone.ts'
import { publicIdPattern } from '../../base/public-id.ts'
import { rfc3339 } from '../../base/clock.ts'
import { freeText } from '../../tools/free-text.ts'
import { findConnection } from '../model/connection-store.ts'
import type { ListedFollowUp } from './follow-up-list.ts'
import type { ToolCall, WriteCall } from '../../tools/tool.ts'
import { publicConnectionId } from '../model/connection.ts'
import { promisedBy } from './promise.ts'
import { isPast, publicFollowUpId, type FollowUp } from './follow-ups.ts'

export const FollowUpId = Type.String({
  pattern: publicIdPattern('f'),
  description: 'f_… from list_follow_ups',
  examples: ['f_999999'],
})

/** `time` is local; `recurrence` is omitted when it does not recur; `overdue` means due before now where the member is. */
export const FollowUpDetails = Type.Closed({
  follow_up_id: Type.String(),
  connection_id: Type.Optional(Type.String()),
  text: freeText('text', Type.String()),
  due_on: Type.String(),
  time: Type.Optional(Type.String()),
  recurrence: Type.Optional(Type.String()),
  overdue: Type.Optional(Type.Boolean()),
  promised_by: Type.Optional(Type.String({ description: 'me or them, if the text says so' })),
  completed_at: Type.Optional(Type.String()),
})
export type FollowUpDetails = Static<typeof FollowUpDetails>

/** With the name of its person, if it has one. */
export const NamedFollowUp = Type.Closed({
  ...FollowUpDetails.properties,
  name: Type.Optional(Type.String()),
})
export type NamedFollowUp = Static<typeof NamedFollowUp>

/** A listed follow-up as tools return it. */
export function formatNamed({ followUp, name }: ListedFollowUp, call: ToolCall): NamedFollowUp {
  const by = promisedBy(followUp.text, name)
  return {
    ...formatFollowUp(followUp, call),
    ...(by && { promised_by: by }),
    ...(name !== null && { name }),
  }
}

/** Reads the name of its person. */
export async function formatSaved(followUp: FollowUp, call: WriteCall): Promise<NamedFollowUp> {
  const { connectionId: id } = followUp
  const person = id === null ? undefined : await findConnection(call.tx, id)
  return formatNamed({ followUp, name: person?.name ?? null }, call)
}

/** A follow-up as tools return it. */
export function formatFollowUp(
  followUp: FollowUp,
  { caller, now }: Pick<ToolCall, 'caller' | 'now'>,
): FollowUpDetails {
  const { connectionId, dueTime, recurrence, completedAt } = followUp
  const isOverdue = completedAt === null && isPast(followUp, localTimeAt(caller.timeZone, now))
  return {
    follow_up_id: publicFollowUpId(followUp.followUpId),
    ...(connectionId !== null && { connection_id: publicConnectionId(connectionId) }),
    text: followUp.text,
    due_on: followUp.dueOn,
    ...(dueTime !== '' && { time: dueTime }),
    ...(recurrence !== 'none' && { recurrence }),
    ...(isOverdue && { overdue: true }),
    ...(completedAt !== null && { completed_at: rfc3339(completedAt) }),
  }
}
