/** How often a connected calendar is fetched, and which of its days are read. */

import { DAY, HOUR, MINUTE } from '../../base/clock.ts'

export const SYNC_INTERVAL_MS = 30 * MINUTE

/** The meetings that are read: enough for the past quarter and the next month. */
export const PAST_MS = 90 * DAY
export const FUTURE_MS = 30 * DAY

/** An unchanged calendar is read again after this time, because its series reach into new days. */
export const REREAD_MS = 20 * HOUR
