/** Filters and sorts the people of a search by their last contact and by when the next is due. */

import { dayCount } from '../../base/calendar-day.ts'
import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ContactFilter } from './contact-arguments.ts'
import type { ModeAnswer } from './answer-with-meaning.ts'

export const MAX_COMPARED = 100_000

/** The people of an answer who pass, as a ranking. People who match only partly stay behind the others. */
export async function filterByContact(
  reader: MemberReader,
  answer: ModeAnswer,
  { lastContactBefore, dueBy, sort }: ContactFilter,
): Promise<ModeAnswer> {
  const ids = answer.hits.map(({ connectionId }) => connectionId)
  const rows = ids.length === 0 ? [] : await reader.all(DATES, { ids })
  const dates = new Map(rows.map((row) => [row.connection_id, row]))
  const latest = dueBy === undefined ? Infinity : dayCount(dueBy)
  const found = answer.hits
    .map((hit) => ({ hit, ...(dates.get(hit.connectionId) ?? NO_DATES) }))
    .filter(
      ({ last_contact_on, due_day }) =>
        (dueBy === undefined || (due_day !== null && due_day <= latest)) &&
        (lastContactBefore === undefined ||
          last_contact_on === null ||
          last_contact_on < lastContactBefore),
    )
  if (sort)
    found.sort(
      (one, other) =>
        Number(other.hit.isComplete) - Number(one.hit.isComplete) ||
        (sort === 'due'
          ? compare(one.due_day ?? Infinity, other.due_day ?? Infinity)
          : compare(one.last_contact_on ?? LAST, other.last_contact_on ?? LAST)),
    )
  const hits = found.map(({ hit }) => hit)
  return { ...answer, hits, total: hits.length, isRanked: true }
}

const LAST = '9999-99-99'

function compare<Key extends string | number>(one: Key, other: Key): number {
  return one < other ? -1 : Number(one > other)
}

interface Dates {
  readonly last_contact_on: string | null
  /** Days since 1970; null without a cadence and for muted people. */
  readonly due_day: number | null
}

const NO_DATES: Dates = { last_contact_on: null, due_day: null }

/** By primary key. Few columns, because a search can find thousands of people. */
const DATES = memberStatement<
  { ids: readonly number[] },
  Dates & { readonly connection_id: number }
>()(`
  select t.connection_id, t.last_contact_on,
    case when t.is_muted = 0 and t.basis <> 'rhythm' then t.due_day end as due_day
  from contact_times t each (connection_id = :ids...bigint)
  where t.member_id = :member_id`)
