/** Counts that the charts of a network show. */

import { dayAt } from '../../dates/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

type HeavyReader = MemberReader & Pick<MemberDatabase, 'heavy' | 'memory'>

const WEEKS = 26

/** Interactions of the last weeks until today (YYYY-MM-DD), by the Monday of each week. */
export async function countWeeks({ heavy }: HeavyReader, today: string): Promise<ValueCount[]> {
  const last = weekOf(Date.parse(today))
  const first = last - WEEKS + 1
  const rows = await heavy.all(CONTACTS, { from: startOf(first), to: startOf(last + 1) })
  const counts = new Map(rows.map(({ week, count }) => [week, count]))
  return Array.from({ length: WEEKS }, (_, at) => ({
    value: dayAt(startOf(first + at)),
    count: counts.get(first + at) ?? 0,
  }))
}

/** Weeks from Monday to Sunday since that of 1 January 1970, a Thursday. */
function weekOf(time: number): number {
  return Math.floor((Math.floor(time / DAY) + 3) / 7)
}

function startOf(week: number): number {
  return (week * 7 - 3) * DAY
}

/** People who were in the same interactions as this person, most often first. */
export async function metTogether(
  { heavy }: HeavyReader,
  connectionId: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await heavy.all(TOGETHER, { id: connectionId, limit })
  return rows.map(({ id }) => id)
}

/** By interactions_by_time. */
const CONTACTS = memberStatement<{ from: number; to: number }, { week: number; count: number }>()(`
  select cast((local_at / 86400000 + 3) / 7 as integer) as week, cast(count(*) as integer) as count from interactions
  where member_id = :member_id and local_at >= :from and local_at < :to and deleted_at is null
  group by cast((local_at / 86400000 + 3) / 7 as integer)`)

/** By primary key and interaction_people_by_interaction. */
const TOGETHER = memberStatement<{ id: number; limit: number }, { id: number }>()(`
  select other.connection_id as id from interaction_people own
  join interaction_people other on other.member_id = :member_id and other.interaction_id = own.interaction_id
  where own.member_id = :member_id and own.connection_id = :id and own.deleted_at is null
    and other.deleted_at is null and other.connection_id <> :id
  group by other.connection_id order by count(*) desc, other.connection_id limit :limit`)
