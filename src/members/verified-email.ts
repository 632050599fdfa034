/** Whether a member has proved that their email is theirs. Every change of the email makes it unverified. */

import { statement } from '../db/statement.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'

/** By the primary key, like the next statement. */
const VERIFIED = statement<{ id: number }, { verified: number }>(`
  select 1 as verified from members where member_id = :id and email is not null and verified_email = email`)

const VERIFY = statement<{ id: number; email: string }>(`
  update members set verified_email = email
  where member_id = :id and email = :email and (verified_email is null or verified_email <> email)`)

/** About the member's current email. */
export async function isEmailVerified(reader: Reader, memberId: number): Promise<boolean> {
  return (await reader.get(VERIFIED, { id: memberId })) !== undefined
}

/** Has no effect if the member's email is another one by now. */
export async function verifyEmail(
  tx: SharedTransaction,
  memberId: number,
  email: string,
): Promise<void> {
  await tx.run(VERIFY, { id: memberId, email: email.toLowerCase() })
}
