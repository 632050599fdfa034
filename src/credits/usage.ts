/** How much of a member's credits went where, read from the ledger. */

import { DAY } from '../base/clock.ts'
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

/** What was spent on one thing on one day. */
export interface DaySpending {
  /** 0 for the day that `since` begins. */
  readonly day: number
  /** The tool or kind of job. */
  readonly reason: string
  /** After what was given back on that day; below 0 where that was more. */
  readonly credits: number
}

/** By days of 24 hours from then on, in their order; a day without spending is not in it. */
export async function spendingByDay(reader: MemberReader, since: number): Promise<DaySpending[]> {
  const rows = await reader.all(BY_DAY, { since, day_length: DAY })
  return rows.map(({ day, reason, credits }) => ({ day, reason, credits }))
}

/** What one credential has spent; null stands for what was done without one, such as by hand. */
export interface CredentialSpending {
  readonly credentialId: string | null
  /** Calls that were charged. */
  readonly calls: number
  readonly credits: number
}

/** Since then, the one that spent most first. */
export async function spendingByCredential(
  reader: MemberReader,
  since: number,
): Promise<CredentialSpending[]> {
  const rows = await reader.all(BY_CREDENTIAL, { since })
  return rows.map(({ credential_id, calls, credits }) => ({
    credentialId: credential_id,
    calls,
    credits,
  }))
}

/** By the primary key: entries are numbered as time goes by, so it walks back to the last one before, and no further. */
const SINCE = `entry_id > coalesce((
      select entry_id from credit_ledger where member_id = :member_id and at < :since
      order by entry_id desc limit 1), 0)` as const

const CALLS = memberStatement<{ since: number }, { credential_id: string; calls: number }>()(`
  select credential_id, count(*) as calls from credit_ledger
  where member_id = :member_id and kind = 'charge' and credential_id is not null and ${SINCE}
  group by credential_id`)

const BY_DAY = memberStatement<{ since: number; day_length: number }, DaySpending>()(`
  select cast((at - :since) / :day_length as bigint) as day, reason, cast(sum(0 - delta) as bigint) as credits
  from credit_ledger
  where member_id = :member_id and kind in ('charge', 'refund') and ${SINCE}
  group by 1, 2 order by 1, 2`)

const BY_CREDENTIAL = memberStatement<
  { since: number },
  { credential_id: string | null; calls: number; credits: number }
>()(`
  select credential_id, sum(case kind when 'charge' then 1 else 0 end) as calls,
    cast(sum(0 - delta) as bigint) as credits
  from credit_ledger
  where member_id = :member_id and kind in ('charge', 'refund') and ${SINCE}
  group by credential_id order by credits desc, credential_id`)
