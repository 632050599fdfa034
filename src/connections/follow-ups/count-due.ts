/** Counts the follow-ups that are due. */

import { memberStatement } from '../../db/statement.ts'
import { FOLLOW_UPS_WITH_PEOPLE } from './follow-ups.ts'
import type { MemberReader } from '../../db/database.ts'

/** Open follow-ups that are due on `today` (YYYY-MM-DD) or before. */
export async function countDueFollowUps(reader: MemberReader, today: string): Promise<number> {
  return (await reader.get(COUNT, { today }))?.count ?? 0
}

/** By follow_ups_by_day. */
const COUNT = memberStatement<{ today: string }, { count: number }>()(`
  select cast(count(*) as integer) as count from ${FOLLOW_UPS_WITH_PEOPLE}
    and f.due_on <= :today and f.completed_at is null`)
