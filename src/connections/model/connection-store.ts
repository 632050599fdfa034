/** Queries for one member's connections and their keys, tags and notes. */

import { normalize, nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  CONNECTION_COLUMNS,
  UNDONE,
  connectionOf,
  type Connection,
  type ConnectionRow,
} from './connection.ts'
import { addressKeysOf, keysOf } from './match-keys.ts'
import { NO_DETAILS, type Details } from './details.ts'
import { lastJobEnd } from './organizations.ts'
import { releasePhoto } from './photo-store.ts'
import { recordDeletion } from './record-deletion.ts'
import type { CustomField } from './custom-fields.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export interface Note {
  readonly noteId: number
  readonly connectionId: number
  readonly text: string
  /** YYYY-MM-DD: the date it is about. */
  readonly happenedOn: string | null
  readonly origin: 'typed' | 'import'
  readonly createdAt: number
}

/** `key` decides which tags are the same: C, C++ and C# are three, `Café` and `cafe` are one. */
export interface Tag {
  readonly tag: string
  readonly key: string
}

/** The tag with single spaces, and the key that makes spellings of it equal. */
export function tagOf(text: string): Tag {
  const tag = text.trim().replace(/\s+/g, ' ')
  return { tag, key: normalize(tag) || tag }
}

// Reading

/** Also finds deleted and merged connections. */
export async function findConnection(
  reader: MemberReader,
  connectionId: number,
): Promise<Connection | undefined> {
  const row = await reader.get(BY_ID, { connection_id: connectionId })
  return row && connectionOf(row)
}

/** Also finds deleted and merged connections. Ordered by ID. */
export async function findConnections(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Connection[]> {
  if (ids.length === 0) return []
  return (await reader.all(BY_IDS, { ids: [...new Set(ids)] })).map(connectionOf)
}

/**
 * Resolves merges: maps each ID to the connection itself, or to the one it was finally merged into. Omits connections
 * that were permanently deleted or undone; includes deleted ones that can be restored.
 */
export async function findPresent(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Connection>> {
  const found = new Map<number, Connection>()
  let wanted = ids
  while (wanted.length > 0) {
    const connections = await findConnections(reader, wanted)
    for (const connection of connections) found.set(connection.connectionId, connection)
    wanted = [...new Set(connections.flatMap(({ mergedInto }) => mergedInto ?? []))].filter(
      (id) => id !== UNDONE && !found.has(id),
    )
  }
  const present = new Map<number, Connection>()
  for (const id of ids) {
    let connection = found.get(id)
    while (connection !== undefined && connection.mergedInto !== null)
      connection = found.get(connection.mergedInto)
    if (connection) present.set(id, connection)
  }
  return present
}

/** The connections that have one of these keys, including deleted ones, in the order they were added. */
export async function findByKeys(
  reader: MemberReader,
  keys: readonly string[],
): Promise<readonly { readonly key: string; readonly connection_id: number }[]> {
  return keys.length === 0 ? [] : reader.all(BY_KEYS, { keys: [...new Set(keys)] })
}

/** The tags of each of these connections. */
export async function tagsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Tag[]>> {
  const tags = new Map<number, Tag[]>()
  if (ids.length === 0) return tags
  for (const { connection_id, tag, tag_key } of await reader.all(TAGS_OF, {
    ids: [...new Set(ids)],
  })) {
    const there = tags.get(connection_id)
    if (there) there.push({ tag, key: tag_key })
    else tags.set(connection_id, [{ tag, key: tag_key }])
  }
  return tags
}

/** The notes of each of these connections, oldest first. */
export async function notesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Note[]>> {
  const notes = new Map<number, Note[]>()
  if (ids.length === 0) return notes
  for (const row of await reader.all(NOTES_OF, { ids: [...new Set(ids)] })) {
    const note = noteOf(row)
    const there = notes.get(note.connectionId)
    if (there) there.push(note)
    else notes.set(note.connectionId, [note])
  }
  return notes
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

// Writing

/** Reserves `count` numbers for new connections and returns the first. */
export async function numberConnections(tx: MemberTransaction, count: number): Promise<number> {
  const row = await tx.get(NUMBER_CONNECTIONS, { count })
  if (!row) throw new Error(`member ${tx.memberId} has no network`)
  return row.last_connection - count + 1
}

/** Inserts new connections with their keys. */
export async function insertConnections(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  await insertConnectionRows(tx, connections)
  await insertKeys(tx, connections)
}

/** Inserts new connections without keys, for a caller that writes the keys itself. */
export async function insertConnectionRows(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  const rows = connections.map(valuesOf)
  const isPlain = rows.every((row) =>
    DEFAULTS.every((value, index) => row[index + NEEDED.length] === value),
  )
  await tx.insertMany(
    isPlain
      ? { table: 'connections', columns: NEEDED, rows: rows.map(withoutDefaults) }
      : { table: 'connections', columns: COLUMNS, rows },
  )
}

/**
 * Writes every field of an existing connection and updates its keys. Keys of earlier names and companies are kept,
 * because a file that still has them means the same person.
 */
export async function updateConnection(
  tx: MemberTransaction,
  before: Connection,
  connection: Connection,
): Promise<void> {
  await updateConnectionRows(tx, [{ before, after: connection }])
  await insertKeys(tx, [connection])
  if (connection.deletedAt !== null) await recordDeletion(tx, connection.deletedAt)
}

/** An existing connection and its new state. */
interface ConnectionUpdate {
  readonly before: Connection
  readonly after: Connection
}

/**
 * Writes every field of existing connections and removes the keys of addresses that they no longer have, for a caller that
 * writes the other keys itself.
 */
export async function updateConnectionRows(
  tx: MemberTransaction,
  updates: readonly ConnectionUpdate[],
): Promise<void> {
  for (const [changed, group] of Map.groupBy(updates, changedIndexes)) {
    const names = new Set<string>(changed.split(' '))
    const places = COLUMNS.flatMap((column, place) =>
      place > 0 && (!INDEXED.has(column) || names.has(column)) ? [place] : [],
    )
    const [key] = COLUMNS
    const sent = [0, ...places]
    await tx.updateMany({
      table: 'connections',
      key: [key],
      columns: places.map((place) => COLUMNS[place] ?? key),
      rows: group.map(({ after }) => {
        const values = valuesOf(after)
        return sent.map((place) => values[place] ?? null)
      }),
    })
  }
  await dropKeys(
    tx,
    updates.flatMap(({ before, after }) => {
      if (before.emails === after.emails && before.profileUrl === after.profileUrl) return []
      const keys = new Set(addressKeysOf(after))
      const lost = addressKeysOf(before).filter((key) => !keys.has(key))
      return lost.map((key) => ({ key, connectionId: after.connectionId }))
    }),
  )
  for (const { before, after } of updates) {
    const { photo } = before.details
    if (photo !== undefined && photo !== after.details.photo)
      await releasePhoto(tx, photo, after.updatedAt)
  }
}

/** Indexed columns. SQLite would replace their index entries even if the value stays the same. */
const INDEXED: ReadonlySet<string> = new Set(['name_key', 'connected_on', 'job_ended_on'])

/** The columns that change. */
function changedIndexes({ before, after }: ConnectionUpdate): string {
  return [
    before.name !== after.name && 'name_key',
    before.connectedOn !== after.connectedOn && 'connected_on',
    lastJobEnd(before.details) !== lastJobEnd(after.details) && 'job_ended_on',
  ]
    .filter((column) => column !== false)
    .join(' ')
}

/** Removes keys from connections, so that imports no longer match them by these. */
export async function dropKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.deleteMany({
    table: 'connection_keys',
    key: ['key', 'connection_id'],
    rows: keys.map(({ key, connectionId }) => [key, connectionId]),
  })
}

export interface ConnectionKey {
  readonly key: string
  readonly connectionId: number
}

/** Adds keys by which imports match connections. */
export async function addKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.insertMany({
    table: 'connection_keys',
    columns: ['key', 'connection_id'],
    // In index order, so that neighboring keys are written to the same page.
    rows: keys.toSorted(byKey).map(({ key, connectionId }) => [key, connectionId]),
    onConflict: 'ignore',
  })
}

/** Tags that the connection has already keep their spelling. */
export async function addTags(
  tx: MemberTransaction,
  connectionId: number,
  tags: readonly Tag[],
): Promise<void> {
  await addTagsOf(
    tx,
    tags.map((tag) => ({ ...tag, connectionId })),
  )
}

/** Adds tags to several connections. */
export async function addTagsOf(
  tx: MemberTransaction,
  tags: readonly (Tag & { readonly connectionId: number })[],
): Promise<void> {
  await tx.insertMany({
    table: 'connection_tags',
    columns: ['tag_key', 'connection_id', 'tag'],
    rows: tags.map(({ tag, key, connectionId }) => [key, connectionId, tag]),
    onConflict: 'ignore',
  })
}

/** `keys` are the keys of tags, see `tagOf`. */
export async function removeTags(
  tx: MemberTransaction,
  connectionId: number,
  keys: readonly string[],
): Promise<void> {
  await removeTagsOf(
    tx,
    keys.map((key) => ({ key, connectionId })),
  )
}

/** Removes tags from several connections. */
export async function removeTagsOf(
  tx: MemberTransaction,
  tags: readonly ConnectionKey[],
): Promise<void> {
  await tx.deleteMany({
    table: 'connection_tags',
    key: ['tag_key', 'connection_id'],
    rows: tags.map(({ key, connectionId }) => [key, connectionId]),
  })
}

/** Inserts notes, numbered in the given order. */
export async function addNotes(
  tx: MemberTransaction,
  notes: readonly Omit<Note, 'noteId'>[],
): Promise<Note[]> {
  if (notes.length === 0) return []
  const row = await tx.get(NUMBER_NOTES, { count: notes.length })
  if (!row) throw new Error(`member ${tx.memberId} has no network`)
  const first = row.last_note - notes.length + 1
  const numbered = notes.map((note, index) => ({ ...note, noteId: first + index }))
  await tx.insertMany({
    table: 'notes',
    columns: [
      'note_id',
      'connection_id',
      'text',
      'happened_on',
      'origin',
      'created_at',
      'updated_at',
    ],
    rows: numbered.map((note) => [
      note.noteId,
      note.connectionId,
      note.text,
      note.happenedOn,
      note.origin,
      note.createdAt,
      note.createdAt,
    ]),
  })
  return numbered
}

/** The text of a connection to embed. */
export interface ConnectionDocument {
  readonly connectionId: number
  readonly name: string
  readonly company: string | null
  readonly title: string | null
  readonly location: string | null
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

/** The data of a connection that semantic search embeds. */
export function documentOf(
  connection: Connection,
  tags: readonly string[],
  notes: readonly string[],
): ConnectionDocument {
  const { connectionId, name, company, title, location } = connection
  return { connectionId, name, company, title, location, tags, notes }
}

function byKey(one: ConnectionKey, other: ConnectionKey): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0
}

async function insertKeys(
  tx: MemberTransaction,
  connections: readonly Connection[],
): Promise<void> {
  await addKeys(
    tx,
    connections.flatMap((connection) =>
      keysOf(connection).map((key) => ({ key, connectionId: connection.connectionId })),
    ),
  )
}

/** The columns without which a row cannot be inserted, and those that most people have a value for. */
const NEEDED = [
  'connection_id',
  'name',
  'name_key',
  'given_name',
  'family_name',
  'company',
  'title',
  'emails',
  'profile_url',
  'connected_on',
  'source',
  'import_job_id',
  'version',
  'created_at',
  'updated_at',
] as const

const COLUMNS = [
  ...NEEDED,
  'location',
  'phones',
  'links',
  'birthday',
  'details',
  'job_ended_on',
  'field_sources',
  'deleted_at',
  'merged_into',
] as const

/** What the database stores in the columns that are not in `NEEDED`. Sending it takes as long as sending other values. */
const DEFAULTS = [null, '[]', '[]', null, '{}', null, '{}', null, null] as const

type Value = string | number | null

function withoutDefaults(row: readonly Value[]): readonly Value[] {
  return row.slice(0, NEEDED.length)
}

/** In the order of `COLUMNS`. */
function valuesOf(connection: Connection): Value[] {
  return [
    connection.connectionId,
    connection.name,
    nameKey(connection.name).slice(0, MAX_SORT_KEY_LENGTH).toWellFormed(),
    connection.givenName,
    connection.familyName,
    connection.company,
    connection.title,
    json(connection.emails),
    connection.profileUrl,
    connection.connectedOn,
    connection.source,
    connection.importJobId,
    connection.version,
    connection.createdAt,
    connection.updatedAt,
    connection.location,
    json(connection.phones),
    json(connection.links),
    connection.birthday,
    detailsJson(connection.details),
    lastJobEnd(connection.details),
    JSON.stringify(connection.fieldSources),
    connection.deletedAt,
    connection.mergedInto,
  ]
}

/** Characters that names are sorted by, limited because cursors contain them. */
export const MAX_SORT_KEY_LENGTH = 100

function detailsJson(details: Details): string {
  return details === NO_DETAILS ? '{}' : JSON.stringify(details)
}

function json(values: readonly string[]): string {
  return values.length === 0 ? '[]' : JSON.stringify(values)
}

export interface NoteRow {
  readonly note_id: number
  readonly connection_id: number
  readonly text: string
  readonly happened_on: string | null
  readonly origin: Note['origin']
  readonly created_at: number
}

/** A stored row as a note. */
export function noteOf(row: NoteRow): Note {
  return {
    noteId: row.note_id,
    connectionId: row.connection_id,
    text: row.text,
    happenedOn: row.happened_on,
    origin: row.origin,
    createdAt: row.created_at,
  }
}

/** By primary key, like `BY_IDS`. */
const BY_ID = memberStatement<{ connection_id: number }, ConnectionRow>()(
  `select ${CONNECTION_COLUMNS} from connections c where c.member_id = :member_id and c.connection_id = :connection_id`,
)

const BY_IDS = memberStatement<{ ids: readonly number[] }, ConnectionRow>()(
  `select ${CONNECTION_COLUMNS} from connections c each (connection_id = :ids...bigint)
   where c.member_id = :member_id order by c.connection_id`,
)

/** By primary key. */
const BY_KEYS = memberStatement<
  { keys: readonly string[] },
  { key: string; connection_id: number }
>()(`
  select k.key, k.connection_id from connection_keys k each (key = :keys...text)
  where k.member_id = :member_id order by k.connection_id`)

/** By connection_tags_by_connection. */
const TAGS_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; tag: string; tag_key: string }
>()(`
  select t.connection_id, t.tag, t.tag_key from connection_tags t each (connection_id = :ids...bigint)
  where t.member_id = :member_id order by t.connection_id, t.tag_key`)

/** By notes_by_connection. */
const NOTES_OF = memberStatement<{ ids: readonly number[] }, NoteRow>()(`
  select note_id, connection_id, text, happened_on, origin, created_at
  from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id and n.deleted_at is null
  order by connection_id, note_id`)

const NOTE_TEXTS_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; text: string }
>()(`
  select n.connection_id, n.text from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id order by n.connection_id, n.note_id`)

const NUMBER_CONNECTIONS = memberStatement<{ count: number }, { last_connection: number }>()(`
  update networks set last_connection = last_connection + :count
  where member_id = :member_id returning last_connection`)

const NUMBER_NOTES = memberStatement<{ count: number }, { last_note: number }>()(`
  update networks set last_note = last_note + :count where member_id = :member_id returning last_note`)

/** A connection with its tags, its notes and the definitions of its custom fields. */
export interface WholeConnection {
  readonly connection: Connection
  readonly tags: readonly Tag[]
  readonly notes: readonly Note[]
  /** The custom fields for which it has a value. */
  readonly fields: readonly CustomField[]
}
