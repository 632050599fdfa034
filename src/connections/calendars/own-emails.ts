/** The addresses of the member in calendars. */

import { updateRow } from '../../db/change-row.ts'
import { memberStatement } from '../../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The addresses beside the one of the account. */
export async function readOwnEmails(reader: MemberReader): Promise<string[]> {
  const row = await reader.get(OWN_EMAILS, {})
  // Written below as a list of strings.
  return JSON.parse(row?.own_emails ?? '[]') as string[]
}

export async function setOwnEmails(
  tx: MemberTransaction,
  emails: readonly string[],
): Promise<void> {
  await updateRow(tx, 'networks', {}, { ownEmails: JSON.stringify(emails) })
}

const OWN_EMAILS = memberStatement<object, { own_emails: string }>()(
  'select own_emails from networks where member_id = :member_id',
)
