/** Counts that the charts of a network show. */

import { dayAt } from '../../dates/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { cachedValue, cacheValue } from '../model/cached-value.ts'
import { tagOf } from '../model/tag-store.ts'
import { summarizeNetwork } from './network-summary.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { NetworkState } from '../../tools/call-state.ts'
import type { IndexReader } from '../search/index/network-index.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

type HeavyReader = MemberReader & Pick<MemberDatabase, 'heavy' | 'memory'>

const WEEKS = 26

/** Interactions of the last weeks until today (YYYY-MM-DD), by the Monday of each week. */
export async function countWeeks({ heavy }: HeavyReader, today: string): Promise<ValueCount[]> {
  const last = weekOf(Date.parse(today))
  const first = last - WEEKS + 1
  const rows = await heavy.all(CONTACTS, { from: startOf(first), to: startOf(last + 1) })
  const counts = new Map(rows.map(({ week, count }) => [week, count]))
  return Array.from({ length: WEEKS }, (_, at) => ({
    value: dayAt(startOf(first + at)),
    count: counts.get(first + at) ?? 0,
  }))
}

/** Weeks from Monday to Sunday since that of 1 January 1970, a Thursday. */
function weekOf(time: number): number {
  return Math.floor((Math.floor(time / DAY) + 3) / 7)
}

function startOf(week: number): number {
  return (week * 7 - 3) * DAY
}

export interface CompanyTag {
  readonly company: string
  readonly tag: string
  readonly count: number
}

const [MAX_TAGS, MAX_COMPANIES] = [5, 8]

/** How many people of each company have each of the most frequent tags, for the companies with the most. */
export async function countCompanyTags(
  db: HeavyReader & IndexReader,
  network: NetworkState,
): Promise<readonly CompanyTag[]> {
  const { tags } = await summarizeNetwork(db, network)
  const most = tags.slice(0, MAX_TAGS).map(({ value }) => value)
  return cacheValue(db, COUNTED_TAGS, () => countTagsOf(db, most), network)
}

const COUNTED_TAGS = cachedValue<readonly CompanyTag[]>('company-tags')

async function countTagsOf(
  { heavy }: HeavyReader,
  tags: readonly string[],
): Promise<readonly CompanyTag[]> {
  if (tags.length === 0) return []
  const byKey = new Map(tags.map((tag) => [tagOf(tag).key, tag]))
  const rows = await heavy.all(COMPANY_TAGS, { keys: [...byKey.keys()] })
  const totals = new Map<string, number>()
  for (const { company, count } of rows) totals.set(company, (totals.get(company) ?? 0) + count)
  const most = [...totals].toSorted(([, one], [, other]) => other - one).slice(0, MAX_COMPANIES)
  const rank = new Map(most.map(([company], at) => [company, at]))
  return rows
    .filter(({ company }) => rank.has(company))
    .toSorted((one, other) => (rank.get(one.company) ?? 0) - (rank.get(other.company) ?? 0))
    .map(({ company, tag_key, count }) => ({ company, tag: byKey.get(tag_key) ?? tag_key, count }))
}

/** People who were in the same interactions as this person, most often first. */
export async function metTogether(
  { heavy }: HeavyReader,
  connectionId: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await heavy.all(TOGETHER, { id: connectionId, limit })
  return rows.map(({ id }) => id)
}

/** By interactions_by_time. */
const CONTACTS = memberStatement<{ from: number; to: number }, { week: number; count: number }>()(`
  select cast((local_at / 86400000 + 3) / 7 as integer) as week, cast(count(*) as integer) as count from interactions
  where member_id = :member_id and local_at >= :from and local_at < :to and deleted_at is null
  group by cast((local_at / 86400000 + 3) / 7 as integer)`)

/** By primary key. */
const COMPANY_TAGS = memberStatement<
  { keys: readonly string[] },
  { company: string; tag_key: string; count: number }
>()(`
  select c.company, t.tag_key, cast(count(*) as integer) as count
  from connection_tags t each (tag_key = :keys...text)
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and c.deleted_at is null and c.company is not null
  group by c.company, t.tag_key`)

/** By primary key and interaction_people_by_interaction. */
const TOGETHER = memberStatement<{ id: number; limit: number }, { id: number }>()(`
  select other.connection_id as id from interaction_people own
  join interaction_people other on other.member_id = :member_id and other.interaction_id = own.interaction_id
  where own.member_id = :member_id and own.connection_id = :id and own.deleted_at is null
    and other.deleted_at is null and other.connection_id <> :id
  group by other.connection_id order by count(*) desc, other.connection_id limit :limit`)
