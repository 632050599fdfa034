/** Counts what the page *Today* shows: what is due, and what each day of its day switch has. */

import { daysLater, startOfDay } from '../../dates/calendar-day.ts'
import { instantAt } from '../../dates/time-zone.ts'
import { memberStatement } from '../../db/statement.ts'
import { countReconnectDays, DUE_PEOPLE, dueDays } from '../cadence/reconnects.ts'
import { listAhead } from '../meetings/meetings-ahead.ts'
import { FOLLOW_UPS_WITH_PEOPLE } from '../follow-ups/follow-ups.ts'
import { listBirthdays } from './day-briefing.ts'
import type { MemberReader } from '../../db/database.ts'

export interface DueCounts {
  readonly followUps: number
  /** People to contact. */
  readonly people: number
}

interface DueQuery {
  /** Leaves out what was due before: YYYY-MM-DD. */
  readonly from?: string | undefined
  /** Counts no further than this, of follow-ups and of people. */
  readonly most?: number
}

/** What is due on `day` (YYYY-MM-DD) or before. */
export async function countDue(
  reader: MemberReader,
  day: string,
  { from, most = MAX_DUE }: DueQuery = {},
): Promise<DueCounts> {
  const counted = await reader.get(DUE, { ...dueDays(day, from), most })
  return counted ?? { followUps: 0, people: 0 }
}

/** More than a member has. */
const MAX_DUE = 1_000_000

interface Days {
  /** The first day: YYYY-MM-DD. */
  readonly from: string
  /** How many days. */
  readonly length: number
  readonly today: string
  readonly timeZone: string
  readonly now: number
}

/** What the page of each day shows, in order: meetings, open follow-ups, people to contact and birthdays. */
export async function countDays(
  db: MemberReader,
  { from, length, today, timeZone, now }: Days,
): Promise<{ readonly day: string; readonly count: number }[]> {
  const days = Array.from({ length }, (_, after) => daysLater(from, after))
  const after = daysLater(from, length)
  const until = daysLater(after, -1)
  const [start, to] = [from, after].map((day) => instantAt(timeZone, startOfDay(day)))
  const period = { from: start ?? 0, to: to ?? 0, now: (start ?? 0) - 1 }
  const hasToday = days.includes(today)
  const [{ meetings }, due, birthdays, people] = await Promise.all([
    listAhead(db, { ...period, timeZone, limit: MAX_MEETINGS }),
    db.all(DUE_BY_DAY, { from, since: hasToday ? '' : from, after }),
    listBirthdays(db, from, until),
    countReconnectDays(db, { from, until, today }),
  ])
  const counts = new Map(people)
  const add = (day: string, count = 1) => counts.set(day, (counts.get(day) ?? 0) + count)
  // A typed meeting of today that is over is not ahead.
  const isOver = ({ kind, on, startsAt }: (typeof meetings)[number]) =>
    kind !== undefined && on === today && (startsAt ?? 0) <= now
  for (const { on } of [...meetings.filter((one) => !isOver(one)), ...birthdays]) add(on)
  for (const { day, count } of due) {
    if (day >= from) add(day, count)
    if (day < today && hasToday) add(today, count)
  }
  return days.map((day) => ({ day, count: counts.get(day) ?? 0 }))
}

const MAX_MEETINGS = 200

const OPEN = `${FOLLOW_UPS_WITH_PEOPLE} and f.completed_at is null` as const

/** By follow_ups_by_day and contact_times_by_due. */
const DUE = memberStatement<ReturnType<typeof dueDays> & { most: number }, DueCounts>()(`
  select
    (select cast(count(*) as integer) from (
      select 1 from ${OPEN} and f.due_on <= :today and f.due_on >= :from_day limit :most) f) as "followUps",
    (select cast(count(*) as integer) from (select 1 from ${DUE_PEOPLE} limit :most) t) as people`)

/** By follow_ups_by_day. What was due before the days is counted together. */
const DUE_BY_DAY = memberStatement<
  Readonly<Record<'from' | 'since' | 'after', string>>,
  { day: string; count: number }
>()(`
  select case when f.due_on < :from then '' else f.due_on end as day,
    cast(count(*) as integer) as count
  from ${OPEN} and f.due_on >= :since and f.due_on < :after
  group by case when f.due_on < :from then '' else f.due_on end`)
