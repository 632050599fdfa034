/** Counts what each day of a week has, for the day switch of the page *Today*. */

import { daysLater, startOfDay } from '../../dates/calendar-day.ts'
import { instantAt } from '../../dates/time-zone.ts'
import { memberStatement } from '../../db/statement.ts'
import { listAhead } from '../meetings/meetings-ahead.ts'
import { FOLLOW_UPS_WITH_PEOPLE } from '../follow-ups/follow-ups.ts'
import { listBirthdays } from './day-briefing.ts'
import type { MemberReader } from '../../db/database.ts'

interface Days {
  /** The first day: YYYY-MM-DD. */
  readonly from: string
  /** How many days. */
  readonly length: number
  readonly today: string
  readonly timeZone: string
}

/** Meetings, open follow-ups and birthdays of each day, in order. What is overdue counts for today. */
export async function countDays(
  db: MemberReader,
  { from, length, today, timeZone }: Days,
): Promise<{ readonly day: string; readonly count: number }[]> {
  const days = Array.from({ length }, (_, after) => daysLater(from, after))
  const after = daysLater(from, length)
  const [start, to] = [from, after].map((day) => instantAt(timeZone, startOfDay(day)))
  const period = { from: start ?? 0, to: to ?? 0, now: (start ?? 0) - 1 }
  const [{ meetings }, due, birthdays] = await Promise.all([
    listAhead(db, { ...period, timeZone, limit: MAX_MEETINGS }),
    db.all(DUE, { today, from, after }),
    listBirthdays(db, from, daysLater(after, -1)),
  ])
  const counts = new Map(due.map(({ day, count }) => [day, count]))
  for (const { on } of [...meetings, ...birthdays]) counts.set(on, (counts.get(on) ?? 0) + 1)
  return days.map((day) => ({ day, count: counts.get(day) ?? 0 }))
}

const MAX_MEETINGS = 200

/** By follow_ups_by_day. */
const DUE = memberStatement<
  Readonly<Record<'today' | 'from' | 'after', string>>,
  { day: string; count: number }
>()(`
  select case when f.due_on < :today then :today else f.due_on end as day, cast(count(*) as integer) as count
  from ${FOLLOW_UPS_WITH_PEOPLE} and f.completed_at is null
    and (f.due_on < :today or f.due_on >= :from) and f.due_on < :after
  group by case when f.due_on < :today then :today else f.due_on end`)
