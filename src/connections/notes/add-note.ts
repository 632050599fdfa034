/** A note written about somebody, and recorded: what the tool does, and the form on a connection's page. */

import Type, { type Static } from 'typebox'
import { dayArgument, requireDay } from '../model/calendar-day.ts'
import { publicConnectionId } from '../model/connection.ts'
import { requireConnection } from '../editing/edit.ts'
import { addNote } from './notes.ts'
import { ConnectionId, formatNote, type ConnectionNote } from '../model/schemas.ts'
import { NoteText } from '../editing/connection-input.ts'
import type { WriteCall } from '../../tools/tool.ts'

export const NoteInput = Type.Object(
  {
    connection_id: ConnectionId,
    text: NoteText,
    on: Type.Optional(dayArgument()),
  },
  { additionalProperties: false },
)

export interface WrittenNote {
  readonly note: ConnectionNote
  /** The number of the change in the activity. */
  readonly activityId: number
}

/** Refuses `not_found` for a connection that is not there, and a day that does not exist. */
export async function addNoteToConnection(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  { connection_id, text, on }: Static<typeof NoteInput>,
): Promise<WrittenNote> {
  const happenedOn = on === undefined ? null : requireDay(on, 'on')
  const connection = await requireConnection(tx, connection_id)
  const note = formatNote(await addNote(tx, connection, { text: text.trim(), happenedOn }, now))
  const activityId = await record({
    action: 'note.add',
    subjectKind: 'note',
    subjectId: note.note_id,
    before: null,
    after: { connection_id: publicConnectionId(connection.connectionId), ...note },
    connections: [connection.connectionId],
  })
  return { note, activityId }
}
