/** Notes: what a member writes about a connection. Their table, and how they are read. */

import { listsBy } from '../../base/lists-by.ts'
import { column, selected } from '../../records/columns.ts'
import { recordedTable, rowId, type RowIn, numberIn } from '../../records/recorded-table.ts'
import { patternContaining } from '../../db/like-pattern.ts'
import { memberStatement } from '../../db/statement.ts'
import { publicConnectionId } from '../model/connection.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { RequestError } from '../../base/request-error.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'

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

/** Such as `n_12`. */
export function publicNoteId(noteId: number): string {
  return formatPublicId('n', noteId)
}

/** The notes of each of these connections, oldest first. */
export async function notesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Note[]>> {
  const rows = ids.length === 0 ? [] : await reader.all(NOTES_OF, { ids: [...new Set(ids)] })
  return Map.groupBy(rows, ({ connectionId }) => connectionId)
}

/** The latest notes of each of these connections, newest first, at most `limit` of each. */
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

interface Containing {
  readonly text: string
  /** The connection whose own notes are left out. */
  readonly except: number
  readonly limit: number
}

/** The newest notes that contain a text, newest first. Scans the member's notes. */
export async function notesContaining(
  { heavy }: Pick<MemberDatabase, 'heavy'>,
  { text, except, limit }: Containing,
): Promise<Note[]> {
  return heavy.all(CONTAINING, { pattern: patternContaining(text), except, limit })
}

/** The text of every note of these connections, including deleted notes. An import does not add these again. */
export async function noteTextsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Set<string>>> {
  const rows = ids.length === 0 ? [] : await reader.all(NOTE_TEXTS_OF, { ids })
  const texts = listsBy(rows.map(({ connection_id, text }) => [connection_id, text]))
  return new Map([...texts].map(([id, some]) => [id, new Set(some)]))
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

/** A name in it may be in either case. */
const CONTAINING = memberStatement<{ pattern: string; except: number; limit: number }, Note>()(`
  select ${NOTE_COLUMNS} from notes n
  where n.member_id = :member_id and n.connection_id <> :except and n.deleted_at is null
    and n.text like :pattern escape '\\'
  order by n.note_id desc limit :limit`)

const NOTE_TEXTS_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; text: string }
>()(`
  select n.connection_id, n.text from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id order by n.connection_id, n.note_id`)

interface ListedNote {
  readonly note: Note
  readonly name: string
}

export const NoteId = rowId(NOTES)

/** @throws {RequestError} `not_found` when it does not exist, is deleted, or belongs to a deleted connection. */
export async function requireNote(reader: MemberReader, publicId: string): Promise<Note> {
  return (await requireListedNote(reader, publicId)).note
}

/** As `requireNote`, with the name of the connection. */
export async function requireListedNote(
  reader: MemberReader,
  publicId: string,
): Promise<ListedNote> {
  const row = await reader.get(LISTED_BY_ID, { note_id: numberIn(NOTES, publicId) })
  if (row) return listedOf(row)
  throw new RequestError('not_found', `Note ${publicId} was not found.`, {
    hint: 'Find its note_id with list_timeline.',
  })
}

type ListedRow = Note & { readonly name: string }

function listedOf({ name, ...note }: ListedRow): ListedNote {
  return { note, name }
}

/** By primary key. */
const LISTED_BY_ID = memberStatement<{ note_id: number }, ListedRow>()(`
  select ${NOTE_COLUMNS}, c.name from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and n.note_id = :note_id and n.deleted_at is null and c.deleted_at is null`)
