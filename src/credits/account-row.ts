/** The account row of a member, with its balance. */

import { memberStatement } from '../db/statement.ts'

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
