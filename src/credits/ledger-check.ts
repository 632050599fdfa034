/** Checks that a member's ledger adds up, to verify copies and for `weft doctor`. */

import { memberStatement } from '../db/statement.ts'
import type { Database, MemberReader } from '../db/database.ts'

/**
 * Each entry changes the balance of the one before by its own amount, and the last one has the balance of the account. The
 * ledger keeps only the latest entries, so its sum alone proves nothing.
 */
export async function isLedgerExact(reader: MemberReader): Promise<boolean> {
  return (await reader.get(WRONG, {})) === undefined
}

interface Owner {
  readonly memberId: number
  readonly username: string
}

interface CheckedLedgers {
  readonly checked: number
  /** Usernames. */
  readonly wrong: readonly string[]
}

/** No more than the connections of a process to PostgreSQL, so that no read waits for one and times out. */
const LEDGERS_AT_ONCE = 6

/** Checks a page of members at a time. `onChecked` gets the number of members so far. */
export async function checkLedgers(
  database: Pick<Database, 'member'>,
  pages: AsyncIterable<readonly Owner[]>,
  onChecked: (members: number) => void = () => {},
): Promise<CheckedLedgers> {
  const wrong: string[] = []
  let checked = 0
  for await (const page of pages) {
    for (let first = 0; first < page.length; first += LEDGERS_AT_ONCE) {
      const group = page.slice(first, first + LEDGERS_AT_ONCE)
      const exact = await Promise.all(
        group.map(({ memberId }) => isLedgerExact(database.member(memberId))),
      )
      wrong.push(...group.filter((_, at) => exact[at] === false).map(({ username }) => username))
    }
    onChecked((checked += page.length))
  }
  return { checked, wrong }
}

/** A row if an entry or the account is wrong. One statement, because `weft doctor` asks it for every member. */
const WRONG = memberStatement<object, { wrong: number }>()(`
  select 1 as wrong from (
    select entry_id, delta, balance_after,
      lag(entry_id) over (order by entry_id) as previous,
      lag(balance_after) over (order by entry_id) as before
    from credit_ledger where member_id = :member_id) entries
  where previous is not null and (previous <> entry_id - 1 or balance_after <> before + delta)
  union all
  select 1 as wrong from credit_accounts a
  where member_id = :member_id and last_entry > 0 and not exists (
    select 1 from credit_ledger l
    where l.member_id = a.member_id and l.entry_id = a.last_entry and l.balance_after = a.remaining)
  limit 1`)
