/** add_note: write something down about one person. */

import Type from 'typebox'
import { defineWriteTool } from '../../tools/tool.ts'
import { NoteInput, addNoteToConnection } from './add-note.ts'

export const addNoteTool = defineWriteTool({
  name: 'add_note',
  title: 'Add a note',
  description:
    'Adds a note to one connection, where search_connections finds its words; on is the day it is about, such as that ' +
    'of a meeting. Returns the note_id; undo takes the note away again.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: NoteInput,
  output: Type.Object(
    { note_id: Type.String(), connection_id: Type.String(), created_at: Type.String() },
    { additionalProperties: false },
  ),
  async run(call, input) {
    const { note_id, created_at } = (await addNoteToConnection(call, input)).note
    return { note_id, connection_id: input.connection_id, created_at }
  },
})
