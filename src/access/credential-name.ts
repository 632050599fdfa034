/** Names of credentials, kept so that the ledger and activity log can show them after the credential has ended. */

import { DAY } from '../base/clock.ts'
import { insertRow } from '../db/insert-row.ts'
import { memberStatement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

/** Twice the lifetime of a grant. Older API tokens have the name in their own row. */
const NAME_LIFETIME = 2 * 365 * DAY

/** Call it in the transaction that creates the credential. */
export async function storeCredentialName(
  tx: MemberTransaction,
  credentialId: string,
  name: string,
  now: number,
): Promise<void> {
  await insertRow(tx, 'credential_names', { credential_id: credentialId, name, named_at: now })
}

/** By credential ID, including ended credentials. */
export async function credentialNames(reader: MemberReader): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.all(NAMES, {})
  return new Map(rows.map(({ credential_id, name }) => [credential_id, name]))
}

/** By primary key. */
const NAMES = memberStatement<object, { credential_id: string; name: string }>()(
  'select credential_id, name from credential_names where member_id = :member_id',
)

/** Deletes names that are two years old. By credential_names_by_time. */
export const sweepCredentialNames = sweepOf(
  'credential_names',
  'member_id, credential_id',
  'named_at',
  NAME_LIFETIME,
)
