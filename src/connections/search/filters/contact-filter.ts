/** Filters and sorts the people of a search by what the search index does not have, such as their last contact. */

import { idsOf } from '../../model/connection.ts'
import { dayCount } from '../../../dates/calendar-day.ts'
import { memberStatement, type MemberStatement } from '../../../db/statement.ts'
import type { IndexHit } from '../../../search/scoring/best-hits.ts'
import { completeIn } from '../../../search/scoring/complete-hits.ts'
import type { IndexResult } from '../../../search/scoring/score-people.ts'
import type { MemberReader } from '../../../db/database.ts'
import type { ContactFilter } from './contact-arguments.ts'

export const MAX_COMPARED = 100_000

type Ranked = Pick<IndexResult, 'hits' | 'total' | 'complete' | 'isRanked'>

/** The people of a ranking who pass, as a ranking. People who match only partly stay behind the others. */
export async function filterByContact<Ranking extends Ranked>(
  reader: MemberReader,
  ranking: Ranking,
  { lastContactBefore, dueBy, changedJobsSince, sort }: ContactFilter,
): Promise<Ranking> {
  const ids = idsOf(ranking.hits)
  const dates = await readByConnection(reader, DATES, ids)
  const needsColumns = changedJobsSince !== undefined || (sort && !BY_DATES.has(sort))
  const columns = await readByConnection(reader, COLUMNS, needsColumns ? ids : [])
  const latest = dueBy === undefined ? Infinity : dayCount(dueBy)
  const found = ranking.hits
    .map((hit): Found => {
      const { connectionId: id } = hit
      return { hit, ...NO_DATES, ...NO_COLUMNS, ...dates.get(id), ...columns.get(id) }
    })
    .filter(
      ({ last_contact_on, due_day, paused_until, job_ended_on }) =>
        (dueBy === undefined ||
          (due_day !== null && due_day <= latest && (paused_until ?? '') <= dueBy)) &&
        (changedJobsSince === undefined || (job_ended_on ?? '') >= changedJobsSince) &&
        (lastContactBefore === undefined ||
          last_contact_on === null ||
          last_contact_on < lastContactBefore),
    )
  if (sort)
    found.sort(
      (one, other) =>
        Number(other.hit.isComplete) - Number(one.hit.isComplete) || ORDERS[sort](one, other),
    )
  const hits = found.map(({ hit }) => hit)
  return { ...ranking, hits, total: hits.length, complete: completeIn(hits), isRanked: true }
}

async function readByConnection<Row extends { readonly connection_id: number }>(
  reader: MemberReader,
  statement: MemberStatement<{ ids: readonly number[] }, Row>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Row>> {
  const rows = ids.length === 0 ? [] : await reader.all(statement, { ids })
  return new Map(rows.map((row) => [row.connection_id, row]))
}

type Sort = NonNullable<ContactFilter['sort']>
interface Found extends Dates, Columns {
  readonly hit: IndexHit
}

const BY_DATES: ReadonlySet<Sort> = new Set(['last_contact', 'due'])

const ORDERS: Readonly<Record<Sort, (one: Found, other: Found) => number>> = {
  last_contact: (one, other) => compare(one.last_contact_on ?? LAST, other.last_contact_on ?? LAST),
  due: (one, other) => compare(one.due_day ?? Infinity, other.due_day ?? Infinity),
  name: (one, other) => compare(one.name_key, other.name_key),
  recent: (one, other) => compare(other.connected_on ?? '', one.connected_on ?? ''),
  added: (one, other) => compare(other.hit.connectionId, one.hit.connectionId),
  job_change: (one, other) => compare(other.job_ended_on ?? '', one.job_ended_on ?? ''),
}

const LAST = '9999-99-99'

function compare<Key extends string | number>(one: Key, other: Key): number {
  return one < other ? -1 : Number(one > other)
}

interface Dates {
  readonly last_contact_on: string | null
  /** Days since 1970; null without a cadence and for muted people. */
  readonly due_day: number | null
  readonly paused_until: string | null
}

const NO_DATES: Dates = { last_contact_on: null, due_day: null, paused_until: null }

interface Columns {
  readonly name_key: string
  readonly connected_on: string | null
  readonly job_ended_on: string | null
}

const NO_COLUMNS: Columns = { name_key: '', connected_on: null, job_ended_on: null }

/** By primary key. Few columns, because a search can find thousands of people. */
const DATES = memberStatement<
  { ids: readonly number[] },
  Dates & { readonly connection_id: number }
>()(`
  select t.connection_id, t.last_contact_on, t.paused_until,
    case when t.is_muted = 0 and t.basis <> 'rhythm' then t.due_day end as due_day
  from contact_times t each (connection_id = :ids...bigint)
  where t.member_id = :member_id`)

/** By primary key. */
const COLUMNS = memberStatement<
  { ids: readonly number[] },
  Columns & { readonly connection_id: number }
>()(`
  select c.connection_id, c.name_key, c.connected_on, c.job_ended_on
  from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id`)
