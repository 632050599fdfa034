/** The account row of a member: the month that is open, and its balance. */

import { DAY } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'

/** A clock set to the wrong time zone is up to 14 hours off; a synchronized clock, milliseconds. */
export const CLOCK_TOLERANCE_MS = DAY

/** Whether the row holds the month of `now`. Must match the condition of `SPEND` in account.ts. */
export function isOpen({ period_start }: Account, now: number): boolean {
  return period_start >= periodOf(now).periodStart && period_start <= now + CLOCK_TOLERANCE_MS
}

/** Start of a month and of the next, in UTC milliseconds. */
interface Period {
  readonly periodStart: number
  readonly resetsAt: number
}

/** The UTC calendar month that contains `now`. */
export function periodOf(now: number): Period {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { periodStart: Date.UTC(year, month), resetsAt: Date.UTC(year, month + 1) }
}

export interface SavedPeriod {
  readonly quota: number
  readonly remaining: number
}

export interface Account extends SavedPeriod {
  readonly period_start: number
  readonly last_entry: number
}

export const ACCOUNT = memberStatement<object, Account>()(
  'select period_start, quota, remaining, last_entry from credit_accounts where member_id = :member_id',
)

/** A no-op that locks the row: `for update` on every engine. */
export const LOCK = memberStatement()(
  'update credit_accounts set remaining = remaining where member_id = :member_id',
)

export const SAVED_PERIOD = memberStatement<{ period_start: number }, SavedPeriod>()(
  'select quota, remaining from credit_periods where member_id = :member_id and period_start = :period_start',
)
