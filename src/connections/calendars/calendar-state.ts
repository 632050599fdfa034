/** The calendars of all members as metrics and `weft doctor` show them. */

import { asProperties, serviceStatement } from '../../db/statement.ts'
import type { Reader } from '../../db/database.ts'

interface CalendarState {
  readonly due: number
  /** Since when the one that has waited longest is due; null if none is. */
  readonly dueSince: number | null
  /** Calendars whose last sync failed. */
  readonly failing: number
}

/** Counts due calendars, also those that are being synced, and failing ones. Times are in milliseconds. */
export async function readCalendarState(database: Reader, now: number): Promise<CalendarState> {
  const [due, failing] = await Promise.all([
    database.get(DUE_NOW, { now }),
    database.get(FAILING, {}),
  ])
  return {
    due: due?.due ?? 0,
    dueSince: due?.dueSince ?? null,
    failing: failing?.failing ?? 0,
  }
}

interface SealedAddress {
  readonly memberId: number
  readonly address: string
}

/** Sealed addresses, newest members first. */
export async function listSealedAddresses(
  database: Reader,
  limit: number,
): Promise<readonly SealedAddress[]> {
  return database.all(SEALED, { limit })
}

/** By index calendars_by_next_sync. */
const DUE_NOW = serviceStatement<{ now: number }, Pick<CalendarState, 'due' | 'dueSince'>>(`
  select count(*) as due, min(next_sync_at) as "dueSince" from calendars where next_sync_at <= :now`)

/** By index calendars_failing. */
const FAILING = serviceStatement<object, Pick<CalendarState, 'failing'>>(
  'select count(*) as failing from calendars where failures > 0',
)

/** By primary key. */
const SEALED = serviceStatement<{ limit: number }, SealedAddress>(`
  select ${asProperties('member_id, address')} from calendars
  order by member_id desc, calendar_id desc limit :limit`)
