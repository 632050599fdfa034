/** The sources of a timeline, each newest first in the order of an index. Omits entries of deleted connections. */

import { dayAt, startOfDay } from '../../dates/calendar-day.ts'
import { minuteOfDay, timeOfDay } from '../../dates/time-of-day.ts'
import { DAY, MINUTE } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { listChanges } from '../../tools/activity-log/read-activity.ts'
import {
  FOLLOW_UP_COLUMNS,
  FOLLOW_UPS_WITH_PEOPLE,
  type FollowUp,
} from '../follow-ups/follow-ups.ts'
import { NOTE_COLUMNS, type Note } from '../notes/notes.ts'
import {
  INTERACTION_COLUMNS,
  withPeople,
  type Interaction,
  type SelectedInteraction,
} from './interaction-store.ts'
import type { MemberReader } from '../../db/database.ts'
import type { SourceQuery, TimelineEntry } from './timeline-entry.ts'

/** Notes without a date, by note number: in the order in which they were written. */
export async function undatedNoteEntries(
  reader: MemberReader,
  { connectionId, id, from, until, limit }: SourceQuery,
): Promise<TimelineEntry[]> {
  const range = { id, from, until, limit }
  const rows =
    connectionId === undefined
      ? await reader.all(UNDATED, range)
      : await reader.all(UNDATED_OF, { ...range, connection_id: connectionId })
  return rows.map(entryOfNote)
}

/** A note with a date is on that day, and one without a date when it was written. */
export function entryOfNote(note: Note): TimelineEntry {
  const { noteId: id, happenedOn, createdAt } = note
  const item = { kind: 'note', note } as const
  if (happenedOn === null) return { at: createdAt, position: 0, id, item }
  const position = startOfDay(happenedOn)
  return { at: timeOfDayOf(position, createdAt), position, id, item }
}

/** When something without a time happened on its day: when it was written, if that was on the day. */
function timeOfDayOf(start: number, writtenAt: number): number {
  return Math.min(Math.max(start, writtenAt), start + DAY - 1)
}

export async function datedNoteEntries(
  reader: MemberReader,
  { connectionId, ...query }: SourceQuery,
): Promise<TimelineEntry[]> {
  const range = dayRangeOf(query)
  const rows =
    connectionId === undefined
      ? await reader.all(DATED, range)
      : await reader.all(DATED_OF, { ...range, connection_id: connectionId })
  return rows.map(entryOfNote)
}

export async function interactionEntries(
  reader: MemberReader,
  { connectionId, from, limit, interactionKinds, ...query }: SourceQuery,
): Promise<TimelineEntry[]> {
  const kinds = interactionKinds === undefined ? null : `,${interactionKinds.join(',')},`
  const range = { ...startOf(query), from, kinds, limit }
  const rows =
    connectionId === undefined
      ? await reader.all(INTERACTIONS, range)
      : await reader.all(INTERACTIONS_OF, { ...range, connection_id: connectionId })
  return (await withPeople(reader, rows)).map(entryOfInteraction)
}

export function entryOfInteraction(interaction: Interaction): TimelineEntry {
  const { localAt: position, interactionId: id, happenedAt, createdAt } = interaction
  const at = happenedAt === null ? timeOfDayOf(position, createdAt) : position
  return { at, position, id, item: { kind: 'interaction', interaction } }
}

/** By due date. */
export async function followUpEntries(
  reader: MemberReader,
  { connectionId, ...query }: SourceQuery,
): Promise<TimelineEntry[]> {
  const range = { ...dayRangeOf(query), position_time: timeAtPosition(startOf(query).position) }
  const rows =
    connectionId === undefined
      ? await reader.all(FOLLOW_UPS, range)
      : await reader.all(FOLLOW_UPS_OF, { ...range, connection_id: connectionId })
  return rows.map((followUp) => {
    const minute = followUp.dueTime === '' ? -1 : minuteOfDay(followUp.dueTime)
    return {
      at: startOfDay(followUp.dueOn) + Math.max(minute, 0) * MINUTE,
      // On the same day, follow-ups without a time come before those at midnight.
      position: startOfDay(followUp.dueOn) + minute + 1,
      id: followUp.followUpId,
      item: { kind: 'follow_up', followUp },
    }
  })
}

/** The inverse of the position of a follow-up in its day. */
function timeAtPosition(position: number): string {
  const minute = position - Math.floor(position / DAY) * DAY - 1
  return minute < 0 ? '' : timeOfDay(minute)
}

/** Their own entries are better than the changes of notes, interactions and follow-ups. */
const OTHER_SOURCES = /^(?:note|interactions?|follow_up|account)\./

/** Changes that are read for a page, at most. */
const MAX_CHANGES = 500

export async function changeEntries(
  reader: MemberReader,
  { connectionId, id, from, until, limit }: SourceQuery,
): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = []
  const people = connectionId === undefined ? undefined : [connectionId]
  let before = id
  for (let read = 0; entries.length < limit && read < MAX_CHANGES; read += limit) {
    const changes = await listChanges(reader, before, limit, { people })
    for (const change of changes)
      if (!OTHER_SOURCES.test(change.action) && change.at >= from && change.at < until) {
        const { at, activityId } = change
        entries.push({ at, position: 0, id: activityId, item: { kind: 'change', change } })
      }
    before = changes.at(-1)?.activityId ?? 0
    if (changes.length < limit || (changes.at(-1)?.at ?? 0) < from) break
  }
  return entries.slice(0, limit)
}

/** The first entry of a page is before both limits. Statements with one limit read no newer rows. */
function startOf({ position, id, until }: Pick<SourceQuery, 'position' | 'id' | 'until'>) {
  return until < position ? { position: until, id: 0 } : { position, id }
}

function dayRangeOf({ from, limit, ...query }: Omit<SourceQuery, 'connectionId'>): DayRange {
  const { position, id } = startOf(query)
  return { from_day: boundDay(from), position_day: boundDay(position), id, limit }
}

/** The day of a time; before or after every day for the limits of numbers. */
function boundDay(time: number): string {
  if (time >= startOfDay('9999-12-31')) return '9999-99-99'
  return time <= startOfDay('0001-01-01') ? '' : dayAt(time)
}

interface UndatedRange {
  readonly id: number
  readonly from: number
  readonly until: number
  readonly limit: number
}

const UNDATED_RANGE = `n.note_id < :id and n.happened_on is null and n.deleted_at is null
    and n.created_at >= :from and n.created_at < :until` as const

/** By index notes_undated, descending. */
const UNDATED = memberStatement<UndatedRange, Note>()(`
  select ${NOTE_COLUMNS} from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and c.deleted_at is null and ${UNDATED_RANGE}
  order by n.note_id desc limit :limit`)

/** By index notes_by_connection, descending. */
const UNDATED_OF = memberStatement<UndatedRange & { connection_id: number }, Note>()(`
  select ${NOTE_COLUMNS} from notes n
  where n.member_id = :member_id and n.connection_id = :connection_id and ${UNDATED_RANGE}
  order by n.note_id desc limit :limit`)

/** By index notes_by_day, descending. */
const DATED = memberStatement<DayRange, Note>()(`
  select ${NOTE_COLUMNS} from notes n
  join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
  where n.member_id = :member_id and (n.happened_on, n.note_id) < (:position_day, :id)
    and n.happened_on is not null and n.happened_on >= :from_day and n.deleted_at is null
    and c.deleted_at is null
  order by n.happened_on desc, n.note_id desc limit :limit`)

/** By index notes_by_connection: the notes of one person are sorted. `coalesce` keeps SQLite from notes_by_day. */
const DATED_OF = memberStatement<DayRange & { connection_id: number }, Note>()(`
  select ${NOTE_COLUMNS} from notes n
  where n.member_id = :member_id and n.connection_id = :connection_id and n.happened_on is not null
    and (coalesce(n.happened_on, ''), n.note_id) < (:position_day, :id)
    and coalesce(n.happened_on, '') >= :from_day and n.deleted_at is null
  order by coalesce(n.happened_on, '') desc, n.note_id desc limit :limit`)

interface TimeRange {
  readonly position: number
  readonly id: number
  readonly from: number
  /** `,call,email,`; null for all. */
  readonly kinds: string | null
  readonly limit: number
}

const OF_KINDS =
  `(cast(:kinds as text) is null or cast(:kinds as text) like '%,' || i.kind || ',%')` as const

/** By index interactions_by_time, descending. PostgreSQL would join `exists` with every interaction before the limit. */
const INTERACTIONS = memberStatement<TimeRange, SelectedInteraction>()(`
  select ${INTERACTION_COLUMNS} from interactions i
  where i.member_id = :member_id and (i.local_at, i.interaction_id) < (:position, :id)
    and i.local_at >= :from and i.deleted_at is null and ${OF_KINDS}
    and (select 1 from interaction_people p
      join connections c on c.member_id = :member_id and c.connection_id = p.connection_id
      where p.member_id = :member_id and p.interaction_id = i.interaction_id and c.deleted_at is null limit 1) = 1
  order by i.local_at desc, i.interaction_id desc limit :limit`)

/** By primary keys, descending. */
const INTERACTIONS_OF = memberStatement<
  TimeRange & { connection_id: number },
  SelectedInteraction
>()(`
  select ${INTERACTION_COLUMNS} from interaction_people p
  join interactions i on i.member_id = :member_id and i.interaction_id = p.interaction_id
  where p.member_id = :member_id and p.connection_id = :connection_id
    and (p.local_at, p.interaction_id) < (:position, :id)
    and p.local_at >= :from and p.deleted_at is null and ${OF_KINDS}
  order by p.local_at desc, p.interaction_id desc limit :limit`)

interface DayRange {
  readonly from_day: string
  readonly position_day: string
  readonly id: number
  readonly limit: number
}

type DueRange = DayRange & { readonly position_time: string }

const DAY_RANGE = `(f.due_on, f.due_time, f.follow_up_id) < (:position_day, :position_time, :id)
    and f.due_on >= :from_day` as const

/** By index follow_ups_by_day, descending. */
const FOLLOW_UPS = memberStatement<DueRange, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from ${FOLLOW_UPS_WITH_PEOPLE} and ${DAY_RANGE}
  order by f.due_on desc, f.due_time desc, f.follow_up_id desc limit :limit`)

/** By index follow_ups_by_connection, descending. */
const FOLLOW_UPS_OF = memberStatement<DueRange & { connection_id: number }, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f
  where f.member_id = :member_id and f.connection_id = :connection_id and f.deleted_at is null and ${DAY_RANGE}
  order by f.due_on desc, f.due_time desc, f.follow_up_id desc limit :limit`)
