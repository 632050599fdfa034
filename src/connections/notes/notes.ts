/** The notes of a network: adding, listing and undoing them. */

import * as Type from '../../base/type.ts'
import { publicIdPattern } from '../../base/public-id.ts'
import { RequestError } from '../../base/request-error.ts'
import { writeCursor, readCursor } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { numberIn } from '../../records/recorded-table.ts'
import { undoerOf } from '../../records/restore.ts'
import { NOTE_COLUMNS, NOTES, type Note } from '../model/note-store.ts'
import type { MemberReader } from '../../db/database.ts'

interface ListedNote {
  readonly note: Note
  readonly name: string
}

interface NotePage {
  readonly notes: readonly ListedNote[]
  readonly hasMore: boolean
  /** The cursor of the page that starts after the note at `index`. */
  cursorAfter(index: number): string
}

/** The notes of a connection, newest first. */
export async function listNotes(
  reader: MemberReader,
  connectionId: number,
  limit: number,
  cursor?: string,
): Promise<NotePage> {
  const question = [reader.memberId, 'notes', connectionId]
  const [before] = cursor === undefined ? [LAST_NOTE] : readCursor(question, cursor, ['number'])
  const page = { before, limit: limit + 1, connection_id: connectionId }
  const rows = await reader.all(NEWEST_OF_CONNECTION, page)
  return {
    notes: rows.slice(0, limit).map(listedOf),
    hasMore: rows.length > limit,
    cursorAfter: (index) => writeCursor(question, [rows[index]?.noteId ?? 0]),
  }
}

/** As a tool argument. */
export const NoteId = Type.String({
  pattern: publicIdPattern('n'),
  description: 'n_… from list_timeline',
  examples: ['n_999999'],
})

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

/** Removes a note that was added, restores one that was deleted, and reverts a change. */
export const noteUndoer = undoerOf(NOTES)

/** Higher than every note number. */
const LAST_NOTE = 2 ** 31 - 1

type ListedRow = Note & { readonly name: string }

function listedOf({ name, ...note }: ListedRow): ListedNote {
  return { note, name }
}

const LISTED = `${NOTE_COLUMNS}, c.name`

/** By index notes_by_connection, descending. */
const NEWEST_OF_CONNECTION = memberStatement<
  { connection_id: number; before: number; limit: number },
  ListedRow
>()(`
  select ${LISTED} from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and n.connection_id = :connection_id and n.note_id < :before
    and n.deleted_at is null and c.deleted_at is null
  order by n.note_id desc limit :limit`)

/** By primary key. */
const LISTED_BY_ID = memberStatement<{ note_id: number }, ListedRow>()(`
  select ${LISTED} from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and n.note_id = :note_id and n.deleted_at is null and c.deleted_at is null`)
