/** set_follow_up: note what to do about a person, and by when; or change that. */

import Type, { type Static } from 'typebox'
import { Refusal } from '../base/refusal.ts'
import { defineWriteTool } from '../tools/tool.ts'
import { RECURRENCES, requireDay } from './calendar-day.ts'
import { requireConnection } from './edit.ts'
import { changeOf, creationOf } from './follow-up-changes.ts'
import { FollowUpDetails, FollowUpId, shownFollowUp } from './follow-up-shapes.ts'
import {
  changeFollowUp,
  createFollowUp,
  requireFollowUp,
  type FollowUpFields,
} from './follow-ups.ts'
import { ConnectionId } from './shapes.ts'
import type { MemberTransaction } from '../db/database.ts'

const LONGEST_TEXT = 500

const FollowUpInput = Type.Object(
  {
    follow_up_id: Type.Optional(FollowUpId),
    connection_id: Type.Optional(ConnectionId),
    text: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: LONGEST_TEXT,
        description: 'What to do, in a line',
      }),
    ),
    due_on: Type.Optional(Type.String({ maxLength: 10, description: 'YYYY-MM-DD' })),
    recurrence: Type.Optional(
      Type.Enum([...RECURRENCES], {
        type: 'string',
        description: 'How often again after that day; none if not given',
      }),
    ),
  },
  { additionalProperties: false },
)

export const setFollowUpTool = defineWriteTool({
  name: 'set_follow_up',
  title: 'Set a follow-up',
  description:
    'Plans something to do about a connection by a day, once or recurring: needs connection_id, text and due_on. ' +
    'With follow_up_id it changes an open one instead: what is given is set, the rest stays. Nobody is reminded by ' +
    'itself; list_follow_ups shows what is due. Returns the follow-up.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: FollowUpInput,
  output: FollowUpDetails,
  async run({ tx, now, record }, { follow_up_id, ...input }) {
    const fields = await readFields(tx, input)
    if (follow_up_id === undefined) {
      const made = await createFollowUp(tx, requireAll(fields), now)
      await record(creationOf(made))
      return shownFollowUp(made, now)
    }
    if (Object.keys(fields).length === 0)
      throw new Refusal('invalid_request', 'There is nothing to change: give at least one field.')
    const before = await requireFollowUp(tx, follow_up_id)
    if (before.completedAt !== null) throw isDone(follow_up_id)
    const after = await changeFollowUp(tx, before, fields, now)
    const change = changeOf(before, after)
    if (change) await record(change)
    return shownFollowUp(after, now)
  },
})

async function readFields(
  tx: MemberTransaction,
  { connection_id, text, due_on, recurrence }: Omit<Static<typeof FollowUpInput>, 'follow_up_id'>,
): Promise<Partial<FollowUpFields>> {
  const one = connection_id === undefined ? undefined : await requireConnection(tx, connection_id)
  return {
    ...(one && { connectionId: one.connectionId }),
    ...(text !== undefined && { text: readLine(text) }),
    ...(due_on !== undefined && { dueOn: readDueDay(due_on) }),
    ...(recurrence !== undefined && { recurrence }),
  }
}

function readLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(line)) throw refusal('text', 'must not contain control characters')
  return line
}

/** No follow-up reaches back or ahead further; and what recurs keeps a year of four digits. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31']

function readDueDay(text: string): string {
  const day = requireDay(text, 'due_on')
  if (day >= FIRST_DAY && day <= LAST_DAY) return day
  throw refusal('due_on', `must be a day from ${FIRST_DAY} to ${LAST_DAY}`)
}

function requireAll(fields: Partial<FollowUpFields>): FollowUpFields {
  const { connectionId, text, dueOn, recurrence = 'none' } = fields
  if (connectionId === undefined) throw missing('connection_id')
  if (text === undefined) throw missing('text')
  if (dueOn === undefined) throw missing('due_on')
  return { connectionId, text, dueOn, recurrence }
}

function isDone(publicId: string): Refusal {
  return new Refusal('conflict', `${publicId} is done and stays as it was.`, {
    hint: 'Set a new follow-up, or undo its completion.',
  })
}

function missing(argument: string): Refusal {
  return refusal(argument, 'is required unless follow_up_id is given')
}

function refusal(argument: string, detail: string): Refusal {
  return new Refusal('invalid_request', `${argument}: ${detail}.`, {
    errors: [{ pointer: `/${argument}`, detail }],
  })
}
