/** Checks that a member's ledger adds up, to verify copies and for `weft doctor`. */

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, statement } from '../db/statement.ts'
import type { Database, MemberReader } from '../db/database.ts'
import type { TableAccess } from '../db/whole-tables.ts'

/**
 * Each entry changes the balance of the one before by its own amount, and the last one has the balance of the account. The
 * ledger keeps only the latest entries, so its sum alone proves nothing.
 */
export async function isLedgerExact(reader: MemberReader): Promise<boolean> {
  return (await reader.get(WRONG, {})) === undefined
}

/** @throws {RequestError} `conflict` when the ledger of a member does not add up; it names the first one. */
export async function assertLedgers(tables: Pick<TableAccess, 'first'>): Promise<void> {
  const wrong = await tables.first(FIRST_WRONG)
  if (wrong)
    throw new RequestError('conflict', `The credit ledger of ${wrong.username} does not add up.`)
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

/** Selects the members with a wrong entry or account. `of` limits the rows to a member. */
const wrongMembers = <Of extends string>(of: Of) =>
  `
  select member_id from (
    select member_id, entry_id, delta, balance_after,
      lag(entry_id) over of_member as previous, lag(balance_after) over of_member as before
    from credit_ledger ${of}
    window of_member as (partition by member_id order by entry_id)) entries
  where previous is not null and (previous <> entry_id - 1 or balance_after <> before + delta)
  union all
  select a.member_id from (select * from credit_accounts ${of}) a
  where last_entry > 0 and not exists (
    select 1 from credit_ledger l
    where l.member_id = a.member_id and l.entry_id = a.last_entry and l.balance_after = a.remaining)` as const

/** One statement, because `weft doctor` asks it for every member. */
const WRONG = memberStatement<object, { member_id: number }>()(
  `${wrongMembers('where member_id = :member_id')} limit 1`,
)

const FIRST_WRONG = statement<object, { username: string }>(`
  select username from members where member_id in (${wrongMembers('')}) order by member_id limit 1`)
