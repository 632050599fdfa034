/** Lists besides the connections, each as a JSON file, read page by page. */

import { dayAt } from '../dates/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import { publicConnectionId } from '../connections/model/connection.ts'
import { publicFollowUpId } from '../connections/follow-ups/follow-ups.ts'
import { publicInteractionId } from '../connections/interactions/interaction-store.ts'
import { customFieldId } from '../connections/custom-fields/custom-fields.ts'
import { publicNoteId } from '../connections/notes/notes.ts'
import {
  followUpRecord,
  type FollowUpRecord,
  EXPORTED_FOLLOW_UP,
} from '../connections/follow-ups/portable-follow-ups.ts'
import { memberStatement, type SqlValue } from '../db/statement.ts'
import { publicActivityId } from '../tools/activity.ts'
import { pagesOf, type PageParams, type PageStatement } from '../db/paged-rows.ts'
import type { MemberReader } from '../db/database.ts'

/** A list of records in the archive. */
interface RecordFile {
  readonly name: string
  /** A description for README.txt. */
  readonly about: string
  pages(reader: MemberReader): AsyncIterable<readonly object[]>
}

interface Row {
  readonly key: number
  readonly [column: string]: number | string | null
}

const page = memberStatement<PageParams, Row>()

export const RECORD_FILES: readonly RecordFile[] = [
  recordFile(
    'notes.json',
    'every note, including undone ones',
    page(`
      select note_id as key, connection_id, text, happened_on, origin, created_at, deleted_at from notes
      where member_id = :member_id and note_id > :after order by note_id limit :limit`),
    (key) => ({ note_id: publicNoteId(key) }),
  ),
  recordFile(
    'follow-ups.json',
    'every follow-up, including completed ones',
    page(`
      select follow_up_id as key, connection_id, ${EXPORTED_FOLLOW_UP}, deleted_at from follow_ups
      where member_id = :member_id and follow_up_id > :after order by follow_up_id limit :limit`),
    (key) => ({ follow_up_id: publicFollowUpId(key) }),
  ),
  {
    name: 'to-dos.json',
    about: 'follow-ups without a person',
    async *pages(reader) {
      yield (await reader.all(TO_DOS, {})).map(followUpRecord)
    },
  },
  recordFile(
    'interactions.json',
    'every interaction, including deleted ones; its people are in connections.json',
    page(`
      select interaction_id as key, kind, direction, local_at, happened_at, zone, subject, text, source, source_key,
        created_at, deleted_at
      from interactions
      where member_id = :member_id and interaction_id > :after order by interaction_id limit :limit`),
    (key) => ({ interaction_id: publicInteractionId(key) }),
  ),
  recordFile(
    'cadences.json',
    'how often you want to be in touch with people, and when they were last contacted',
    page(`
      select connection_id as key, last_contact_on, every, unit, set_on, paused_until, is_muted from contact_times
      where member_id = :member_id and connection_id > :after order by connection_id limit :limit`),
    (key) => ({ connection_id: publicConnectionId(key) }),
  ),
  {
    name: 'tag-cadences.json',
    about: 'how often you want to be in touch with people who have a tag',
    async *pages(reader) {
      yield await reader.all(TAG_CADENCES, {})
    },
  },
  recordFile(
    'custom-fields.json',
    'your custom fields with their kinds; values are in connections.json',
    page(`
      select field_id as key, name, kind, choices, position, created_at, deleted_at from custom_fields
      where member_id = :member_id and field_id > :after order by field_id limit :limit`),
    (key) => ({ custom_field_id: customFieldId(key) }),
  ),
  recordFile(
    'calendars.json',
    'your connected calendars and your addresses in them, without their secret addresses',
    page(`
      select c.calendar_id as key, c.name, c.address_hint, c.synced_at, c.created_at, n.own_emails
      from calendars c join networks n on n.member_id = c.member_id
      where c.member_id = :member_id and c.calendar_id > :after order by c.calendar_id limit :limit`),
    (key) => ({ calendar_id: key }),
  ),
  recordFile(
    'address-books.json',
    'the address books that you have subscribed to, without their passwords',
    page(`
      select book_id as key, name, host, pulled_at, created_at from subscribed_books
      where member_id = :member_id and book_id > :after order by book_id limit :limit`),
    (key) => ({ address_book_id: key }),
  ),
  {
    name: 'notifications.json',
    about:
      'when you are reminded, and your devices, webhooks and subscriptions, without addresses and secrets',
    async *pages(reader) {
      yield await reader.all(REMINDERS, {})
      yield await reader.all(ENDPOINTS, {})
    },
  },
  {
    name: 'cards.json',
    about: 'the vCards of your address book, as your devices wrote them or as Weft did',
    async *pages(reader) {
      for await (const rows of pagesOf(reader, CARDS, { first: 0, limit: CARD_PAGE }))
        yield rows.map(({ key: _key, connection_id, text, ...card }) =>
          Object.assign(card, {
            connection_id: connection_id === null ? null : publicConnectionId(connection_id),
            vcard: Buffer.from(text).toString('utf8'),
          }),
        )
    },
  },
  recordFile(
    'saved-views.json',
    'your saved views of the list, with their filters',
    page(`
      select view_id as key, name, query, created_at from saved_views
      where member_id = :member_id and view_id > :after order by view_id limit :limit`),
    () => ({}),
  ),
  recordFile(
    'activity.json',
    'every change with its time, author and values before and after',
    page(`
      select activity_id as key, at, action, subject_kind, subject_id, actor, before, after, undoes from activity
      where member_id = :member_id and activity_id > :after order by activity_id limit :limit`),
    (key) => ({ activity_id: publicActivityId(key) }),
  ),
  recordFile(
    'credits.json',
    'your credit ledger',
    page(`
      select entry_id as key, at, kind, delta, balance_after, reason from credit_ledger
      where member_id = :member_id and entry_id > :after order by entry_id limit :limit`),
    (key) => ({ entry_id: key }),
  ),
  recordFile(
    'jobs.json',
    'imports and other jobs with their results',
    // No index has this order, but a member has few jobs.
    page(`
      select job_id as key, kind, filename, state, result, error, created_at, finished_at from jobs
      where member_id = :member_id and job_id > :after order by job_id limit :limit`),
    (key) => ({ job_id: key }),
  ),
]

/** By index follow_ups_by_connection. */
const TO_DOS = memberStatement<object, FollowUpRecord>()(`
  select ${EXPORTED_FOLLOW_UP} from follow_ups
  where member_id = :member_id and connection_id is null and deleted_at is null order by follow_up_id`)

/** By primary key, like the next statement. */
const REMINDERS = memberStatement<object, Readonly<Record<string, SqlValue>>>()(`
  select email, weekday, minute, birthday_days, meeting_minutes, agent_changes, initials_only
  from reminder_settings
  where member_id = :member_id`)

const ENDPOINTS = memberStatement<object, Readonly<Record<string, SqlValue>>>()(`
  select kind, name, format, address_hint, causes, delivered_at, created_at from endpoints
  where member_id = :member_id order by endpoint_id`)

/** Cards can have photos of megabytes. */
const CARD_PAGE = 20

interface CardRow {
  readonly key: number
  readonly name: string
  readonly uid: string
  readonly connection_id: number | null
  readonly text: Uint8Array
}

const CARDS = memberStatement<PageParams, CardRow>()(`
  select c.card_id as key, c.name, c.uid, c.connection_id, t.text from cards c
  join card_texts t on t.member_id = c.member_id and t.card_id = c.card_id
  where c.member_id = :member_id and c.card_id > :after and c.etag is not null
  order by c.card_id limit :limit`)

/** A member has few of them. */
const TAG_CADENCES = memberStatement<object, Record<'tag' | 'unit' | 'set_on', string>>()(`
  select tag, every, unit, set_on from tag_cadences where member_id = :member_id order by tag_key`)

function recordFile(
  name: string,
  about: string,
  statement: PageStatement<Row>,
  idOf: (key: number) => object,
): RecordFile {
  const toRecord = ({ key, ...row }: Row) => ({
    ...idOf(key),
    ...Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        NAMES[column] ?? column,
        written(column, value),
      ]),
    ),
  })
  return {
    name,
    about,
    async *pages(reader) {
      for await (const rows of pagesOf(reader, statement, { first: 0 })) yield rows.map(toRecord)
    },
  }
}

/** Names in the record of columns that are called differently there. */
const NAMES: Readonly<Record<string, string>> = { local_at: 'on', happened_at: 'at' }

const JSON_COLUMNS = new Set(['choices', 'own_emails', 'before', 'after', 'result', 'error'])

function written(column: string, value: Row[string]): unknown {
  if (value === null) return null
  if (column === 'connection_id') return publicConnectionId(Number(value))
  if (column === 'undoes') return publicActivityId(Number(value))
  if (column === 'local_at') return dayAt(Number(value))
  if (column === 'at' || column.endsWith('_at')) return rfc3339(Number(value))
  // JSON that the service wrote.
  return JSON_COLUMNS.has(column) ? (JSON.parse(String(value)) as unknown) : value
}
