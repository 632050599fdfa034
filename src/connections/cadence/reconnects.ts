/** People to contact again: those whose cadence is overdue or whose rhythm broke, for the tool and the pages. */

import { dayCount, dayFromCount } from '../../dates/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import { cadencesOf, type TagCadence } from './cadence-store.ts'
import { tagCadencesOf } from '../last-contact/contact-times.ts'
import { reconnectReason, type ReconnectCause } from './reconnect-reason.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import type { Cadence } from '../../dates/cadence.ts'
import { dueAfter } from '../last-contact/cadence-days.ts'
import type { MemberReader } from '../../db/database.ts'

export interface Reconnect {
  readonly connection: Listed
  /** YYYY-MM-DD */
  readonly lastContactOn: string | null
  /** When the next contact was due; null for a rhythm that broke. */
  readonly dueOn: string | null
  /** In words: `Every 6 weeks, last contact 4 Mar`. */
  readonly reason: string
  readonly cause: ReconnectCause
}

/** Suggestions per day. People ignore longer lists. */
export const DEFAULT_RECONNECTS = 5

/**
 * At most `limit` people, the largest overdue share of the cadence first. Without paused, muted and deleted people, and
 * people with a planned contact, and those who were due before `dueFrom`. Days are YYYY-MM-DD in the member's time zone.
 */
export async function listReconnects(
  reader: MemberReader,
  today: string,
  limit: number = DEFAULT_RECONNECTS,
  dueFrom?: string,
): Promise<Reconnect[]> {
  const days = dueDays(today, dueFrom)
  let rows: DueRow[] = []
  // Deleted people are left out of the ranked ones; the rest are ranked only if too few remain.
  for (const ranked of [limit + SPARE, MAX_RANKED]) {
    rows = await reader.all(DUE, { ...days, limit, ranked })
    if (rows.length === limit) break
  }
  const tagged = await tagCadencesOf(
    reader,
    rows.flatMap(({ basis, connectionId: id }) => (basis === 'tag' ? [id] : [])),
  )
  return rows.map((row) => {
    const cause = causeOf(row, tagged.get(row.connectionId))
    return {
      connection: toListed(row),
      lastContactOn: row.last_contact_on,
      dueOn: row.basis === 'rhythm' ? null : dayFromCount(row.due_day),
      reason: reconnectReason(cause, today),
      cause,
    }
  })
}

/** When the next contact is due after one on `day`, by the cadence of the person or of a tag. Both are YYYY-MM-DD. */
export async function nextDueAfter(
  reader: MemberReader,
  connectionId: number,
  day: string,
): Promise<string | undefined> {
  const own = (await cadencesOf(reader, [connectionId])).get(connectionId)
  if (own && own.every !== null && own.unit !== null)
    return dueAfter(day, { every: own.every, unit: own.unit })
  const tagged = shortestOf((await tagCadencesOf(reader, [connectionId])).get(connectionId))
  return tagged && dueAfter(day, tagged)
}

const SPARE = 50
const MAX_RANKED = 1_000_000

/** A rhythm that broke longer ago is over. */
const MAX_BROKEN_DAYS = 365

function causeOf(row: DueRow, tagged: readonly TagCadence[] | undefined): ReconnectCause {
  const { every, unit } = row
  const cause = { lastContactOn: row.last_contact_on, rhythmDays: row.rhythm_days, tag: null }
  if (row.basis === 'rhythm') return { ...cause, cadence: null }
  if (every !== null && unit !== null) return { ...cause, cadence: { every, unit } }
  const shortest = shortestOf(tagged)
  if (shortest) return { ...cause, cadence: shortest, tag: shortest.tag }
  return { ...cause, cadence: { every: row.cadence_days, unit: 'day' } }
}

function shortestOf(tagged: readonly TagCadence[] | undefined): TagCadence | undefined {
  return tagged?.toSorted((one, other) => daysOf(one) - daysOf(other))[0]
}

function daysOf({ every, unit }: Cadence): number {
  return every * { day: 1, week: 7, month: 30.4 }[unit]
}

type DueRow = ListedRow & {
  readonly last_contact_on: string | null
  readonly every: number | null
  readonly unit: Cadence['unit'] | null
  readonly rhythm_days: number | null
  readonly basis: 'own' | 'tag' | 'rhythm'
  readonly cadence_days: number
  readonly due_day: number
}

/** Before every day that a contact can be due on. */
const EVER = -1_000_000

/** Those who were due before `dueFrom` count only if they are snoozed until then or later. */
export function dueDays(today: string, dueFrom?: string) {
  const day = dayCount(today)
  const from = dueFrom === undefined ? EVER : dayCount(dueFrom)
  return { day, from, from_day: dueFrom ?? '', today, oldest: day - MAX_BROKEN_DAYS }
}

type DueDays = ReturnType<typeof dueDays>

/** People to contact on each day from `from` to `until`, by the day. Those who were due earlier count for today. */
export async function countReconnectDays(
  reader: MemberReader,
  { from, until, today }: Readonly<Record<'from' | 'until' | 'today', string>>,
): Promise<Map<string, number>> {
  if (until < today) return new Map()
  const first = from > today ? from : today
  const days = { ...dueDays(until, from > today ? from : undefined), first: dayCount(first) }
  const rows = await reader.all(DUE_BY_DAY, { ...days, oldest: days.first - MAX_BROKEN_DAYS })
  const counts = new Map<string, number>()
  for (const { due_day, paused_until, count } of rows) {
    const dueOn = dayFromCount(due_day)
    const day = paused_until !== null && paused_until > dueOn ? paused_until : dueOn
    counts.set(day, (counts.get(day) ?? 0) + count)
  }
  return counts
}

const IS_DUE = `due_day <= :day and (due_day >= :from or paused_until >= :from_day) and is_muted = 0
      and next_contact_on is null and (paused_until is null or paused_until <= :today)
      and (basis <> 'rhythm' or due_day >= :oldest)` as const

/** People who are due, by index contact_times_by_due. */
export const DUE_PEOPLE = `contact_times t
    join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
    where t.member_id = :member_id and c.deleted_at is null and ${IS_DUE}` as const

const DUE_BY_DAY = memberStatement<
  DueDays & { first: number },
  { due_day: number; paused_until: string | null; count: number }
>()(`
  select due_day, paused_until, cast(count(*) as integer) as count from (
    select case when t.due_day < :first then :first else t.due_day end as due_day,
      case when t.paused_until >= :from_day then t.paused_until end as paused_until
    from ${DUE_PEOPLE}) counted
  group by due_day, paused_until`)

/** By index contact_times_by_due: the narrow rows are ranked before connections are read. */
const DUE = memberStatement<DueDays & { limit: number; ranked: number }, DueRow>()(`
  select ${LISTED_COLUMNS}, t.last_contact_on, t.every, t.unit, t.rhythm_days, t.basis, t.cadence_days, t.due_day
  from (
    select connection_id, last_contact_on, every, unit, rhythm_days, basis, cadence_days, due_day,
      (:day - due_day) * 1.0 / cadence_days as overdue
    from contact_times
    where member_id = :member_id and ${IS_DUE}
    order by overdue desc, connection_id limit :ranked) t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where c.deleted_at is null
  order by t.overdue desc, t.connection_id limit :limit`)
