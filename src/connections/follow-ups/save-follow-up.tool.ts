/** save_follow_up: plans follow-ups with people or none, changes an open one, or completes it. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { dayInZone } from '../../dates/time-zone.ts'
import { invalidArgument } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool, type WriteCall } from '../../tools/tool.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { peopleRefs } from '../person/schemas.ts'
import { changeFollowUps } from './change-follow-ups.ts'
import { NamedFollowUp, formatSaved } from './follow-up-schemas.ts'
import { FollowUpInput, firstDueDay, nothingToUpdate, readFields } from './set-follow-up.ts'
import { FollowUpRefs, selectFollowUps } from './select-follow-ups.ts'
import { setFollowUps } from './set-follow-ups.ts'
import type { FollowUp } from './follow-ups.ts'

const { text: TEXT, due_on: DUE_ON, time: TIME, recurrence: RECURRENCE } = FollowUpInput.properties

const Input = Type.Closed(
  {
    people: Type.Optional(peopleRefs()),
    follow_up_ids: Type.Optional(FollowUpRefs),
    text: TEXT,
    due_on: DUE_ON,
    time: TIME,
    recurrence: RECURRENCE,
    done: Type.Optional(Type.Boolean({ description: 'Completes them', [PLAIN_KEYWORD]: true })),
  },
  {
    examples: [{ people: ['First Last'], text: 'Send the slides', due_on: 'in two weeks' }],
  },
)
type Input = Static<typeof Input>

const Saved = Type.Closed({
  ...NamedFollowUp.properties,
  activity_id: Type.Optional(Type.String({ description: 'For undo; absent if unchanged' })),
})
type Saved = Static<typeof Saved>

export const saveFollowUpTool = defineWriteTool({
  name: 'save_follow_up',
  title: 'Save follow-up',
  description:
    'Remind me to call, write or send something (a to-do), with 0-100 people; with follow_up_ids ' +
    'moves, changes or marks reminders as done (free): {follow_up_ids: ["overdue"], due_on: ' +
    '"Monday"}. Returns them, and the next of a recurring one. For regular contact use keep_in_touch.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  isFree: ({ done, text, due_on, time, recurrence }) =>
    done === true && [text, due_on, time, recurrence].every((value) => value === undefined),
  input: Input,
  output: Type.Closed({
    ...Type.Partial(Saved).properties,
    next: Type.Optional(NamedFollowUp),
    results: Type.Optional(Type.Array(NamedFollowUp, { description: 'For several people' })),
    hint: Type.Optional(Type.String({ description: 'If planned already or in the past' })),
  }),
  async run(call, { follow_up_ids, ...input }) {
    if (follow_up_ids !== undefined) return change(call, follow_up_ids, input)
    return plan(call, input)
  },
})

type Fields = Omit<Input, 'follow_up_ids'>

async function plan(call: WriteCall, { people = [], done, text, due_on, ...when }: Fields) {
  if (done === true) throw invalidArgument('follow_up_ids', 'is required with done')
  if (text === undefined) throw invalidArgument('text', 'is required unless follow_up_ids is given')
  const today = dayInZone(call.caller.timeZone, call.now)
  const day = due_on ?? firstDueDay(when.recurrence, today)
  if (day === undefined)
    throw invalidArgument('due_on', 'is required unless follow_up_ids is given')
  const planned = await setFollowUps(call, people, { text, due_on: day, ...when })
  const { known, activityId } = planned
  const made = planned.made.map(({ followUp }) => followUp)
  const [one, ...others] = made
  return {
    ...(one && others.length === 0
      ? await savedOf(call, one, activityId)
      : await severalOf(call, made, activityId)),
    ...(known > 0
      ? { hint: `${known} of ${made.length} was planned already and not planned again.` }
      : hintIfPast(day, today)),
  }
}

function hintIfPast(day: string | undefined, today: string) {
  return day !== undefined && day < today
    ? { hint: `${day} is in the past, so it is overdue. Give a later due_on to move it.` }
    : {}
}

async function change(call: WriteCall, refs: readonly string[], input: Fields) {
  const { people, done, ...given } = input
  const { followUps, byPeople } = await selectFollowUps(call, refs, people)
  const [connection_id, ...others] = byPeople ? [] : (people ?? [])
  if (others.length > 0)
    throw invalidArgument('people', 'must have one person when IDs of follow-ups are given')
  const moved = connection_id === undefined ? given : { ...given, connection_id }
  const fields = await readFields(call.tx, moved)
  if (done !== true && Object.keys(fields).length === 0) throw nothingToUpdate()
  const completeIn = done === true ? call.caller.timeZone : undefined
  const { changed, activityId } = await changeFollowUps(call, followUps, { fields, completeIn })
  const [one, ...more] = changed
  if (one && more.length === 0)
    return {
      ...(await savedOf(call, one.after, activityId)),
      ...hintIfPast(input.due_on, dayInZone(call.caller.timeZone, call.now)),
      ...(one.next && { next: await formatSaved(one.next, call) }),
    }
  const all = changed.flatMap(({ after, next }) => (next ? [after, next] : [after]))
  return severalOf(call, all, activityId)
}

async function severalOf(
  call: WriteCall,
  followUps: readonly FollowUp[],
  activityId: number | undefined,
) {
  return {
    results: await Promise.all(followUps.map((each) => formatSaved(each, call))),
    ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
  }
}

async function savedOf(
  call: WriteCall,
  followUp: FollowUp,
  activityId: number | undefined,
): Promise<Saved> {
  return {
    ...(await formatSaved(followUp, call)),
    ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
  }
}
