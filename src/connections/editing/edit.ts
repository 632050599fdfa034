/** Adds and changes one connection with values that a member, or an agent for them, typed. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { t } from '../../languages/message.ts'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { dayAt } from '../../dates/calendar-day.ts'
import {
  LIST_FIELDS,
  NO_VALUES,
  TEXT_FIELDS,
  newState,
  type Connection,
  type ListField,
  type SourcedField,
} from '../model/connection.ts'
import { localNowOf } from '../last-contact/contact-times.ts'
import { timeKey } from '../model/field-sources.ts'
import { withoutStaleLabels } from '../model/add-details.ts'
import { closePosition, isJobChange } from '../model/organizations.ts'
import { NO_DETAILS, withDetails, type Details } from '../../contact-files/contact/details.ts'
import type { DetailChange } from './detail-input.ts'
import { customFieldsOf } from '../custom-fields/custom-fields.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import { readList, readTypedValues, tooMany, type TypedValues } from './typed-values.ts'
import { insertDrafts } from '../../records/recorded-table.ts'
import { NOTES, notesOf } from '../notes/notes.ts'
import {
  addTags,
  newTag,
  removeTags,
  respelled,
  respellTags,
  tagOf,
  tagsOf,
} from '../model/tag-store.ts'
import { insertConnections, updateConnection } from '../model/connection-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { WholeConnection } from '../person/whole-connection.ts'

export interface ListChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export interface ConnectionChanges {
  readonly values: TypedValues
  readonly lists: Partial<Record<ListField | 'tags', ListChange>>
  /** Null clears a field. */
  readonly details?: readonly DetailChange[]
  readonly note?: NewNote
}

export interface NewNote {
  readonly text: string
  /** YYYY-MM-DD: the date it is about. */
  readonly happenedOn: string | null
}

/** True if the changes name no field, list, detail or note. */
export function isEmptyChange({ values, lists, details = [], note }: ConnectionChanges): boolean {
  const changed = Object.keys(values).length + Object.keys(lists).length + details.length
  return changed === 0 && note === undefined
}

/** Reads the tags, notes and custom fields of a connection. */
export async function readWholeConnection(
  reader: MemberReader,
  connection: Connection,
): Promise<WholeConnection> {
  const ids = [connection.connectionId]
  const [tags] = (await tagsOf(reader, ids)).values()
  const [notes] = (await notesOf(reader, ids)).values()
  const fields = await customFieldsOf(reader, connection.details)
  return { connection, tags: tags ?? [], notes: notes ?? [], fields }
}

/**
 * A new connection from typed values, not stored yet.
 *
 * @throws {RequestError} `invalid_request` when a value cannot be parsed.
 */
export function draftConnection(changes: ConnectionChanges, now: number): Connection {
  const values = readTypedValues(changes.values)
  const { name } = values
  if (typeof name !== 'string')
    throw new RequestError('invalid_request', t('A person needs a name.'), {
      errors: [{ pointer: '/name', detail: t('is required') }],
    })
  return {
    ...NO_VALUES,
    ...values,
    name,
    emails: readList('emails', changes.lists.emails?.add ?? [], 'emails'),
    phones: readList('phones', changes.lists.phones?.add ?? [], 'phones'),
    links: readList('links', changes.lists.links?.add ?? [], 'links'),
    details: withDetails(NO_DETAILS, changes.details ?? []),
    source: 'typed',
    ...newState(now),
  }
}

export async function storeNewConnection(
  tx: MemberTransaction,
  draft: Connection,
  changes: ConnectionChanges,
  now: number,
): Promise<WholeConnection> {
  const connection = { ...draft, connectionId: await reserveNumbers(tx, 'last_connection') }
  await insertConnections(tx, [connection])
  await storeTagsAndNote(tx, connection, changes, now)
  await recordSearchChanges(tx, [connection.connectionId])
  return readWholeConnection(tx, connection)
}

/** Applies changes. From then on, imports do not overwrite the changed fields. */
export async function changeConnection(
  tx: MemberTransaction,
  before: Connection,
  changes: ConnectionChanges,
  now: number,
): Promise<WholeConnection> {
  const connection = await planChange(tx, before, changes, now)
  return storeChanged(tx, before, { changes, connection }, now)
}

/** A change that was checked but is not stored yet. */
interface PlannedChange {
  readonly changes: ConnectionChanges
  readonly connection: Connection
}

/** Stores a planned change and tells search. Returns the connection as it is now. */
export async function storeChanged(
  tx: MemberTransaction,
  before: Connection,
  { changes, connection }: PlannedChange,
  now: number,
): Promise<WholeConnection> {
  await updateConnection(tx, before, connection)
  await storeTagsAndNote(tx, connection, changes, now)
  await recordSearchChanges(tx, [connection.connectionId])
  return readWholeConnection(tx, connection)
}

/**
 * The connection after a change, not stored yet.
 *
 * @throws {RequestError} `invalid_request` when a value cannot be parsed, or a list would be too long.
 */
export async function planChange(
  tx: MemberTransaction,
  before: Connection,
  changes: ConnectionChanges,
  now: number,
): Promise<Connection> {
  const values = readTypedValues(changes.values)
  if (values.name === null) throw invalidArgument('name', t('cannot be empty'))
  const lists = changedLists(before, changes)
  const typedDetails = changes.details ?? []
  const touched = [
    ...Object.keys(changes.values),
    ...Object.keys(changes.lists),
    ...typedDetails.map(([field]) => field),
  ] as SourcedField[]
  const { '@tags': _time, ...others } = before.fieldSources
  const fieldSources = {
    ...(touched.includes('tags') ? others : before.fieldSources),
    ...Object.fromEntries(touched.map((field) => [field, 'typed'])),
    ...Object.fromEntries(
      touched.filter((field) => field !== 'tags').map((field) => [timeKey(field), now]),
    ),
  }
  const edited = {
    ...before,
    ...values,
    ...lists,
    fieldSources,
    version: before.version + 1,
    updatedAt: now,
  } as Connection
  const isTyped = typedDetails.some(([field]) => field === 'organizations')
  const isClosed = !isTyped && isJobChange(before, edited)
  const today = isClosed ? dayAt(await localNowOf(tx, now)) : undefined
  return { ...edited, details: editedDetails(before, edited, typedDetails, today) }
}

/** Keeps the former position if it ended today, and drops labels of removed values. */
function editedDetails(
  before: Connection,
  edited: Connection,
  typed: readonly DetailChange[],
  endedOn: string | undefined,
): Details {
  const changed = withDetails(before.details, typed)
  const closed = endedOn === undefined ? changed : closePosition(changed, before, endedOn)
  if (closed.labels === undefined) return closed
  return withDetails(closed, [['labels', withoutStaleLabels(closed, edited)]])
}

/** The tags to add and to remove. Those in both lists change the spelling of a tag that the person has. */
function tagEdit({ add, remove }: ListChange) {
  const [added, both] = [add.map(newTag), remove.map(tagOf)]
  const keys = new Set(added.map(({ key }) => key))
  const removed = both.filter(({ key }) => !keys.has(key))
  return { added, removed, spelled: respelled(both, added) }
}

async function storeTagsAndNote(
  tx: MemberTransaction,
  { connectionId }: Connection,
  { lists, note }: ConnectionChanges,
  now: number,
): Promise<void> {
  if (lists.tags) {
    const { added, removed, spelled } = tagEdit(lists.tags)
    if (spelled.length > 0) {
      const [present = []] = (await tagsOf(tx, [connectionId])).values()
      await respellTags(tx, respelled(present, spelled))
    }
    await removeTags(
      tx,
      connectionId,
      removed.map(({ key }) => key),
    )
    await addTags(tx, connectionId, added)
    const [tags] = (await tagsOf(tx, [connectionId])).values()
    if (tags && tags.length > MAX_VALUES) throw tooMany('tags')
  }
  const text = note?.text.trim()
  if (!note || !text) return
  const { happenedOn } = note
  await insertDrafts(NOTES, tx, [
    { connectionId, text, happenedOn, origin: 'typed', createdAt: now },
  ])
}

function changedLists(
  before: Connection,
  { lists }: ConnectionChanges,
): Partial<Record<ListField, string[]>> {
  const changed: Partial<Record<ListField, string[]>> = {}
  for (const field of LIST_FIELDS) {
    const change = lists[field]
    if (!change) continue
    const removed = new Set(readList(field, change.remove, `${field}/remove`))
    const kept = before[field].filter((value) => !removed.has(value))
    const values = [...new Set([...kept, ...readList(field, change.add, `${field}/add`)])]
    if (values.length > MAX_VALUES) throw tooMany(field)
    changed[field] = values
  }
  return changed
}

/**
 * Whether storing a planned change would change anything. Marking a value as typed counts, because imports then no longer
 * overwrite it.
 */
export function hasEffect(
  before: WholeConnection,
  { changes, connection }: PlannedChange,
): boolean {
  const { added, removed, spelled } = tagEdit(changes.lists.tags ?? { add: [], remove: [] })
  const keys = new Set(before.tags.map(({ key }) => key))
  return (
    changes.note !== undefined ||
    added.some(({ key }) => !keys.has(key)) ||
    removed.some(({ key }) => keys.has(key)) ||
    respelled(before.tags, spelled).length > 0 ||
    comparable(before.connection) !== comparable(connection)
  )
}

function comparable({
  fieldSources,
  version: _version,
  updatedAt: _at,
  ...values
}: Connection): string {
  // A field without an entry has the source of the connection.
  const sources = Object.entries(fieldSources).filter(
    ([field, source]) => !field.startsWith('@') && source !== values.source,
  )
  return JSON.stringify([values, sources.sort(([one], [other]) => (one < other ? -1 : 1))])
}

/** @throws {RequestError} `invalid_request` when the person would have too many tags. */
export function checkTags(before: WholeConnection, { lists: { tags } }: ConnectionChanges): void {
  if (!tags) return
  const removed = new Set(tags.remove.map((tag) => tagOf(tag).key))
  const kept = before.tags.map(({ key }) => key).filter((key) => !removed.has(key))
  if (new Set([...kept, ...tags.add.map((tag) => newTag(tag).key)]).size > MAX_VALUES)
    throw tooMany('tags')
}

/** One check per value, for `checkAll`. A failed check names its argument. */
export function valueChecks({ values }: Pick<ConnectionChanges, 'values'>): (() => unknown)[] {
  return TEXT_FIELDS.map((field) => () => readTypedValues({ [field]: values[field] }))
}
