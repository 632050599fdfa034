/** Which of several people with one name is probably meant. */

import { idsOf } from '../model/connection.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { nameKey } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { contactTimesOf, type ContactTimes } from '../last-contact/read-contact-times.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

export interface Closeness {
  /** Other people of the call, whose colleagues come first. */
  readonly others?: readonly Pick<Connection, 'company'>[]
  /** IDs of the people whose pages were opened lately. */
  readonly opened?: readonly number[]
  /** YYYY-MM-DD: people whose cadence is due by this day are close. */
  readonly today?: string
  /** The closest of those who are due is among them. */
  readonly limit?: number
}

type Person = Pick<Connection, 'connectionId' | 'company'>

/**
 * The closest first: colleagues of the other people of the call, then people who were opened or contacted lately, who are
 * due, and who have follow-ups, then by the latest contact. Others keep their order.
 */
export async function closestFirst<T extends Person>(
  reader: MemberReader,
  people: readonly T[],
  { others = [], opened = [], today, limit = people.length }: Closeness,
): Promise<T[]> {
  if (people.length < 2) return [...people]
  const ids = idsOf(people)
  const [times, rows] = await Promise.all([
    contactTimesOf(reader, ids),
    reader.all(PLANNED_AND_NOTED, { ids }),
  ])
  const kept = new Map(rows.map((row) => [row.connection_id, row]))
  const companies = new Set(
    others.flatMap(({ company }) => (company === null ? [] : nameKey(company))),
  )
  const lastOf = ({ connectionId }: Person) => times.get(connectionId)?.lastContactOn ?? ''
  const newest = people.map(lastOf).toSorted().at(-1) ?? ''
  const isWithin = (day: string, days: number) =>
    day !== '' && day >= daysLater(today ?? newest, -days)
  const isDue = ({ connectionId }: Person) => isDueBy(today, times.get(connectionId))
  const rank = (one: Person) => {
    const { planned = 0, noted = 0 } = kept.get(one.connectionId) ?? {}
    const last = lastOf(one)
    const isColleague = one.company !== null && companies.has(nameKey(one.company))
    const isLately = opened.includes(one.connectionId) || isWithin(last, LATELY_DAYS)
    const contact = last === '' ? 0 : isWithin(last, RECENT_DAYS) ? 2 : 1
    const cadence = times.get(one.connectionId)?.cadence ? 1 : 0
    const first = (isColleague ? 32 : 0) + (isLately ? 16 : 0) + (isDue(one) ? 8 : 0)
    return first + planned * 4 + contact + cadence + noted
  }
  const ranked = people.map((one) => ({ one, rank: rank(one) }))
  const sorted = ranked
    .toSorted((a, b) => b.rank - a.rank || lastOf(b.one).localeCompare(lastOf(a.one)))
    .map(({ one }) => one)
  const [shown, due] = [sorted.slice(0, limit), sorted.find(isDue)]
  return due && !shown.includes(due) ? [...shown.slice(0, -1), due] : shown
}

/** Days since a contact that was lately, and since one that is recent. */
const [LATELY_DAYS, RECENT_DAYS] = [14, 365]

/** Whether the next contact is due by the cadence of the person or of a tag. */
function isDueBy(today = '', times: ContactTimes | undefined): boolean {
  if (!times || times.dueOn === null || times.isMuted) return false
  return times.dueOn <= today && (times.pausedUntil ?? '') <= today
}

/** By follow_ups_by_connection and notes_by_connection. */
const PLANNED_AND_NOTED = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; planned: number; noted: number }
>()(`
  select c.connection_id,
    case when exists (select 1 from follow_ups f where f.member_id = :member_id and f.connection_id = c.connection_id
      and f.completed_at is null and f.deleted_at is null) then 1 else 0 end as planned,
    case when exists (select 1 from notes n where n.member_id = :member_id and n.connection_id = c.connection_id
      and n.deleted_at is null) then 1 else 0 end as noted
  from connections c each (connection_id = :ids...bigint) where c.member_id = :member_id`)
