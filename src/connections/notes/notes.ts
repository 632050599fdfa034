/** The notes of a network: adding, listing and undoing them. */

import * as Type from '../../base/type.ts'
import { parsePublicId, publicIdPattern } from '../../base/public-id.ts'
import { RequestError } from '../../base/request-error.ts'
import { writeCursor, readCursor } from '../../base/cursor.ts'
import { memberStatement } from '../../db/statement.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { addNotes, NOTE_COLUMNS, type Note } from '../model/note-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import { publicConnectionId, type Connection } from '../model/connection.ts'
import { publicNoteId } from '../model/snapshot.ts'
import type { Change, WriteCall } from '../../tools/tool.ts'

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
    notes: rows.slice(0, limit).map(listedOf),
    hasMore: rows.length > limit,
    cursorAfter: (index) => writeCursor(question, [rows[index]?.noteId ?? 0]),
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
  const row = await reader.get(LISTED_BY_ID, { note_id: noteNumber(publicId) })
  if (row) return listedOf(row)
  throw new RequestError('not_found', `Note ${publicId} was not found.`, {
    hint: 'Find its note_id with list_timeline.',
  })
}

/** Stores the text and the date of a note. */
async function changeNote(tx: MemberTransaction, note: Note): Promise<void> {
  const { noteId: note_id, text, happenedOn: happened_on } = note
  await tx.run(UPDATE, { note_id, text, happened_on })
  await recordSearchChanges(tx, [note.connectionId])
}

/** Stores and records the new text and date of a note. Returns the activity ID; undefined if nothing changed. */
export async function editNote(
  { tx, record }: Pick<WriteCall, 'tx' | 'record'>,
  before: Note,
  after: Note,
): Promise<number | undefined> {
  const change = noteChangeOf(before, after)
  if (!change) return undefined
  await changeNote(tx, after)
  return record(change)
}

/** Undefined when nothing changed. */
function noteChangeOf(before: Note, after: Note): Change | undefined {
  if (before.text === after.text && before.happenedOn === after.happenedOn) return undefined
  return {
    action: UPDATE_ACTION,
    ...subjectOf(before),
    before: recorded(before),
    after: recorded(after),
  }
}

/** Returns the change for the activity log. */
export async function deleteNote(tx: MemberTransaction, note: Note, now: number): Promise<Change> {
  await tx.run(SET_DELETED, { note_id: note.noteId, deleted_at: now })
  await recordSearchChanges(tx, [note.connectionId])
  return { action: 'note.delete', ...subjectOf(note), before: recorded(note), after: null }
}

const UPDATE_ACTION = 'note.update'

function subjectOf({ noteId, connectionId }: Note) {
  return { subjectKind: 'note', subjectId: publicNoteId(noteId), connections: [connectionId] }
}

/** What the activity log stores of a note. */
interface RecordedNote {
  readonly connection_id: string
  readonly text: string
  /** A note that was added without a date has none. */
  readonly on?: string | null
}

function recorded({ connectionId, text, happenedOn }: Note): RecordedNote {
  return { connection_id: publicConnectionId(connectionId), text, on: happenedOn }
}

/** The number in a public ID; 0, which no note has, for any other text. */
function noteNumber(publicId: string): number {
  return parsePublicId('n', publicId) ?? 0
}

/** Removes a note that was added, restores one that was deleted, and reverts a change. */
export const noteUndoer: Undoer = {
  actions: ['note.add', UPDATE_ACTION, 'note.delete'],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    const note_id = noteNumber(subjectId)
    const note = await tx.get(PRESENT, { note_id })
    if (!note || (note.deleted_at === null) !== (after !== null)) throw changedSince(subjectId)
    // As recorded above, or swapped by an undo.
    const [was, is] = [before as RecordedNote | null, after as RecordedNote | null]
    if (is && (note.text !== is.text || note.happened_on !== (is.on ?? null)))
      throw changedSince(subjectId)
    if (was && is) await tx.run(UPDATE, { note_id, text: was.text, happened_on: was.on ?? null })
    else await tx.run(SET_DELETED, { note_id, deleted_at: was === null ? now : null })
    await recordSearchChanges(tx, [note.connection_id])
    const connections = [note.connection_id]
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** Higher than every note number. */
const LAST_NOTE = 2 ** 31 - 1

type ListedRow = Note & { readonly name: string }

function listedOf({ name, ...note }: ListedRow): ListedNote {
  return { note, name }
}

const LISTED = `${NOTE_COLUMNS}, c.name`

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

/** By primary key. */
const LISTED_BY_ID = memberStatement<{ note_id: number }, ListedRow>()(`
  select ${LISTED} from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and n.note_id = :note_id and n.deleted_at is null and c.deleted_at is null`)

interface PresentNote {
  readonly connection_id: number
  readonly text: string
  readonly happened_on: string | null
  readonly deleted_at: number | null
}

const UPDATE = memberStatement<{ note_id: number; text: string; happened_on: string | null }>()(`
  update notes set text = :text, happened_on = :happened_on
  where member_id = :member_id and note_id = :note_id`)

const PRESENT = memberStatement<{ note_id: number }, PresentNote>()(`
  select connection_id, text, happened_on, deleted_at from notes where member_id = :member_id and note_id = :note_id`)

const SET_DELETED = memberStatement<{ note_id: number; deleted_at: number | null }>()(`
  update notes set deleted_at = :deleted_at where member_id = :member_id and note_id = :note_id`)
