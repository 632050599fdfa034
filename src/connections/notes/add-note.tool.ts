/** add_note: adds a note to one connection. */

import * as Type from '../../base/type.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { NoteInput, addNoteToConnection } from './add-note.ts'

export const addNoteTool = defineWriteTool({
  name: 'add_note',
  title: 'Add note',
  description: 'Write down a note about one contact; search finds its words. Returns the note_id.',
  effect: 'write',
  additive: true,
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
