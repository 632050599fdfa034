/** add_note: write something down about one person. */

import Type from 'typebox'
import { defineWriteTool } from '../tools/tool.ts'
import { requireDay } from './calendar-day.ts'
import { publicConnectionId } from './connection.ts'
import { requireConnection } from './edit.ts'
import { addNote } from './notes.ts'
import { ConnectionId, shownNote } from './shapes.ts'
import { NoteText } from './typed-input.ts'

export const addNoteTool = defineWriteTool({
  name: 'add_note',
  title: 'Add a note',
  description:
    'Adds a note to one connection, where search_connections finds its words; on is the day it is about, such as that ' +
    'of a meeting. Returns the note_id; undo takes the note away again.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: Type.Object(
    {
      connection_id: ConnectionId,
      text: NoteText,
      on: Type.Optional(
        Type.String({ maxLength: 10, description: 'The day it is about, YYYY-MM-DD' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    { note_id: Type.String(), connection_id: Type.String(), created_at: Type.String() },
    { additionalProperties: false },
  ),
  async run({ tx, now, record }, { connection_id, text, on }) {
    const happenedOn = on === undefined ? null : requireDay(on, 'on')
    const connection = await requireConnection(tx, connection_id)
    const added = await addNote(tx, connection, { text: text.trim(), happenedOn }, now)
    const note = { connection_id: publicConnectionId(connection.connectionId), ...shownNote(added) }
    const { note_id, created_at } = note
    await record({
      action: 'note.add',
      subjectKind: 'note',
      subjectId: note_id,
      before: null,
      after: note,
    })
    return { note_id, connection_id, created_at }
  },
})
