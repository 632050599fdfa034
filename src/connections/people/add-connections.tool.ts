/** add_connections: adds 1-100 people, and what is new about people who are known already, in one call. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { assertMayChange } from '../../tools/allowed-tools.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { summarizeChange } from '../../tools/activity-log/change-summary.ts'
import { freeText } from '../../tools/free-text.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { NewConnectionFields, NewConnectionInput } from '../editing/connection-input.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import { publicConnectionId } from '../model/connection.ts'
import { MAX_PEOPLE } from '../person/people-argument.ts'
import { snapshotsOf } from '../person/snapshot.ts'
import { addEachPerson, type AddedPerson } from './add-people.ts'
import { FollowUpArgument } from '../follow-ups/follow-up-schemas.ts'
import { NoteArgument } from './people-input.ts'
import { RejectedPerson } from './select-people.ts'

const AddedPersonResult = Type.Closed({
  connection_id: Type.Optional(Type.String()),
  name: Type.String(),
  status: Type.Enum(['created', 'updated', 'unchanged', 'rejected'], { type: 'string' }),
  added: Type.Optional(Type.Array(Type.String(), { description: 'Fields that were filled' })),
  kept: Type.Optional(
    Type.Array(Type.Closed({ field: Type.String(), value: freeText('note', Type.String()) }), {
      description: 'Given values that were not taken, because there is another one',
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why the person was rejected' })),
  candidates: RejectedPerson.properties.candidates,
  follow_up_id: Type.Optional(Type.String()),
})
type AddedPersonResult = Type.Static<typeof AddedPersonResult>

export const addConnectionsTool = defineWriteTool({
  name: 'add_connections',
  title: 'Add people',
  description:
    'Add, save or create 1-100 new contacts, people I met, with tags, a note and a reminder. ' +
    'People known already only get what they lack; to change values use update_connections. ' +
    'Returns what happened per person, and why.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: Type.Closed({
    connections: Type.Array(
      Type.Closed({
        ...NewConnectionFields,
        name: Type.Optional(NewConnectionFields.name),
        note: Type.Optional({ ...NoteArgument, description: 'Note', [PLAIN_KEYWORD]: true }),
        follow_up: Type.Optional(FollowUpArgument),
        allow_duplicate: NewConnectionInput.properties.allow_duplicate,
      }),
      {
        minItems: 1,
        maxItems: MAX_PEOPLE,
        description: 'Up to 100 people',
        examples: [[{ name: 'First Last' }]],
        [PLAIN_KEYWORD]: true,
      },
    ),
  }),
  output: Type.Closed({
    created: Type.Integer(),
    people: Type.Array(AddedPersonResult, { description: 'In the order given' }),
    activity_id: Type.Optional(Type.String({ description: 'For undo' })),
  }),
  async run(call, { connections }) {
    if (connections.some(({ follow_up }) => follow_up))
      assertMayChange(call.caller.limits, 'follow_up', ['follow_ups'])
    const { people, activityId } = await addEachPerson(call, connections)
    const results = people.map(resultOf)
    return {
      created: results.filter(({ status }) => status === 'created').length,
      people: results,
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})

function resultOf(person: AddedPerson): AddedPersonResult {
  if ('rejected' in person) {
    const { given: name, ...rejected } = person.rejected
    return { name, status: 'rejected', ...rejected }
  }
  const { before, after, kept, followUp } = person
  const { connectionId, name } = after.connection
  const added = before && before !== after ? addedFields(before, after) : []
  const isChanged = before !== after || followUp !== undefined
  return {
    connection_id: publicConnectionId(connectionId),
    name,
    status: before ? (isChanged ? 'updated' : 'unchanged') : 'created',
    ...(added.length > 0 && { added }),
    ...(kept.length > 0 && { kept: [...kept] }),
    ...(followUp && { follow_up_id: publicFollowUpId(followUp.followUpId) }),
  }
}

function addedFields(
  before: NonNullable<Extract<AddedPerson, { after: unknown }>['before']>,
  after: Extract<AddedPerson, { after: unknown }>['after'],
): string[] {
  const snapshots = snapshotsOf(before, after)
  return summarizeChange(snapshots.before, snapshots.after)
    .map(({ field }) => field)
    .filter((field) => field !== 'notes')
}
