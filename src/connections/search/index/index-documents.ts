/** Reads connections, with their tags, notes, interactions and open follow-ups, as documents of the search index. */

import { dayAt } from '../../../dates/calendar-day.ts'
import { memberStatement } from '../../../db/statement.ts'
import {
  idsOf,
  CONNECTION_COLUMNS,
  connectionOf,
  type Connection,
  type ConnectionRow,
} from '../../model/connection.ts'
import { customFieldsOf } from '../../custom-fields/custom-fields.ts'
import { customTexts, detailTexts } from '../../person/detail-lines.ts'
import { NO_DETAILS, type Details } from '../../../contact-files/contact/details.ts'
import type { MemberReader } from '../../../db/database.ts'
import type { InteractionKind } from '../../interactions/interaction-store.ts'
import type { ChangedRange } from '../../model/search-changes.ts'
import type { SearchDocument, SearchedContact } from '../../../search/build/search-document.ts'

interface DocumentPage {
  readonly documents: readonly SearchDocument[]
  /** IDs of connections that can be restored. */
  readonly deleted: readonly number[]
  /** The latest change of these connections, in milliseconds. */
  readonly changedAt: number
}

/** The connections with these numbers, in ascending order, `pageSize` at a time; deleted ones without their documents. */
export async function* readDocuments(
  reader: MemberReader,
  { first, last }: ChangedRange,
  pageSize: number,
): AsyncGenerator<DocumentPage> {
  for (let from = first; from <= last;) {
    const rows = await reader.all(CONNECTIONS, { from, last, limit: pageSize })
    const until = rows.at(-1)?.connectionId
    if (until === undefined) return
    const live = rows.filter(({ deletedAt }) => deletedAt === null)
    const range = { first: from, last: until }
    yield {
      documents: live.length === 0 ? [] : await documentsOf(reader, live, range),
      deleted: rows.filter(isRestorable).map(({ connectionId }) => connectionId),
      changedAt: rows.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0),
    }
    if (rows.length < pageSize) return
    from = until + 1
  }
}

function isRestorable({ deletedAt, mergedInto }: ConnectionRow): boolean {
  return deletedAt !== null && mergedInto === null
}

async function documentsOf(
  reader: MemberReader,
  rows: readonly ConnectionRow[],
  range: ChangedRange,
): Promise<SearchDocument[]> {
  const ids = idsOf(rows)
  const [tags, notes] = [await reader.all(TAGS, { ids }), await reader.all(NOTES, { ...range })]
  const followUps = await reader.all(FOLLOW_UPS, { ...range })
  const tagsById = Map.groupBy(tags, ({ connection_id }) => connection_id)
  const notesById = Map.groupBy(notes, ({ connection_id }) => connection_id)
  const interactions = await reader.all(INTERACTIONS, { ...range })
  const interactionsById = Map.groupBy(interactions, ({ connection_id }) => connection_id)
  const followUpsById = Map.groupBy(followUps, ({ connection_id }) => connection_id)
  const connections = rows.map(connectionOf)
  const fields = await customFieldsOf(reader, ...connections.map(({ details }) => details))
  const documentOf = (connection: Connection): SearchDocument => ({
    ...connection,
    ...(connection.details !== NO_DETAILS && {
      ...positionsOf(connection.details),
      customTexts: customTexts(connection.details, fields),
      accounts: connection.details.handles ?? [],
    }),
    tags: (tagsById.get(connection.connectionId) ?? []).map(({ tag, tag_key }) => ({
      tag,
      key: tag_key,
    })),
    notes: [
      ...(notesById.get(connection.connectionId) ?? []).map(({ text }) => text),
      ...(interactionsById.get(connection.connectionId) ?? []).flatMap(contentOf),
    ],
    followUps: (followUpsById.get(connection.connectionId) ?? []).map(({ text }) => text),
    contacts: [
      ...(notesById.get(connection.connectionId) ?? []).flatMap(contactOfNote),
      ...(interactionsById.get(connection.connectionId) ?? []).map(contactOf),
    ],
    ...occasionsOf(connection),
  })
  return connections.map(documentOf)
}

/** Present positions are not among the details, so that who left a company is known. */
function positionsOf(details: Details) {
  const { organizations = [] } = details
  const former = organizations.filter(({ current }) => !current)
  return {
    detailTexts: detailTexts({ ...details, organizations: former }),
    positions: former.flatMap(({ name }) => name ?? []),
    presentPositions: organizations.filter(({ current }) => current),
  }
}

/** Also birthdays and other days without a year. */
function occasionsOf({
  birthday,
  details,
}: Connection): Pick<SearchDocument, 'birthdays' | 'anniversaries'> {
  const [born, others] = [birthday === null ? [] : [birthday], [] as string[]]
  for (const { label, date } of details.dates ?? [])
    (label === 'birthday' ? born : others).push(date)
  const [birthdays, anniversaries] = [born.flatMap(dayOfYear), others.flatMap(dayOfYear)]
  return {
    ...(birthdays.length > 0 && { birthdays }),
    ...(anniversaries.length > 0 && { anniversaries }),
  }
}

/** MM-DD; none for a date that is only a year or a month. */
function dayOfYear(date: string): string[] {
  const day = /-(\d\d-\d\d)$/.exec(date)?.[1]
  return day === undefined ? [] : [day]
}

interface NoteRow {
  readonly connection_id: number
  readonly text: string
  /** YYYY-MM-DD */
  readonly happened_on: string | null
}

/** A note with a day tells what happened then. One without says nothing about when. */
function contactOfNote({ happened_on }: NoteRow): SearchedContact[] {
  return happened_on === null ? [] : [{ day: happened_on, isMeeting: true }]
}

function contactOf({ kind, local_at }: InteractionRow): SearchedContact {
  return { day: dayAt(local_at), isMeeting: !REMOTE.has(kind) }
}

const REMOTE: ReadonlySet<InteractionKind> = new Set(['call', 'message', 'email'])

/** An agent that may not read notes does not find these either. */
function contentOf({ subject, text }: InteractionRow): string[] {
  const content = [subject, text].filter((part) => part !== null)
  return content.length === 0 ? [] : [content.join('\n')]
}

interface InteractionRow {
  readonly connection_id: number
  readonly kind: InteractionKind
  readonly local_at: number
  readonly subject: string | null
  readonly text: string | null
}

/** By primary keys. */
const INTERACTIONS = memberStatement<ChangedRange, InteractionRow>()(`
  select p.connection_id, p.local_at, i.kind, i.subject, i.text from interaction_people p
  join interactions i on i.member_id = :member_id and i.interaction_id = p.interaction_id
  where p.member_id = :member_id and p.connection_id >= :first and p.connection_id <= :last
    and p.deleted_at is null
  order by p.connection_id, p.local_at, p.interaction_id`)

/** By primary key. */
const CONNECTIONS = memberStatement<
  { from: number; last: number; limit: number },
  ConnectionRow
>()(`
  select ${CONNECTION_COLUMNS} from connections c
  where c.member_id = :member_id and c.connection_id >= :from and c.connection_id <= :last
  order by c.connection_id limit :limit`)

/** By connection_tags_by_connection. */
const TAGS = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; tag: string; tag_key: string }
>()(`
  select connection_id, tag, tag_key from connection_tags t each (connection_id = :ids...bigint)
  where t.member_id = :member_id order by connection_id, tag_key`)

/** By notes_by_connection. */
const NOTES = memberStatement<ChangedRange, NoteRow>()(`
  select connection_id, text, happened_on from notes
  where member_id = :member_id and connection_id >= :first and connection_id <= :last
    and deleted_at is null
  order by connection_id, note_id`)

/** By follow_ups_by_connection. */
const FOLLOW_UPS = memberStatement<ChangedRange, { connection_id: number; text: string }>()(`
  select connection_id, text from follow_ups
  where member_id = :member_id and connection_id >= :first and connection_id <= :last
    and completed_at is null and deleted_at is null
  order by connection_id, due_on, follow_up_id`)
