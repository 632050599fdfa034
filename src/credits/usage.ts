/** Credit usage by credential, day and tool, computed from the ledger. */

import { DAY } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'

/** Charged calls since then, by credential. Credentials without calls are omitted. */
export async function countCalls(
  reader: MemberReader,
  since: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all(CALLS, { since })
  return new Map(rows.map(({ credential_id, calls }) => [credential_id, calls]))
}

/** Credits spent on one tool or job kind on one day. */
export interface DaySpending {
  /** 0 for the day that starts at `since`. */
  readonly day: number
  /** The tool or job kind. */
  readonly reason: string
  /** After refunds on that day; negative if refunds exceed charges. */
  readonly credits: number
}

/** In 24-hour days from `since`, ascending. Days without charges are omitted. */
export function spendingByDay(reader: MemberReader, since: number): Promise<DaySpending[]> {
  return reader.all(BY_DAY, { since, day_length: DAY })
}

/** Credits spent by one credential; null stands for manual changes. */
export interface CredentialSpending {
  readonly credentialId: string | null
  readonly calls: number
  readonly credits: number
}

/** Since then, highest spending first. */
export function spendingByCredential(
  reader: MemberReader,
  since: number,
): Promise<CredentialSpending[]> {
  return reader.all(BY_CREDENTIAL, { since })
}

/** By the primary key: entry numbers follow time, so the scan ends at the last entry before `since`. */
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

const BY_CREDENTIAL = memberStatement<{ since: number }, CredentialSpending>()(`
  select credential_id as "credentialId", sum(case kind when 'charge' then 1 else 0 end) as calls,
    cast(sum(0 - delta) as bigint) as credits
  from credit_ledger
  where member_id = :member_id and kind in ('charge', 'refund') and ${SINCE}
  group by credential_id order by credits desc, credential_id`)
