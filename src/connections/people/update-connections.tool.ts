/** update_connections: changes 1-100 people, with a note and a follow-up, in one call. */

import { isPlainObject } from '../../base/schema.ts'
import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { ChangedFields, MAX_CHANGED_FIELDS } from '../../tools/activity-log/change-summary.ts'
import { assertMayChange } from '../../tools/allowed-tools.ts'
import { MAX_CHARACTERS, written } from '../../tools/result-pages.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { changesIn } from '../editing/update-connection.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import { publicConnectionId } from '../model/connection.ts'
import { publicNoteId } from '../notes/notes.ts'
import { namedOf } from '../person/connection-schemas.ts'
import { snapshotsOf } from '../person/snapshot.ts'
import { RejectedPerson, selectPeople } from './select-people.ts'
import {
  isOnlyTags,
  updatePeople,
  UpdatePeopleInput,
  withRemovals,
  type UpdatedPerson,
} from './update-people.ts'

const UpdatedPersonResult = Type.Closed({
  connection_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(['updated', 'unchanged'], { type: 'string' }),
  version: Type.Integer(),
  changes: Type.Optional(ChangedFields),
  note_id: Type.Optional(Type.String()),
  follow_up_id: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
})
type UpdatedPersonResult = Type.Static<typeof UpdatedPersonResult>

export const updateConnectionsTool = defineWriteTool({
  name: 'update_connections',
  title: 'Update people',
  description:
    'Edit contacts: a new phone number, company or job, tag people or remove a tag, with a note and a reminder: ' +
    '{people: ["Anna Meier"], company: "Siemens", note: {text: "Met"}, follow_up: ' +
    '{due_on: "in two weeks"}}. A new company without a title ends the former job. ' +
    'where takes complete matches only. Returns changes per person.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: UpdatePeopleInput,
  output: Type.Closed({
    people: Type.Array(UpdatedPersonResult),
    rejected: Type.Optional(Type.Array(RejectedPerson)),
    activity_id: Type.Optional(Type.String({ description: 'For undo' })),
  }),
  async resolve(call, { where, ...input }) {
    if (where) assertMayChange(call.caller.limits, 'where', ['connections'])
    const { people, rejected } = await selectPeople(call, { ...input, where })
    return { ...withRemovals(input), people: [...people], leftOut: rejected }
  },
  async run(call, { where: _where, leftOut = [], ...input }) {
    const { people: _people, if_version: _version, follow_up, ...fields } = input
    const { limits } = call.caller
    if (!isOnlyTags(fields) || follow_up)
      assertMayChange(limits, 'Everything but tags', ['connections'])
    if (follow_up) assertMayChange(limits, 'follow_up', ['follow_ups'])
    const { people, rejected: unknown, activityId } = await updatePeople(call, input)
    const rejected = [...unknown, ...leftOut]
    return {
      people: fitted(people.map(resultOf)),
      ...(rejected.length > 0 && { rejected }),
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})

function resultOf({ before, after, followUp }: UpdatedPerson): UpdatedPersonResult {
  const states = snapshotsOf(before, after)
  const changes = before === after ? [] : changesIn(states, [before, after], relationText)
  const known = new Set(before.notes.map(({ noteId }) => noteId))
  const note = after.notes.find(({ noteId }) => !known.has(noteId))
  return {
    ...namedOf(after.connection),
    status: before === after && !followUp ? 'unchanged' : 'updated',
    version: after.connection.version,
    ...(changes.length > 0 && { changes: changes.slice(0, MAX_CHANGED_FIELDS) }),
    ...(changes.length > MAX_CHANGED_FIELDS && { truncated: true }),
    ...(note && { note_id: publicNoteId(note.noteId) }),
    ...(followUp && { follow_up_id: publicFollowUpId(followUp.followUpId) }),
  }
}

/** `sister: Ada Lovelace (c_3)`; undefined for other fields. */
function relationText(field: string, value: unknown): string | undefined {
  if (field !== 'relations' || !isPlainObject(value)) return undefined
  const { relation, name, connectionId } = value
  const who = `${String(name)} (${typeof connectionId === 'number' ? publicConnectionId(connectionId) : NOT_LINKED})`
  return typeof relation === 'string' ? `${relation}: ${who}` : who
}

const NOT_LINKED = 'not linked: no single connection has this whole name'

/** Without the changed values of the last people if the result would be too long. */
function fitted(people: readonly UpdatedPersonResult[]): UpdatedPersonResult[] {
  let room = MAX_CHARACTERS - written(people.map(shortResult))
  return people.map((person) => {
    room -= written(person.changes ?? [])
    return room >= 0 || !person.changes ? person : shortResult(person)
  })
}

function shortResult({ changes, ...short }: UpdatedPersonResult): UpdatedPersonResult {
  return changes ? { ...short, truncated: true } : short
}
