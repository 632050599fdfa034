/** update_note: changes the text or the date of a note. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { CalendarDay } from '../../tools/arguments/calendar-day.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { publicConnectionId } from '../model/connection.ts'
import { NoteText } from '../editing/connection-input.ts'
import { NoteId, editNote, requireNote } from './notes.ts'

export const updateNoteTool = defineWriteTool({
  name: 'update_note',
  title: 'Update note',
  description: 'Replaces the text or date of a note. Returns note_id and connection_id.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: Type.Object(
    {
      note_id: NoteId,
      text: Type.Optional({ ...NoteText, description: 'Whole new text' }),
      on: Type.Optional(CalendarDay('Date it is about')),
      clear: Type.Optional(
        Type.Array(Type.Enum(['on'], { type: 'string' }), {
          maxItems: 1,
          description: 'To empty',
          [PLAIN_KEYWORD]: true,
        }),
      ),
    },
    { additionalProperties: false, examples: [{ note_id: 'n_4', text: 'Prefers email' }] },
  ),
  output: Type.Object(
    { note_id: Type.String(), connection_id: Type.String(), changed: Type.Boolean() },
    { additionalProperties: false },
  ),
  async run({ tx, record }, { note_id, text, on, clear = [] }) {
    if (text === undefined && on === undefined && clear.length === 0)
      throw new RequestError('invalid_request', 'No fields to update. Provide text, on or clear.')
    if (on !== undefined && clear.length > 0)
      throw new RequestError('invalid_request', 'on is both set and cleared. Keep only one.', {
        errors: [{ pointer: '/clear', detail: 'must not contain on, which is also set' }],
      })
    const before = await requireNote(tx, note_id)
    const happenedOn = on === undefined ? before.happenedOn : requireDay(on, 'on')
    const after = {
      ...before,
      text: text?.trim() ?? before.text,
      happenedOn: clear.length > 0 ? null : happenedOn,
    }
    const activityId = await editNote({ tx, record }, before, after)
    const connection_id = publicConnectionId(before.connectionId)
    return { note_id, connection_id, changed: activityId !== undefined }
  },
})
