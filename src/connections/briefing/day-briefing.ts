/** What a member should know for a day or a period: meetings, follow-ups, people to contact again, birthdays and changes. */

import { dayCount, daysLater, startOfDay } from '../../dates/calendar-day.ts'
import { dayInZone, instantAt } from '../../dates/time-zone.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { DEFAULT_RECONNECTS, listReconnects, type Reconnect } from '../cadence/reconnects.ts'
import { listAhead, type AheadMeeting } from '../meetings/meetings-ahead.ts'
import { listFollowUps, type ListedFollowUp } from '../follow-ups/follow-up-list.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import { namesOf } from '../../tools/activity-log/read-activity.ts'
import type { MemberReader } from '../../db/database.ts'

interface BriefingDays {
  /** YYYY-MM-DD */
  readonly day: string
  /** The last day of a period: YYYY-MM-DD. */
  readonly until?: string
  /** The last day with birthdays; by default a week after the day, or the end of the period. */
  readonly birthdaysUntil?: string
  readonly timeZone: string
  /** Typed meetings are those after it; by default, all on the days. */
  readonly now?: number
  /** Leaves out what was due before the day. */
  readonly omitsOverdue?: boolean
}

export interface CelebratedBirthday {
  readonly connection: Listed
  /** YYYY-MM-DD, or --MM-DD when the year is unknown. */
  readonly birthday: string
  /** The day on which it is celebrated: YYYY-MM-DD. */
  readonly on: string
}

export interface DayBriefing {
  /** Meetings in calendars, and typed ones that are ahead. */
  readonly meetings: readonly AheadMeeting[]
  /** Due on the days or overdue. Of a period without today, only those due in it. */
  readonly followUps: readonly ListedFollowUp[]
  readonly hasMoreFollowUps: boolean
  /** Most overdue first. */
  readonly reconnects: readonly Reconnect[]
  /** In order of the day: on the day and in the week after it, or in the period. */
  readonly birthdays: readonly CelebratedBirthday[]
  readonly jobChanges: readonly { readonly connection: Listed; readonly on: string }[]
  /** Whether there are more meetings, follow-ups or birthdays than these. */
  readonly isCut: boolean
}

interface AgentChange {
  readonly activityId: number
  readonly at: number
  readonly action: string
  readonly actor: string
  /** Names of the first people that it is about. */
  readonly names: readonly string[]
}

const MAX_MEETINGS = 40
const MAX_FOLLOW_UPS = 15
const MAX_BIRTHDAYS = 200
const MAX_JOB_CHANGES = 10
const MAX_AGENT_CHANGES = 10
/** Days before the day in which job changes count. */
const JOB_DAYS = 7

/** `until` is the last day of a period. Who to contact again and new jobs are those on the first day. */
export async function readDayBriefing(
  db: MemberReader,
  { day, until = day, birthdaysUntil, timeZone, now: at, omitsOverdue }: BriefingDays,
): Promise<DayBriefing> {
  const from = instantAt(timeZone, startOfDay(day))
  const now = at ?? from - 1
  const after = daysLater(until, 1)
  const to = instantAt(timeZone, startOfDay(after))
  const today = at === undefined ? day : dayInZone(timeZone, at)
  const isElsewhere = until !== day && (today < day || today > until)
  const due = { dueBefore: after, ...((omitsOverdue ?? isElsewhere) && { dueFrom: day }) }
  const lastBirthday = birthdaysUntil ?? (until === day ? daysLater(day, 7) : until)
  const [ahead, { entries: followUps, hasMore }, reconnects, birthdays, jobChanges] =
    await Promise.all([
      listAhead(db, { from, to, now, timeZone, limit: MAX_MEETINGS }),
      listFollowUps(db, { status: 'open', ...due }, MAX_FOLLOW_UPS),
      listReconnects(db, day, DEFAULT_RECONNECTS, omitsOverdue === true ? day : undefined),
      listBirthdays(db, day, lastBirthday),
      db.all(JOB_CHANGES, { since: daysLater(day, -JOB_DAYS), limit: MAX_JOB_CHANGES }),
    ])
  return {
    meetings: ahead.meetings,
    followUps,
    hasMoreFollowUps: hasMore,
    reconnects,
    birthdays: birthdays.slice(0, MAX_BIRTHDAYS),
    jobChanges: jobChanges.map((row) => ({ connection: toListed(row), on: row.job_ended_on })),
    isCut: ahead.hasMore || hasMore || birthdays.length > MAX_BIRTHDAYS,
  }
}

/** What other agents than this credential changed in the last 24 hours. */
export async function recentAgentChanges(
  db: MemberReader,
  now: number,
  credentialId: string,
): Promise<AgentChange[]> {
  const others = { since: now - DAY, credential_id: credentialId, limit: MAX_AGENT_CHANGES }
  const changes = await db.all(AGENT_CHANGES, others)
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

/** In order of the day, at most a year. */
export async function listBirthdays(
  db: MemberReader,
  day: string,
  until: string,
): Promise<CelebratedBirthday[]> {
  const count = Math.min(dayCount(until) - dayCount(day) + 1, DAYS_OF_YEAR)
  const days = Array.from({ length: count }, (_, after) => daysLater(day, after))
  const dates = new Map(days.map((one) => [one.slice(5), one]))
  const leapDay = dates.get('02-28')
  // In other years, people born on 29 February celebrate the day before.
  if (leapDay !== undefined && daysLater(leapDay, 1).endsWith('03-01')) dates.set('02-29', leapDay)
  const rows = await db.all(BIRTHDAYS, { dates: [...dates.keys()] })
  return rows
    .map((row) => ({
      connection: toListed(row),
      birthday: row.birthday,
      on: dates.get(row.date) ?? day,
    }))
    .toSorted((one, other) => (one.on < other.on ? -1 : one.on > other.on ? 1 : 0))
}

const DAYS_OF_YEAR = 366

/** By index connections_by_birthday. */
const BIRTHDAYS = memberStatement<
  { dates: readonly string[] },
  ListedRow & { birthday: string; date: string }
>()(`
  select ${LISTED_COLUMNS}, c.birthday, substr(c.birthday, length(c.birthday) - 4) as date from connections c
  where c.member_id = :member_id and substr(c.birthday, length(c.birthday) - 4) in (:dates...text)
    and c.birthday is not null and c.deleted_at is null
  order by c.name_key, c.connection_id`)

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
  { since: number; credential_id: string; limit: number },
  { activity_id: number; at: number; action: string; actor: string }
>()(`
  select recent.activity_id, recent.at, recent.action, recent.actor from (
    select activity_id, at, action, actor, credential_id from activity
    where member_id = :member_id order by activity_id desc limit 300) recent
  where recent.credential_id is not null and recent.credential_id <> :credential_id and recent.at >= :since
  order by recent.activity_id desc limit :limit`)
