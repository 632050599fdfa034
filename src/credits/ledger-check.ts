/** Checks that a member's ledger adds up, to verify copies and for `weft doctor`. */

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, statement } from '../db/statement.ts'
import type { Database, MemberReader } from '../db/database.ts'

/**
 * Each entry changes the balance of the one before by its own amount, and the last one has the balance of the account. The
 * ledger keeps only the latest entries, so its sum alone proves nothing.
 */
export async function isLedgerExact(reader: MemberReader): Promise<boolean> {
  return (await reader.get(WRONG, {})) === undefined
}

interface CheckedLedgers {
  readonly checked: number
  /** Usernames. */
  readonly wrong: readonly string[]
}

/** Fits the PostgreSQL connection pool of a process: a read that waits for a connection can time out. */
const LEDGERS_AT_ONCE = 6

/** Checks all members in the order of their IDs, which is that of the ledger's rows. `onChecked` gets the number so far. */
export async function checkLedgers(
  database: Pick<Database, 'member' | 'all'>,
  onChecked: (members: number) => void = () => {},
  pauseMs = RETRY_PAUSE_MS,
): Promise<CheckedLedgers> {
  const wrong: string[] = []
  let checked = 0
  for (let after = 0; ;) {
    const page = await retried(() => database.all(OWNERS, { after, limit: MEMBERS_PER_PAGE }))
    for (let first = 0; first < page.length; first += LEDGERS_AT_ONCE) {
      const group = page.slice(first, first + LEDGERS_AT_ONCE)
      const exact = await Promise.all(
        group.map(({ member_id: id }) => retried(() => isLedgerExact(database.member(id)))),
      )
      wrong.push(...group.filter((_, at) => exact[at] === false).map(({ username }) => username))
    }
    onChecked((checked += page.length))
    if (page.length < MEMBERS_PER_PAGE) return { checked, wrong }
    after = page.at(-1)?.member_id ?? after
  }

  /** A check of many members takes minutes, so a short interruption must not end it. */
  async function retried<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await read()
      } catch (error) {
        const isTemporary = error instanceof RequestError && error.code === 'unavailable'
        if (!isTemporary || attempt === MAX_ATTEMPTS) throw error
        await sleep(pauseMs * attempt)
      }
  }
}

const MAX_ATTEMPTS = 4
const RETRY_PAUSE_MS = 2 * SECOND
const MEMBERS_PER_PAGE = 500

const OWNERS = statement<{ after: number; limit: number }, { member_id: number; username: string }>(
  'select member_id, username from members where member_id > :after order by member_id limit :limit',
)

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
