/** Lists besides the connections, each as a JSON file, read page by page. */

import { dayAt } from '../base/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import { publicConnectionId } from '../connections/model/connection.ts'
import { publicFollowUpId } from '../connections/follow-ups/follow-ups.ts'
import { publicInteractionId } from '../connections/interactions/interaction-store.ts'
import { customFieldId } from '../connections/model/custom-fields.ts'
import { publicNoteId } from '../connections/model/snapshot.ts'
import { memberStatement } from '../db/statement.ts'
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

export const RECORD_FILES: readonly RecordFile[] = [
  recordFile(
    'notes.json',
    'every note, including undone ones',
    page<NoteRow>()(`
      select note_id as key, connection_id, text, happened_on, origin, created_at, deleted_at from notes
      where member_id = :member_id and note_id > :after order by note_id limit :limit`),
    ({ key, ...note }) => ({
      note_id: publicNoteId(key),
      ...note,
      connection_id: publicConnectionId(note.connection_id),
      created_at: rfc3339(note.created_at),
      deleted_at: rfc3339(note.deleted_at),
    }),
  ),
  recordFile(
    'follow-ups.json',
    'every follow-up, including completed ones',
    page<FollowUpRow>()(`
      select follow_up_id as key, connection_id, text, due_on, recurrence, completed_at, created_at, deleted_at
      from follow_ups
      where member_id = :member_id and follow_up_id > :after order by follow_up_id limit :limit`),
    ({ key, ...followUp }) => ({
      follow_up_id: publicFollowUpId(key),
      ...followUp,
      connection_id: publicConnectionId(followUp.connection_id),
      completed_at: rfc3339(followUp.completed_at),
      created_at: rfc3339(followUp.created_at),
      deleted_at: rfc3339(followUp.deleted_at),
    }),
  ),
  recordFile(
    'interactions.json',
    'every interaction, including deleted ones; its people are in connections.json',
    page<InteractionRow>()(`
      select interaction_id as key, kind, direction, local_at, happened_at, zone, subject, text, source, source_key,
        created_at, deleted_at
      from interactions
      where member_id = :member_id and interaction_id > :after order by interaction_id limit :limit`),
    ({ key, local_at, happened_at, ...one }) => ({
      interaction_id: publicInteractionId(key),
      ...one,
      on: dayAt(local_at),
      at: rfc3339(happened_at),
      created_at: rfc3339(one.created_at),
      deleted_at: rfc3339(one.deleted_at),
    }),
  ),
  recordFile(
    'cadences.json',
    'how often you want to be in touch with people, and when they were last contacted',
    page<CadenceRow>()(`
      select connection_id as key, last_contact_on, every, unit, set_on, paused_until, is_muted from contact_times
      where member_id = :member_id and connection_id > :after order by connection_id limit :limit`),
    ({ key, ...one }) => ({ connection_id: publicConnectionId(key), ...one }),
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
    page<CustomFieldRow>()(`
      select field_id as key, name, kind, choices, position, created_at, deleted_at from custom_fields
      where member_id = :member_id and field_id > :after order by field_id limit :limit`),
    ({ key, choices, ...field }) => ({
      custom_field_id: customFieldId(key),
      ...field,
      choices: parsed(choices),
      created_at: rfc3339(field.created_at),
      deleted_at: rfc3339(field.deleted_at),
    }),
  ),
  recordFile(
    'calendars.json',
    'your connected calendars and your addresses in them, without their secret addresses',
    page<CalendarRow>()(`
      select c.calendar_id as key, c.name, c.address_hint, c.synced_at, c.created_at, n.own_emails
      from calendars c join networks n on n.member_id = c.member_id
      where c.member_id = :member_id and c.calendar_id > :after order by c.calendar_id limit :limit`),
    ({ key, own_emails, ...calendar }) => ({
      calendar_id: key,
      ...calendar,
      own_emails: parsed(own_emails),
      synced_at: rfc3339(calendar.synced_at),
      created_at: rfc3339(calendar.created_at),
    }),
  ),
  recordFile(
    'saved-views.json',
    'your saved views of the list, with their filters',
    page<ViewRow>()(`
      select view_id as key, name, query, created_at from saved_views
      where member_id = :member_id and view_id > :after order by view_id limit :limit`),
    ({ name, query, created_at }) => ({ name, query, created_at: rfc3339(created_at) }),
  ),
  recordFile(
    'activity.json',
    'every change with its time, author and values before and after',
    page<ActivityRow>()(`
      select activity_id as key, at, action, subject_kind, subject_id, actor, before, after, undoes from activity
      where member_id = :member_id and activity_id > :after order by activity_id limit :limit`),
    ({ key, at, before, after, undoes, ...others }) => ({
      activity_id: publicActivityId(key),
      at: rfc3339(at),
      ...others,
      before: parsed(before),
      after: parsed(after),
      undoes: undoes === null ? null : publicActivityId(undoes),
    }),
  ),
  recordFile(
    'credits.json',
    'your credit ledger',
    page<LedgerRow>()(`
      select entry_id as key, at, kind, delta, balance_after, reason from credit_ledger
      where member_id = :member_id and entry_id > :after order by entry_id limit :limit`),
    ({ key, at, ...entry }) => ({ entry_id: key, at: rfc3339(at), ...entry }),
  ),
  recordFile(
    'jobs.json',
    'imports and other jobs with their results',
    // No index has this order, but a member has few jobs.
    page<JobRow>()(`
      select job_id as key, kind, filename, state, result, error, created_at, finished_at from jobs
      where member_id = :member_id and job_id > :after order by job_id limit :limit`),
    ({ key, ...job }) => ({
      job_id: key,
      ...job,
      result: parsed(job.result),
      error: parsed(job.error),
      created_at: rfc3339(job.created_at),
      finished_at: rfc3339(job.finished_at),
    }),
  ),
]

interface CalendarRow {
  readonly name: string
  readonly address_hint: string
  readonly own_emails: string
  readonly synced_at: number | null
  readonly created_at: number
}

interface ViewRow {
  readonly name: string
  readonly query: string
  readonly created_at: number
}

interface NoteRow {
  readonly connection_id: number
  readonly text: string
  readonly happened_on: string | null
  readonly origin: string
  readonly created_at: number
  readonly deleted_at: number | null
}

interface InteractionRow {
  readonly kind: string
  readonly direction: string | null
  readonly local_at: number
  readonly happened_at: number | null
  readonly zone: string | null
  readonly subject: string | null
  readonly text: string | null
  readonly source: string
  readonly source_key: string | null
  readonly created_at: number
  readonly deleted_at: number | null
}

interface CadenceRow {
  readonly last_contact_on: string | null
  readonly every: number | null
  readonly unit: string | null
  readonly set_on: string | null
  readonly paused_until: string | null
  readonly is_muted: number
}

interface FollowUpRow {
  readonly connection_id: number
  readonly text: string
  readonly due_on: string
  readonly recurrence: string
  readonly completed_at: number | null
  readonly created_at: number
  readonly deleted_at: number | null
}

interface CustomFieldRow {
  readonly name: string
  readonly kind: string
  readonly choices: string
  readonly position: number | null
  readonly created_at: number
  readonly deleted_at: number | null
}

interface ActivityRow {
  readonly at: number
  readonly action: string
  readonly subject_kind: string
  readonly subject_id: string
  readonly actor: string
  readonly before: string | null
  readonly after: string | null
  readonly undoes: number | null
}

interface LedgerRow {
  readonly at: number
  readonly kind: string
  readonly delta: number
  readonly balance_after: number
  readonly reason: string
}

interface JobRow {
  readonly kind: string
  readonly filename: string | null
  readonly state: string
  readonly result: string | null
  readonly error: string | null
  readonly created_at: number
  readonly finished_at: number | null
}

/** A member has few of them. */
const TAG_CADENCES = memberStatement<object, Record<'tag' | 'unit' | 'set_on', string>>()(`
  select tag, every, unit, set_on from tag_cadences where member_id = :member_id order by tag_key`)

function page<Row>() {
  return memberStatement<PageParams, Row & { readonly key: number }>()
}

function recordFile<Row>(
  name: string,
  about: string,
  statement: PageStatement<Row>,
  toRecord: (row: Row & { readonly key: number }) => object,
): RecordFile {
  return {
    name,
    about,
    async *pages(reader) {
      for await (const rows of pagesOf(reader, statement, { first: 0 })) yield rows.map(toRecord)
    },
  }
}

/** Parses JSON that the service wrote. */
function parsed(json: string | null): unknown {
  return json === null ? null : (JSON.parse(json) as unknown)
}
