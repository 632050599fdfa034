/** save_follow_up: plans follow-ups with people, changes an open one, or completes it. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { invalidArgument } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { peopleRefs } from '../model/schemas.ts'
import { markFollowUpComplete } from './complete-follow-up.ts'
import { NamedFollowUp, formatNamed, formatSaved } from './follow-up-schemas.ts'
import { FollowUpInput, setFollowUp } from './set-follow-up.ts'
import { setFollowUps } from './set-follow-ups.ts'
import type { FollowUp } from './follow-ups.ts'
import type { WriteCall } from '../../tools/tool.ts'

const { connection_id: _, ...FIELDS } = FollowUpInput.properties

const Input = Type.Object(
  {
    people: Type.Optional(peopleRefs()),
    ...FIELDS,
    done: Type.Optional(Type.Boolean({ description: 'true completes follow_up_id' })),
  },
  {
    additionalProperties: false,
    examples: [{ people: ['Grace Hopper'], text: 'Send the slides', due_on: 'in two weeks' }],
  },
)
type Input = Static<typeof Input>

const Saved = Type.Object(
  {
    ...NamedFollowUp.properties,
    activity_id: Type.Optional(Type.String({ description: 'For undo; absent if unchanged' })),
  },
  { additionalProperties: false },
)
type Saved = Static<typeof Saved>

export const saveFollowUpTool = defineWriteTool({
  name: 'save_follow_up',
  title: 'Save follow-up',
  description:
    'Plans a reminder to get in touch with 1-100 people; with follow_up_id changes one or marks it as done (free). ' +
    'Returns it, and the next of a recurring one. list_follow_ups shows what is due; no message is sent.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  isFree: (input) => input.done === true && !changesFields(input),
  input: Input,
  output: Type.Object(
    {
      ...Type.Partial(Saved).properties,
      next: Type.Optional(NamedFollowUp),
      results: Type.Optional(Type.Array(NamedFollowUp, { description: 'For several people' })),
    },
    { additionalProperties: false },
  ),
  async run(call, { follow_up_id, ...input }) {
    if (follow_up_id !== undefined) return change(call, follow_up_id, input)
    return plan(call, input)
  },
})

type Fields = Omit<Input, 'follow_up_id'>

async function plan(call: WriteCall, { people, done, text, due_on, recurrence }: Fields) {
  if (done === true) throw invalidArgument('follow_up_id', 'is required with done')
  if (people === undefined)
    throw invalidArgument('people', 'is required unless follow_up_id is given')
  if (text === undefined) throw invalidArgument('text', 'is required unless follow_up_id is given')
  if (due_on === undefined)
    throw invalidArgument('due_on', 'is required unless follow_up_id is given')
  const { made, activityId } = await setFollowUps(call, people, { text, due_on, recurrence })
  const [one, ...others] = made
  return one && others.length === 0
    ? savedOf(call, one.followUp, activityId)
    : {
        results: made.map((each) => formatNamed(each, call)),
        activity_id: publicActivityId(activityId),
      }
}

async function change(call: WriteCall, follow_up_id: string, input: Fields) {
  const { people = [], done, ...fields } = input
  const [connection_id, ...others] = people
  if (others.length > 0)
    throw invalidArgument('people', 'must have one person when follow_up_id is given')
  let saved: Saved | undefined
  if (done !== true || changesFields(input)) {
    const changes = { ...fields, ...(connection_id !== undefined && { connection_id }) }
    const { followUp, activityId } = await setFollowUp(call, { ...changes, follow_up_id })
    saved = await savedOf(call, followUp, activityId)
  }
  if (done !== true && saved) return saved
  const complete = await markFollowUpComplete(call, follow_up_id, call.caller.timeZone)
  return {
    ...(await savedOf(call, complete.done, complete.activityId)),
    ...(complete.next && { next: await formatSaved(complete.next, call) }),
  }
}

function changesFields({ people, text, due_on, recurrence }: Fields): boolean {
  return [people, text, due_on, recurrence].some((value) => value !== undefined)
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
