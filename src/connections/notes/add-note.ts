/** Adds notes to connections and records it as one change, for the tool and the form. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { publicConnectionId, type Connection } from '../model/connection.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { addRows } from '../../records/recorded-table.ts'
import { PersonRef, formatNote } from '../model/schemas.ts'
import { publicNoteId } from '../model/snapshot.ts'
import { NoteText } from '../editing/connection-input.ts'
import { NOTES, type Note } from '../model/note-store.ts'
import type { Change, WriteCall } from '../../tools/tool.ts'

export const NoteInput = Type.Closed({
  connection_id: PersonRef,
  text: NoteText,
  on: Type.Optional(CalendarDay('Date it is about', 'latest')),
})

interface WrittenNotes {
  readonly notes: readonly Note[]
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
): Promise<WrittenNotes> {
  return writeNotes(call, [await requireConnection(call.tx, connection_id)], written)
}

/**
 * Adds a note about each of these people, as one change.
 *
 * @throws {RequestError} `invalid_request` when the date is not valid.
 */
export async function writeNotes(
  { tx, now, record }: Call,
  connections: readonly Connection[],
  { text, on }: { readonly text: string; readonly on?: string | undefined },
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
  return { notes, activityId: await record(additionOf(notes)) }
}

function additionOf(notes: readonly Note[]): Change {
  const connections = notes.map(({ connectionId }) => connectionId)
  const [first, ...others] = notes
  if (first && others.length === 0) {
    const connection_id = publicConnectionId(first.connectionId)
    const note = formatNote(first)
    return {
      action: 'note.add',
      subjectKind: 'note',
      subjectId: note.note_id,
      before: null,
      after: { connection_id, ...note },
      connections,
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
