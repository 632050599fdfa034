/** When people were last contacted and are next due, for lists and pages. */

import { DAY } from '../../base/clock.ts'
import { dayAt, dayFromCount, monthsLater, startOfDay } from '../../dates/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import type { Cadence } from '../../dates/cadence.ts'
import { selected, type RowOf } from '../../records/columns.ts'
import { CONTACT_TIMES, DUE_DATE } from './contact-times.ts'
import type { MemberReader } from '../../db/database.ts'

/** Days are YYYY-MM-DD. */
export interface ContactTimes {
  readonly lastContactOn: string | null
  /** The next planned contact. */
  readonly nextContactOn: string | null
  /** When the next contact is due by the cadence of the person or of one of their tags. */
  readonly dueOn: string | null
  /** The usual days between contacts; null with too few of them. */
  readonly rhythmDays: number | null
  /** The cadence that was set for this person; null for one of a tag. */
  readonly cadence: Cadence | null
  /** When it was set. */
  readonly setOn: string | null
  readonly pausedUntil: string | null
  readonly isMuted: boolean
}

/** By the number of the connection. People who were never contacted and have no cadence are absent. */
export async function contactTimesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, ContactTimes>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(TIMES, { ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.connectionId, timesOf(row)]))
}

function timesOf({ every, unit, dueDay, basis, isMuted, ...times }: TimesRow): ContactTimes {
  return {
    ...times,
    dueOn: dueDay === null || basis === 'rhythm' ? null : dayFromCount(dueDay),
    cadence: every === null || unit === null ? null : { every, unit },
    isMuted: isMuted === 1,
  }
}

/**
 * How often each person was contacted in the year before `localNow`, a local time in milliseconds as if it were UTC. Other
 * people are absent.
 */
export async function contactsInYear(
  reader: MemberReader,
  ids: readonly number[],
  localNow: number,
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const since = startOfDay(monthsLater(dayAt(localNow), -12))
  const rows = await reader.all(IN_TIME, { ids, since, local_now: localNow })
  return new Map(rows.map(({ connection_id, contacts }) => [connection_id, contacts]))
}

/** Which of the people were contacted on a day, YYYY-MM-DD. */
export async function contactedOn(
  reader: MemberReader,
  ids: readonly number[],
  day: string,
): Promise<ReadonlySet<number>> {
  const since = startOfDay(day)
  const rows = await reader.all(IN_TIME, { ids, since, local_now: since + DAY - 1 })
  return new Set(rows.map(({ connection_id }) => connection_id))
}

type TimesRow = RowOf<typeof CONTACT_TIMES & typeof DUE_DATE>

/** By primary key. */
const TIMES = memberStatement<{ ids: readonly number[] }, TimesRow>()(`
  select ${selected({ ...CONTACT_TIMES, ...DUE_DATE }, 't')}
  from contact_times t each (connection_id = :ids...bigint)
  where t.member_id = :member_id`)

/** By primary key. */
const IN_TIME = memberStatement<
  { ids: readonly number[]; since: number; local_now: number },
  { connection_id: number; contacts: number }
>()(`
  select p.connection_id, count(*) as contacts
  from interaction_people p each (connection_id = :ids...bigint)
  where p.member_id = :member_id and p.local_at >= :since and p.local_at <= :local_now and p.deleted_at is null
  group by p.connection_id`)
