/** People with a cadence: who is next, and how many are on time. */

import { dayCount, dayFromCount } from '../../dates/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

export interface KeptPerson {
  readonly connection: Listed
  /** When the next contact is due: YYYY-MM-DD. */
  readonly dueOn: string
  readonly state: keyof KeptCounts
}

/** Longest due first, without paused and muted people. `today`: YYYY-MM-DD. */
export async function listKeptPeople(
  reader: MemberReader,
  today: string,
  limit: number,
): Promise<KeptPerson[]> {
  const rows = await reader.all(KEPT, { day: dayCount(today), today, limit })
  return rows.map((row) => ({
    connection: toListed(row),
    dueOn: dayFromCount(row.due_day),
    state: row.is_late === 1 ? 'late' : row.is_due === 1 ? 'due' : 'onTime',
  }))
}

export interface KeptCounts {
  readonly onTime: number
  readonly due: number
  /** Due for longer than their cadence. */
  readonly late: number
}

/** How the people with a cadence stand, without paused and muted people. Those with a planned contact are on time.
 * `today`: YYYY-MM-DD. */
export async function countKeptPeople(reader: MemberReader, today: string): Promise<KeptCounts> {
  const row = await reader.get(COUNTS, { day: dayCount(today), today })
  const { all_kept = 0, due = 0, late = 0 } = row ?? {}
  return { onTime: all_kept - due, due: due - late, late }
}

const IS_DUE = 't.due_day <= :day and t.next_contact_on is null'
const IS_LATE = `${IS_DUE} and t.due_day + t.cadence_days < :day and t.last_contact_on is not null`
const FROM_KEPT = `from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.due_day is not null and t.is_muted = 0 and t.basis <> 'rhythm'
    and (t.paused_until is null or t.paused_until <= :today) and c.deleted_at is null`

const COUNTS = memberStatement<
  { day: number; today: string },
  { all_kept: number; due: number; late: number }
>()(`
  select cast(count(*) as integer) as all_kept,
    cast(count(case when ${IS_DUE} then 1 end) as integer) as due,
    cast(count(case when ${IS_LATE} then 1 end) as integer) as late
  ${FROM_KEPT}`)

/** By index contact_times_by_due; the scan stops when the list is full. */
const KEPT = memberStatement<
  { day: number; today: string; limit: number },
  ListedRow & { due_day: number; is_due: number; is_late: number }
>()(`
  select ${LISTED_COLUMNS}, t.due_day, case when ${IS_DUE} then 1 else 0 end as is_due,
    case when ${IS_LATE} then 1 else 0 end as is_late
  ${FROM_KEPT}
  order by t.due_day, t.connection_id limit :limit`)
