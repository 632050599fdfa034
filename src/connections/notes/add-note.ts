/** Adds a note to a connection and records the change, for the tool and the form. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { CalendarDay } from '../../tools/arguments/calendar-day.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { publicConnectionId, type Connection } from '../model/connection.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { addNote } from './notes.ts'
import { PersonRef, formatNote, type ConnectionNote } from '../model/schemas.ts'
import { NoteText } from '../editing/connection-input.ts'
import type { WriteCall } from '../../tools/tool.ts'

export const NoteInput = Type.Object(
  {
    connection_id: PersonRef,
    text: NoteText,
    on: Type.Optional(CalendarDay('Date it is about')),
  },
  { additionalProperties: false },
)

interface WrittenNote {
  readonly note: ConnectionNote
  /** ID of the change in the activity log. */
  readonly activityId: number
}

type Call = Pick<WriteCall, 'tx' | 'now' | 'record'>

/**
 * @throws {RequestError} `not_found` when the connection does not exist.
 * @throws {RequestError} `invalid_request` when the date is not valid.
 */
export async function addNoteToConnection(
  call: Call,
  { connection_id, ...written }: Static<typeof NoteInput>,
): Promise<WrittenNote> {
  return writeNote(call, await requireConnection(call.tx, connection_id), written)
}

/** @throws {RequestError} `invalid_request` when the date is not valid. */
export async function writeNote(
  { tx, now, record }: Call,
  connection: Connection,
  { text, on }: { readonly text: string; readonly on?: string | undefined },
): Promise<WrittenNote> {
  const happenedOn = on === undefined ? null : requireDay(on, 'on')
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
