/** Queues the email with the link that confirms a member's address. */

import { HOUR } from '../../base/clock.ts'
import { countRecentEmails, queueEmail } from '../../outbox/outbox.ts'
import type { Transaction } from '../../db/database.ts'

/** Per member, so that no one can flood an address by entering it as theirs. */
const MAX_PER_HOUR = 3

/** False if the member was sent too many in the last hour. */
export async function queueVerification(
  tx: Transaction,
  memberId: number,
  recipient: string,
  now: number,
): Promise<boolean> {
  const kind = 'email_verification'
  if ((await countRecentEmails(tx, memberId, kind, now - HOUR)) >= MAX_PER_HOUR) return false
  await queueEmail(tx, { kind, memberId, recipient }, now)
  return true
}
