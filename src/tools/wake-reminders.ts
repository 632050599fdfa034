/** Makes the scheduler look at a member again, after a change of what is due at a time of day. */

import { memberStatement } from '../db/statement.ts'
import type { MemberTransaction } from '../db/database.ts'

/** Call it in the transaction of the change. */
export async function wakeReminders(tx: MemberTransaction): Promise<void> {
  await tx.run(WAKE, {})
}

/** By primary key. */
const WAKE = memberStatement()(
  'update reminder_settings set next_at = 0 where member_id = :member_id',
)
