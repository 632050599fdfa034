/** The notes of a network: adding, listing and undoing them. */

import { writeCursor, readCursor } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { addNotes, noteOf, type Note, type NoteRow } from '../model/connection-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Connection } from '../model/connection.ts'

/** A note and the name of its connection. */
export interface ListedNote {
  readonly note: Note
  readonly name: string
}

export interface NotePage {
  readonly notes: readonly ListedNote[]
  readonly hasMore: boolean
  /** The cursor of the page that starts after the note at `index`. */
  cursorAfter(index: number): string
}

/** The notes of one or all connections, newest first, without those of deleted connections. */
export async function listNotes(
  reader: MemberReader,
  connectionId: number | undefined,
  limit: number,
  cursor?: string,
): Promise<NotePage> {
  const question = [reader.memberId, 'notes', connectionId ?? null]
  const [before] = cursor === undefined ? [LAST_NOTE] : readCursor(question, cursor, ['number'])
  const page = { before, limit: limit + 1 }
  const rows = await (connectionId === undefined
    ? reader.all(NEWEST, page)
    : reader.all(NEWEST_OF_CONNECTION, { ...page, connection_id: connectionId }))
  return {
    notes: rows.slice(0, limit).map((row) => ({ note: noteOf(row), name: row.name })),
    hasMore: rows.length > limit,
    cursorAfter: (index) => writeCursor(question, [rows[index]?.note_id ?? 0]),
  }
}

/** `happenedOn` must be a valid date. */
export async function addNote(
  tx: MemberTransaction,
  connection: Connection,
  typed: Pick<Note, 'text' | 'happenedOn'>,
  now: number,
): Promise<Note> {
  const { connectionId } = connection
  const [note] = await addNotes(tx, [{ ...typed, connectionId, origin: 'typed', createdAt: now }])
  if (!note) throw new Error('a note was not numbered')
  await recordSearchChanges(tx, [connectionId])
  return note
}

/** Notes are added but never changed, so an undo only removes a note or restores it. */
export const noteUndoer: Undoer = {
  actions: ['note.add'],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    const note_id = Number(subjectId.slice('n_'.length))
    const wasAdded = before === null
    const note = await tx.get(PRESENT, { note_id })
    if (!note || (note.deleted_at === null) !== wasAdded) throw changedSince(subjectId)
    await tx.run(SET_DELETED, { note_id, deleted_at: wasAdded ? now : null })
    await recordSearchChanges(tx, [note.connection_id])
    const connections = [note.connection_id]
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** Higher than every note number. */
const LAST_NOTE = 2 ** 31 - 1

type ListedRow = NoteRow & { readonly name: string }

const LISTED =
  `n.note_id, n.connection_id, n.text, n.happened_on, n.origin, n.created_at, c.name` as const

/** By primary key, descending. */
const NEWEST = memberStatement<{ before: number; limit: number }, ListedRow>()(`
  select ${LISTED} from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and n.note_id < :before and n.deleted_at is null and c.deleted_at is null
  order by n.note_id desc limit :limit`)

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

const PRESENT = memberStatement<
  { note_id: number },
  { connection_id: number; deleted_at: number | null }
>()(`
  select connection_id, deleted_at from notes where member_id = :member_id and note_id = :note_id`)

const SET_DELETED = memberStatement<{ note_id: number; deleted_at: number | null }>()(`
  update notes set deleted_at = :deleted_at where member_id = :member_id and note_id = :note_id`)
