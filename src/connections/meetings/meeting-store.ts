/** The meetings of connected calendars, of the last 90 and the next 30 days. */

import { deleteRow } from '../../db/change-row.ts'
import { isDeepStrictEqual } from 'node:util'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { wakeReminders } from '../../tools/wake-reminders.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { CalendarPerson, Meeting } from '../../calendar/meeting.ts'

/** A meeting with other people. */
export interface StoredMeeting extends Pick<
  Meeting,
  'key' | 'title' | 'startsAt' | 'endsAt' | 'timeZone'
> {
  /** The organizer and attendees who did not decline, without the member. */
  readonly people: readonly CalendarPerson[]
}

/** Replaces the meetings of a calendar, unless they are the same as `before`. */
export async function storeMeetings(
  tx: MemberTransaction,
  calendarId: number,
  meetings: readonly StoredMeeting[],
  before?: readonly StoredMeeting[],
): Promise<void> {
  if (before && isDeepStrictEqual(sorted(meetings), sorted(before))) return
  await deleteMeetings(tx, calendarId)
  await tx.insertMany({
    table: 'calendar_meetings',
    columns: ['calendar_id', 'meeting_key', 'starts_at', 'ends_at', 'zone', 'title', 'people'],
    rows: meetings.map((one) => [
      calendarId,
      one.key,
      one.startsAt,
      one.endsAt,
      one.timeZone,
      one.title,
      JSON.stringify(one.people),
    ]),
  })
  await wakeReminders(tx)
}

function sorted(meetings: readonly StoredMeeting[]): StoredMeeting[] {
  return meetings.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

/** All stored meetings of one calendar. */
export async function listCalendarMeetings(
  reader: MemberReader,
  calendarId: number,
): Promise<StoredMeeting[]> {
  return (await reader.all(OF_CALENDAR, { calendar_id: calendarId })).map(meetingOf)
}

/** Deletes the meetings of a calendar. */
export async function deleteMeetings(tx: MemberTransaction, calendarId: number): Promise<void> {
  await deleteRow(tx, 'calendar_meetings', { calendarId })
}

/** Past meetings of one calendar, except meetings that an earlier calendar also has. */
export async function listPastMeetings(
  reader: MemberReader,
  calendarId: number,
  now: number,
): Promise<StoredMeeting[]> {
  return (await reader.all(PAST, { calendar_id: calendarId, now })).map(meetingOf)
}

/** Meetings of all calendars that start in this time, by start; each once. */
export async function listMeetings(
  reader: MemberReader,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<StoredMeeting[]> {
  const meetings = (await reader.all(STARTING, { from, to, limit })).map(meetingOf)
  return [...new Map(meetings.map((one) => [one.key, one])).values()]
}

type MeetingRow = Omit<StoredMeeting, 'people'> & { readonly people: string }

function meetingOf(row: MeetingRow): StoredMeeting {
  // Written by `storeMeetings`.
  return { ...row, people: JSON.parse(row.people) as StoredMeeting['people'] }
}

const MEETING_COLUMNS = `m.meeting_key as key, m.zone as "timeZone", ${asProperties('m.starts_at, m.ends_at, m.title, m.people')}`

/** By primary key. */
const OF_CALENDAR = memberStatement<{ calendar_id: number }, MeetingRow>()(`
  select ${MEETING_COLUMNS} from calendar_meetings m
  where m.member_id = :member_id and m.calendar_id = :calendar_id`)

/** By primary key. */
const PAST = memberStatement<{ calendar_id: number; now: number }, MeetingRow>()(`
  select ${MEETING_COLUMNS} from calendar_meetings m
  where m.member_id = :member_id and m.calendar_id = :calendar_id and m.ends_at <= :now
    and not exists (
      select 1 from calendar_meetings other
      where other.member_id = :member_id and other.calendar_id < :calendar_id
        and other.meeting_key = m.meeting_key)
  order by m.starts_at`)

/** By index calendar_meetings_by_start. */
const STARTING = memberStatement<{ from: number; to: number; limit: number }, MeetingRow>()(`
  select ${MEETING_COLUMNS} from calendar_meetings m
  where m.member_id = :member_id and m.starts_at >= :from and m.starts_at < :to
  order by m.starts_at, m.calendar_id limit :limit`)
