/** delete_note: deletes a note. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import { shorten } from '../editing/confirmation-text.ts'
import { NOTES, NoteId, requireListedNote } from './notes.ts'
import { recordRemoved } from '../../records/record-rows.ts'

export const deleteNoteTool = defineWriteTool({
  name: 'delete_note',
  title: 'Delete note',
  description: 'Delete a note. Returns the activity_id for undo.',
  effect: 'destructive',
  idempotent: false,
  credits: 1,
  input: Type.Closed({ note_id: NoteId }),
  output: Type.Closed({
    note_id: Type.String(),
    ...NamedConnection.properties,
    activity_id: Type.String(),
  }),
  async question(reader, { note_id }) {
    const { name } = await requireListedNote(reader, note_id)
    return `Delete a note about ${shorten(name)}? You can undo this.`
  },
  async run(call, { note_id }) {
    const { note, name } = await requireListedNote(call.tx, note_id)
    const activityId = await recordRemoved(NOTES, call, [note])
    return {
      note_id,
      ...namedOf({ connectionId: note.connectionId, name }),
      activity_id: publicActivityId(activityId),
    }
  },
})
