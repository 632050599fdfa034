/** People with a cadence who are not due yet. */

import { dayCount, dayFromCount } from '../../dates/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

export interface KeptPerson {
  readonly connection: Listed
  /** When the next contact is due: YYYY-MM-DD. */
  readonly dueOn: string
}

/** Next due first, without paused and muted people. `today`: YYYY-MM-DD. */
export async function listKeptPeople(
  reader: MemberReader,
  today: string,
  limit: number,
): Promise<KeptPerson[]> {
  const rows = await reader.all(KEPT, { day: dayCount(today), today, limit })
  return rows.map((row) => ({ connection: toListed(row), dueOn: dayFromCount(row.due_day) }))
}

/** By index contact_times_by_due; the scan stops when the list is full. */
const KEPT = memberStatement<
  { day: number; today: string; limit: number },
  ListedRow & { due_day: number }
>()(`
  select ${LISTED_COLUMNS}, t.due_day from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.due_day > :day and t.is_muted = 0 and t.basis <> 'rhythm'
    and (t.paused_until is null or t.paused_until <= :today) and c.deleted_at is null
  order by t.due_day, t.connection_id limit :limit`)
