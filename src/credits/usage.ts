/** How much of a member's credits went where, read from the ledger. */

import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'

/** Calls that were charged since then, by the credential that made them. One that made none is not in it. */
export async function countCalls(
  reader: MemberReader,
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all(CALLS, { since })
  return new Map(rows.map(({ credential_id, calls }) => [credential_id, calls]))
}

/** By the primary key: entries are numbered as time goes by, so it walks back to the last one before, and no further. */
const CALLS = memberStatement<{ since: number }, { credential_id: string; calls: number }>()(`
  select credential_id, count(*) as calls from credit_ledger
  where member_id = :member_id and kind = 'charge' and credential_id is not null
    and entry_id > coalesce((
      select entry_id from credit_ledger where member_id = :member_id and at < :since
      order by entry_id desc limit 1), 0)
  group by credential_id`)
