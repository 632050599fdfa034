/** People to contact again: those whose cadence is overdue or whose rhythm broke, for the tool and the pages. */

import { dayCount, dayFromCount } from '../../base/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import { LISTED_COLUMNS, toListed, type Listed, type ListedRow } from '../model/connection.ts'
import type { Cadence } from '../last-contact/cadence-days.ts'
import type { MemberReader } from '../../db/database.ts'

export interface Reconnect {
  readonly connection: Listed
  /** YYYY-MM-DD */
  readonly lastContactOn: string | null
  /** When the next contact was due; null for a rhythm that broke. */
  readonly dueOn: string | null
  /** In words: `Every 6 weeks, last contact on 2026-03-04`. */
  readonly reason: string
}

/** So many a day: long lists are ignored. */
export const DEFAULT_RECONNECTS = 5

/**
 * At most `limit` people, the largest overdue share of the cadence first. Without paused, muted and deleted people, and
 * people with a planned contact. `today`: YYYY-MM-DD in the member's time zone.
 */
export async function listReconnects(
  reader: MemberReader,
  today: string,
  limit: number = DEFAULT_RECONNECTS,
): Promise<Reconnect[]> {
  const day = dayCount(today)
  const rows = await reader.all(DUE, { day, today, oldest: day - MAX_BROKEN_DAYS, limit })
  return rows.map((row) => ({
    connection: toListed(row),
    lastContactOn: row.last_contact_on,
    dueOn: row.basis === 'rhythm' ? null : dayFromCount(row.due_day),
    reason: reasonOf(row),
  }))
}

/** A rhythm that broke longer ago is over. */
const MAX_BROKEN_DAYS = 365

function reasonOf(row: DueRow): string {
  const { basis, last_contact_on: last } = row
  if (basis === 'rhythm') return `${rhythmText(row.rhythm_days ?? 0)} until ${last}, nothing since`
  const cadence =
    row.every !== null && row.unit !== null
      ? cadenceText({ every: row.every, unit: row.unit })
      : `Tagged to contact about every ${row.cadence_days} days`
  return last === null ? `${cadence}, never contacted` : `${cadence}, last contact on ${last}`
}

/** `Every 6 weeks`, `Every month` */
export function cadenceText({ every, unit }: Cadence): string {
  return every === 1 ? `Every ${unit}` : `Every ${every} ${unit}s`
}

/** Longest gap in days of each rhythm. */
const RHYTHMS = [
  [2, 'In touch almost daily'],
  [10, 'In touch weekly'],
  [24, 'In touch every few weeks'],
  [45, 'In touch monthly'],
  [120, 'In touch every few months'],
] as const

function rhythmText(days: number): string {
  return RHYTHMS.find(([most]) => days <= most)?.[1] ?? 'In touch now and then'
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

interface DueParams {
  readonly day: number
  readonly today: string
  readonly oldest: number
  readonly limit: number
}

/** By index contact_times_by_due: the narrow rows are ranked before connections are read. */
const DUE = memberStatement<DueParams, DueRow>()(`
  select ${LISTED_COLUMNS}, t.last_contact_on, t.every, t.unit, t.rhythm_days, t.basis, t.cadence_days, t.due_day
  from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.due_day <= :day and t.is_muted = 0 and t.next_contact_on is null
    and (t.paused_until is null or t.paused_until <= :today)
    and (t.basis <> 'rhythm' or t.due_day >= :oldest) and c.deleted_at is null
  order by (:day - t.due_day) * 1.0 / t.cadence_days desc, t.connection_id limit :limit`)
