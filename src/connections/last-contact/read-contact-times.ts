/** When people were last contacted and are next due, for lists and pages. */

import { DAY } from '../../base/clock.ts'
import { dayAt, dayFromCount, monthsLater, startOfDay } from '../../dates/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import type { Cadence } from './cadence-days.ts'
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
  return new Map(rows.map((row) => [row.connection_id, timesOf(row)]))
}

function timesOf(row: TimesRow): ContactTimes {
  const { every, unit, due_day, basis } = row
  return {
    lastContactOn: row.last_contact_on,
    nextContactOn: row.next_contact_on,
    dueOn: due_day === null || basis === 'rhythm' ? null : dayFromCount(due_day),
    rhythmDays: row.rhythm_days,
    cadence: every === null || unit === null ? null : { every, unit },
    setOn: row.set_on,
    pausedUntil: row.paused_until,
    isMuted: row.is_muted === 1,
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

interface TimesRow {
  readonly connection_id: number
  readonly last_contact_on: string | null
  readonly next_contact_on: string | null
  readonly rhythm_days: number | null
  readonly every: number | null
  readonly unit: Cadence['unit'] | null
  readonly set_on: string | null
  readonly paused_until: string | null
  readonly is_muted: number
  readonly basis: 'own' | 'tag' | 'rhythm' | null
  readonly due_day: number | null
}

/** By primary key. */
const TIMES = memberStatement<{ ids: readonly number[] }, TimesRow>()(`
  select t.connection_id, t.last_contact_on, t.next_contact_on, t.rhythm_days, t.every, t.unit, t.set_on, t.paused_until, t.is_muted,
    t.basis, t.due_day
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
