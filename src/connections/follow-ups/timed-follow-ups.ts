/** Follow-ups with a time of day, by the moment at which they are due. */

import { dayAt, startOfDay } from '../../dates/calendar-day.ts'
import { instantAt, localTimeAt } from '../../dates/time-zone.ts'
import { HOUR, MINUTE } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { FOLLOW_UP_COLUMNS, FOLLOW_UPS_WITH_PEOPLE, type FollowUp } from './follow-ups.ts'
import type { ListedFollowUp } from './follow-up-list.ts'
import type { MemberReader } from '../../db/database.ts'

const MAX_TIMED = 100
/** When clocks are set back, a local time is earlier than one that has passed. */
const MAX_CLOCK_CHANGE_MS = 2 * HOUR

/** Open ones that became due after `after` and not after `until`. Milliseconds. */
export async function listTimedFollowUps(
  reader: MemberReader,
  {
    timeZone,
    after,
    until,
  }: { readonly timeZone: string; readonly after: number; readonly until: number },
): Promise<ListedFollowUp[]> {
  const from = localKey(localTimeAt(timeZone, after) - MAX_CLOCK_CHANGE_MS)
  const rows = await reader.all(TIMED, { ...from, limit: MAX_TIMED })
  return rows
    .filter((row) => {
      const at = dueAt(row, timeZone)
      return at > after && at <= until
    })
    .map(({ name, ...followUp }) => ({ followUp, name }))
}

/** When the next one is due; undefined if there is none. */
export async function nextTimedFollowUp(
  reader: MemberReader,
  { timeZone, after }: { readonly timeZone: string; readonly after: number },
): Promise<number | undefined> {
  const from = localKey(localTimeAt(timeZone, after) - MAX_CLOCK_CHANGE_MS)
  const rows = await reader.all(TIMED, { ...from, limit: MAX_TIMED })
  const times = rows.map((row) => dueAt(row, timeZone)).filter((at) => at > after)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** The moment at which a follow-up with a time is due. */
export function dueAt(
  { dueOn, dueTime }: Pick<FollowUp, 'dueOn' | 'dueTime'>,
  timeZone: string,
): number {
  const [hours = 0, minutes = 0] = dueTime.split(':').map(Number)
  return instantAt(timeZone, startOfDay(dueOn) + hours * HOUR + minutes * MINUTE)
}

function localKey(local: number): { readonly day: string; readonly time: string } {
  return { day: dayAt(local), time: new Date(local).toISOString().slice(11, 16) }
}

/** By index follow_ups_by_day, which has the time. */
const TIMED = memberStatement<
  { day: string; time: string; limit: number },
  FollowUp & { readonly name: string | null }
>()(`
  select ${FOLLOW_UP_COLUMNS}, c.name from ${FOLLOW_UPS_WITH_PEOPLE}
    and (f.due_on, f.due_time) >= (:day, :time) and f.due_time > '' and f.completed_at is null
  order by f.due_on, f.due_time, f.follow_up_id limit :limit`)
