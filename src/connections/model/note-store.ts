/** The notes of connections. */

import { column, selected } from '../../records/columns.ts'
import { recordedTable, type RowIn } from '../../records/recorded-table.ts'
import { memberStatement } from '../../db/statement.ts'
import { publicConnectionId } from './connection.ts'
import { recordSearchChanges } from './search-changes.ts'
import type { MemberReader } from '../../db/database.ts'

export const NOTES = recordedTable({
  table: 'notes',
  key: 'noteId',
  counter: 'last_note',
  prefix: 'n',
  noun: 'note',
  plural: 'notes',
  title: 'Note',
  listedBy: 'list_timeline',
  actions: { add: 'note.add', change: 'note.update', remove: 'note.delete' },
  isKept: true,
  isWhole: true,
  columns: {
    noteId: column<number>(),
    connectionId: column<number>(),
    text: column<string>(),
    /** YYYY-MM-DD: the date it is about. */
    happenedOn: column<string | null>(),
    origin: column<'typed' | 'import'>(),
    createdAt: column<number>(),
    updatedAt: column<number>(),
  },
  logged: {
    // A merge moves a note, which its text and date do not depend on.
    connection_id: { write: ({ connectionId }) => publicConnectionId(connectionId) },
    text: 'text',
    on: 'happenedOn',
  },
  people: ({ connectionId }) => [connectionId],
  written: (tx, { people }) => recordSearchChanges(tx, people),
})

export type Note = RowIn<typeof NOTES>

/** The notes of each of these connections, oldest first. */
export async function notesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Note[]>> {
  const notes = new Map<number, Note[]>()
  if (ids.length === 0) return notes
  for (const note of await reader.all(NOTES_OF, { ids: [...new Set(ids)] })) {
    const there = notes.get(note.connectionId)
    if (there) there.push(note)
    else notes.set(note.connectionId, [note])
  }
  return notes
}

/** At most so many of the latest notes of each of these connections, newest first. */
export async function newestNotesOf(
  reader: MemberReader,
  ids: readonly number[],
  limit: number,
): Promise<Map<number, Note[]>> {
  const rows = await reader.all(NEWEST_NOTES, { ids: [...new Set(ids)], limit })
  return Map.groupBy(rows, ({ connectionId }) => connectionId)
}

interface OlderNotes {
  readonly connectionId: number
  /** The number of the note that they precede. */
  readonly before: number
  readonly limit: number
}

/** Newest first. */
export async function olderNotesOf(
  reader: MemberReader,
  { connectionId, before, limit }: OlderNotes,
): Promise<Note[]> {
  return reader.all(OLDER_NOTES, { connection: connectionId, before, limit })
}

/** The text of every note of these connections, including deleted notes. An import does not add these again. */
export async function noteTextsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Set<string>>> {
  const texts = new Map<number, Set<string>>()
  if (ids.length === 0) return texts
  for (const { connection_id, text } of await reader.all(NOTE_TEXTS_OF, { ids })) {
    const there = texts.get(connection_id)
    if (there) there.add(text)
    else texts.set(connection_id, new Set([text]))
  }
  return texts
}

export const NOTE_COLUMNS = selected(NOTES.columns, 'n')

/** By notes_by_connection. */
const NOTES_OF = memberStatement<{ ids: readonly number[] }, Note>()(`
  select ${NOTE_COLUMNS} from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id and n.deleted_at is null
  order by n.connection_id, n.note_id`)

/** By notes_by_connection. */
const NEWEST_NOTES = memberStatement<{ ids: readonly number[]; limit: number }, Note>()(`
  select ${NOTE_COLUMNS} from notes n newest (connection_id = :ids...bigint by note_id limit :limit)
  where n.member_id = :member_id
  order by n.connection_id, n.note_id desc`)

/** By notes_by_connection. */
const OLDER_NOTES = memberStatement<{ connection: number; before: number; limit: number }, Note>()(`
  select ${NOTE_COLUMNS} from notes n
  where n.member_id = :member_id and n.connection_id = :connection and n.note_id < :before
    and n.deleted_at is null
  order by n.note_id desc limit :limit`)

const NOTE_TEXTS_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; text: string }
>()(`
  select n.connection_id, n.text from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id order by n.connection_id, n.note_id`)
