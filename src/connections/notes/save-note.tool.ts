/** save_note: adds a note about people, or changes one. The form of notes adds them with `writeNotes`. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool, type Change, type Changing } from '../../tools/tool.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { NoteText } from '../editing/connection-input.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { NamedConnection, namedOf, formatNote } from '../person/connection-schemas.ts'
import { NOTES, NoteId, requireListedNote, publicNoteId, type Note } from './notes.ts'
import { recordChanged } from '../../records/record-rows.ts'
import { idsOf, publicConnectionId, type Connection } from '../model/connection.ts'
import type { AlongNote } from '../told-contacts/log-told-contacts.ts'
import { addRows } from '../../records/recorded-table.ts'
import type { Static } from 'typebox'

const Input = Type.Closed(
  {
    people: Type.Optional(peopleRefs()),
    note_id: Type.Optional({ ...NoteId, description: 'To change one: n_… from list_timeline' }),
    text: Type.Optional({ ...NoteText, description: 'Whole text', [PLAIN_KEYWORD]: true }),
    on: Type.Optional({ ...CalendarDay('Date it is about', 'latest'), [PLAIN_KEYWORD]: true }),
    clear: Type.Optional(
      Type.Array(Type.Enum(['on'], { type: 'string' }), {
        maxItems: 1,
        description: 'To empty',
        [PLAIN_KEYWORD]: true,
      }),
    ),
  },
  {
    examples: [{ people: ['First Last'], text: 'Met at the fair', on: 'yesterday' }],
  },
)
type Input = Static<typeof Input>

const Saved = Type.Closed({
  note_id: Type.String(),
  ...NamedConnection.properties,
  on: Type.Optional(Type.String({ description: 'Date it is about' })),
})

export const saveNoteTool = defineWriteTool({
  name: 'save_note',
  title: 'Save note',
  description:
    'Write down a note about 1-100 people, or change one with note_id. Returns the note_id. For ' +
    'a call, meeting or message use log_interaction.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: Input,
  output: Type.Closed({
    notes: Type.Array(Saved, { description: 'One for each person' }),
    activity_id: Type.Optional(Type.String({ description: 'For undo; absent if unchanged' })),
  }),
  async run(call, input) {
    if (input.note_id !== undefined) return change(call, input.note_id, input)
    return add(call, input)
  },
})

async function add(call: Changing, { people, text, on, clear }: Input) {
  if (people === undefined) throw invalidArgument('people', 'is required unless note_id is given')
  if (text === undefined) throw invalidArgument('text', 'is required unless note_id is given')
  if (clear !== undefined && clear.length > 0)
    throw invalidArgument(
      'clear',
      'must not be given without note_id: it empties a field of an existing note',
    )
  const connections = await requireConnections(call.tx, people)
  const { notes, activityId } = await writeNotes(call, connections, { text, on })
  const saved = connections.map((connection, index) =>
    Object.assign(
      { note_id: publicNoteId(notes[index]?.noteId ?? 0) },
      namedOf(connection),
      on !== undefined && { on },
    ),
  )
  return { notes: saved, activity_id: publicActivityId(activityId) }
}

async function change(call: Changing, note_id: string, { people, text, on, clear = [] }: Input) {
  if (people !== undefined)
    throw invalidArgument('people', 'must not be given with note_id: a note stays with its person')
  if (text === undefined && on === undefined && clear.length === 0)
    throw new RequestError('invalid_request', 'No fields to update. Provide text, on or clear.')
  if (on !== undefined && clear.length > 0)
    throw new RequestError('invalid_request', 'on is both set and cleared. Keep only one.', {
      errors: [{ pointer: '/clear', detail: 'must not contain on, which is also set' }],
    })
  const { note: before, name } = await requireListedNote(call.tx, note_id)
  const happenedOn = on === undefined ? before.happenedOn : requireDay(on, 'on')
  const after = {
    ...before,
    text: text?.trim() ?? before.text,
    happenedOn: clear.length > 0 ? null : happenedOn,
  }
  const activityId = await recordChanged(NOTES, call, [{ before, after }])
  const changed = {
    note_id,
    ...namedOf({ connectionId: before.connectionId, name }),
    ...(after.happenedOn !== null && { on: after.happenedOn }),
  }
  return {
    notes: [changed],
    ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
  }
}

interface WrittenNotes {
  readonly notes: readonly Note[]
  /** ID of the change in the activity log. */
  readonly activityId: number
}

/**
 * Adds a note about each of these people, as one change.
 *
 * @throws {RequestError} `invalid_request` when the date is not valid.
 */
export async function writeNotes(
  { tx, now, record }: Changing,
  connections: readonly Connection[],
  { text, on }: { readonly text: string; readonly on?: string | undefined },
  along?: AlongNote,
): Promise<WrittenNotes> {
  const happenedOn = on === undefined ? null : requireDay(on, 'on')
  const notes = await addRows(
    NOTES,
    tx,
    connections.map(({ connectionId }) => ({
      connectionId,
      text: text.trim(),
      happenedOn,
      origin: 'typed',
      createdAt: now,
    })),
    now,
  )
  return { notes, activityId: await record(additionOf(notes, along)) }
}

function additionOf(notes: readonly Note[], along: AlongNote | undefined): Change {
  const connections = idsOf(notes)
  const [first, ...others] = notes
  if (first && others.length === 0) {
    const connection_id = publicConnectionId(first.connectionId)
    const note = formatNote(first)
    return {
      action: 'note.add',
      subjectKind: 'note',
      subjectId: note.note_id,
      before: null,
      after: { connection_id, ...note, ...along?.states },
      connections: [...new Set([...connections, ...(along?.people ?? [])])],
    }
  }
  const withNotes = (noteIds: (note: Note) => string[]) => ({
    connections: notes.map((note) => ({
      connection_id: publicConnectionId(note.connectionId),
      notes: noteIds(note),
    })),
  })
  return {
    action: 'notes.add',
    subjectKind: 'connections',
    subjectId: String(notes.length),
    before: withNotes(() => []),
    after: withNotes(({ noteId }) => [publicNoteId(noteId)]),
    connections,
  }
}
