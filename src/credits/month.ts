/** The month of an account: when it starts and ends, and whether it is still open. */

import { DAY } from '../base/clock.ts'
import type { Account } from './account-row.ts'

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
