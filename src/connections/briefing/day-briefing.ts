/** What a member should know for a day: meetings, follow-ups, people to contact again, birthdays and changes. */

import { dayAt, daysLater, instantAt, startOfDay } from '../../base/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { listReconnects, type Reconnect } from '../cadence/reconnects.ts'
import { listMeetings } from '../calendars/meeting-store.ts'
import { findByEmail } from '../calendars/people-by-email.ts'
import { listFollowUps, type ListedFollowUp } from '../follow-ups/follow-up-list.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { namesOf } from '../../tools/read-activity.ts'
import type { StoredMeeting } from '../calendars/counted-meetings.ts'
import type { MemberReader } from '../../db/database.ts'

interface BriefingDay {
  /** YYYY-MM-DD */
  readonly day: string
  readonly timeZone: string
}

/** Someone in a meeting. */
interface MetPerson {
  readonly email: string
  readonly name: string
  /** If they are a connection. */
  readonly connection?: Listed
  readonly lastContactOn: string | null
}

export interface BriefedMeeting extends Omit<StoredMeeting, 'people'> {
  readonly people: readonly MetPerson[]
}

export interface DayBriefing {
  readonly meetings: readonly BriefedMeeting[]
  /** Due on the day or overdue. */
  readonly followUps: readonly ListedFollowUp[]
  readonly hasMoreFollowUps: boolean
  /** Most overdue first. */
  readonly reconnects: readonly Reconnect[]
  /** On the day and in the week after it. */
  readonly birthdays: readonly { readonly connection: Listed; readonly on: string }[]
  readonly jobChanges: readonly { readonly connection: Listed; readonly on: string }[]
}

interface AgentChange {
  readonly activityId: number
  readonly at: number
  readonly action: string
  readonly actor: string
  /** Of the first people that it is about. */
  readonly names: readonly string[]
}

const MAX_MEETINGS = 20
const MAX_FOLLOW_UPS = 15
const MAX_BIRTHDAYS = 10
const MAX_JOB_CHANGES = 10
const MAX_AGENT_CHANGES = 10
/** Days before the day in which job changes count. */
const JOB_DAYS = 7

/** Meetings come from the member's calendars. */
export async function readDayBriefing(
  db: MemberReader,
  { day, timeZone }: BriefingDay,
): Promise<DayBriefing> {
  const from = instantAt(timeZone, startOfDay(day))
  const to = instantAt(timeZone, startOfDay(daysLater(day, 1)))
  const [meetings, { followUps, hasMore }, reconnects, birthdays, jobChanges] = await Promise.all([
    listMeetings(db, { from, to, limit: MAX_MEETINGS }),
    listFollowUps(db, { status: 'open', dueBefore: daysLater(day, 1) }, MAX_FOLLOW_UPS),
    listReconnects(db, day),
    listBirthdays(db, day),
    db.all(JOB_CHANGES, { since: daysLater(day, -JOB_DAYS), limit: MAX_JOB_CHANGES }),
  ])
  return {
    meetings: await withPeople(db, meetings),
    followUps,
    hasMoreFollowUps: hasMore,
    reconnects,
    birthdays,
    jobChanges: jobChanges.map((row) => ({ connection: toListed(row), on: row.job_ended_on })),
  }
}

/** What agents changed in the last 24 hours. */
export async function recentAgentChanges(db: MemberReader, now: number): Promise<AgentChange[]> {
  const changes = await db.all(AGENT_CHANGES, { since: now - DAY, limit: MAX_AGENT_CHANGES })
  return Promise.all(
    changes.map(async ({ activity_id: activityId, at, action, actor }) => ({
      activityId,
      at,
      action,
      actor,
      names: await namesOf(db, { activityId }),
    })),
  )
}

/** The meetings with what the network knows about their people. */
export async function withPeople(
  db: MemberReader,
  meetings: readonly StoredMeeting[],
): Promise<BriefedMeeting[]> {
  const emails = meetings.flatMap(({ people }) => people.map(({ email }) => email))
  const ids = await findByEmail(db, emails)
  const connections = new Map(
    (await findConnections(db, [...ids.values()])).map((one) => [one.connectionId, one]),
  )
  const times = await contactTimesOf(db, [...connections.keys()])
  return meetings.map(({ key, title, startsAt, endsAt, timeZone, people }) => ({
    key,
    title,
    startsAt,
    endsAt,
    timeZone,
    people: people.map(({ email, name }) => {
      const connection = connections.get(ids.get(email) ?? 0)
      return {
        email,
        name: connection?.name ?? name ?? email,
        ...(connection && { connection }),
        lastContactOn: times.get(connection?.connectionId ?? 0)?.lastContactOn ?? null,
      }
    }),
  }))
}

async function listBirthdays(db: MemberReader, day: string): Promise<DayBriefing['birthdays']> {
  const days = Array.from({ length: 8 }, (_, after) => daysLater(day, after))
  const dates = new Map(days.map((one) => [one.slice(5), one]))
  const leapDay = dates.get('02-28')
  // In other years, people born on 29 February celebrate the day before.
  if (leapDay !== undefined && dayAt(startOfDay(leapDay) + DAY).endsWith('03-01'))
    dates.set('02-29', leapDay)
  const rows = await db.all(BIRTHDAYS, { dates: [...dates.keys()], limit: MAX_BIRTHDAYS })
  return rows
    .map((row) => ({ connection: toListed(row), on: dates.get(row.date) ?? day }))
    .toSorted((one, other) => (one.on < other.on ? -1 : 1))
}

/** By index connections_by_birthday. */
const BIRTHDAYS = memberStatement<
  { dates: readonly string[]; limit: number },
  ListedRow & { date: string }
>()(`
  select ${LISTED_COLUMNS}, substr(c.birthday, length(c.birthday) - 4) as date from connections c
  where c.member_id = :member_id and substr(c.birthday, length(c.birthday) - 4) in (:dates...text)
    and c.birthday is not null and c.deleted_at is null
  limit :limit`)

/** By index connections_by_job_end. */
const JOB_CHANGES = memberStatement<
  { since: string; limit: number },
  ListedRow & { job_ended_on: string }
>()(`
  select ${LISTED_COLUMNS}, c.job_ended_on from connections c
  where c.member_id = :member_id and c.job_ended_on >= :since and c.deleted_at is null
  order by c.job_ended_on desc, c.connection_id desc limit :limit`)

/** By primary key: only recent changes are read. */
const AGENT_CHANGES = memberStatement<
  { since: number; limit: number },
  { activity_id: number; at: number; action: string; actor: string }
>()(`
  select recent.activity_id, recent.at, recent.action, recent.actor from (
    select activity_id, at, action, actor, credential_id from activity
    where member_id = :member_id order by activity_id desc limit 300) recent
  where recent.credential_id is not null and recent.at >= :since
  order by recent.activity_id desc limit :limit`)
