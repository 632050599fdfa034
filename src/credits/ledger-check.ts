/** Checks that a member's ledger adds up, to verify copies and for `weft doctor`. */

import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'

/**
 * Each entry changes the balance of the one before by its own amount, and the last one has the balance of the account. The
 * ledger keeps only the latest entries, so its sum alone proves nothing.
 */
export async function isLedgerExact(reader: MemberReader): Promise<boolean> {
  const [gap, account] = [await reader.get(WRONG_ENTRY, {}), await reader.get(WRONG_ACCOUNT, {})]
  return gap === undefined && account === undefined
}

const WRONG_ENTRY = memberStatement<object, { entry_id: number }>()(`
  select entry_id from (
    select entry_id, delta, balance_after,
      lag(entry_id) over (order by entry_id) as previous,
      lag(balance_after) over (order by entry_id) as before
    from credit_ledger where member_id = :member_id) entries
  where previous is not null and (previous <> entry_id - 1 or balance_after <> before + delta)
  limit 1`)

const WRONG_ACCOUNT = memberStatement<object, { last_entry: number }>()(`
  select last_entry from credit_accounts a
  where member_id = :member_id and last_entry > 0 and not exists (
    select 1 from credit_ledger l
    where l.member_id = a.member_id and l.entry_id = a.last_entry and l.balance_after = a.remaining)`)
