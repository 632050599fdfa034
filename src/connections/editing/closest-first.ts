/** Which of several people with one name a call probably means. */

import { idsOf } from '../model/connection.ts'
import { dayAt, daysLater } from '../../dates/calendar-day.ts'
import { nameKey } from '../../base/tokenize.ts'
import { contactTimesOf, type ContactTimes } from '../last-contact/read-contact-times.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/**
 * The closest first: colleagues of the other people of the call, then those with the latest contact or a cadence. Others
 * keep their order.
 */
export async function closestFirst(
  reader: MemberReader,
  people: readonly Connection[],
  others: readonly Connection[],
): Promise<Connection[]> {
  const times = await contactTimesOf(reader, idsOf(people))
  const companies = new Set(
    others.flatMap(({ company }) => (company === null ? [] : nameKey(company))),
  )
  const newest = [...times.values()]
    .map(({ lastContactOn }) => lastContactOn ?? '')
    .toSorted()
    .at(-1)
  const recent = newest === undefined || newest === '' ? dayAt(0) : daysLater(newest, -RECENT_DAYS)
  const rank = (one: Connection) => {
    const isColleague = one.company !== null && companies.has(nameKey(one.company))
    return (isColleague ? 4 : 0) + closeness(times.get(one.connectionId), recent)
  }
  const lastOf = ({ connectionId }: Connection) => times.get(connectionId)?.lastContactOn ?? ''
  return people.toSorted(
    (one, other) => rank(other) - rank(one) || lastOf(other).localeCompare(lastOf(one)),
  )
}

/** Contacts so long before the latest one are old. */
const RECENT_DAYS = 365

function closeness(times: ContactTimes | undefined, recent: string): number {
  const { lastContactOn = null, cadence = null } = times ?? {}
  const contact = lastContactOn === null ? 0 : lastContactOn >= recent ? 2 : 1
  return contact + (cadence === null ? 0 : 1)
}
