/** Counts over a whole network: totals and the most frequent values. Computed in a worker thread after each change. */

import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import { keepValue, keptValue } from '../model/kept-value.ts'
import type { NetworkState } from '../../tools/call-state.ts'

interface NetworkSummary {
  readonly totals: Totals | undefined
  readonly companies: Count[]
  readonly titles: Count[]
  readonly locations: Count[]
  readonly tags: Count[]
}

/** @throws {RequestError} `rate_limited` when too many computations of this member are queued. */
export function summarizeNetwork(
  db: MemberReader & Pick<MemberDatabase, 'compute' | 'memory'>,
  network: NetworkState,
  signal: AbortSignal,
): Promise<NetworkSummary> {
  return keepValue(db, SUMMARY, () => db.compute(COMPUTATION, {}, { signal }), network)
}

const SUMMARY = keptValue<NetworkSummary>('network-summary')

/** Runs in a worker thread, because it reads the whole network. */
export async function countNetwork(reader: MemberReader): Promise<NetworkSummary> {
  return {
    totals: await reader.get(TOTALS, {}),
    companies: await reader.all(TOP_COMPANIES, {}),
    titles: await reader.all(TOP_TITLES, {}),
    locations: await reader.all(TOP_LOCATIONS, {}),
    tags: await reader.all(TOP_TAGS, {}),
  }
}

const COMPUTATION = defineComputation(import.meta.url, { countNetwork })

interface Totals {
  readonly live: number
  readonly with_email: number
  readonly with_notes: number
  readonly deleted: number
  readonly changed_at: number | null
}

interface Count {
  readonly value: string
  readonly count: number
}

/** Each statement scans all of the member's rows. */
const TOTALS = memberStatement<object, Totals>()(`
  select
    count(case when deleted_at is null then 1 end) as live,
    count(case when deleted_at is null and emails <> '[]' then 1 end) as with_email,
    (select count(distinct n.connection_id) from notes n
       join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
       where n.member_id = :member_id and n.deleted_at is null and c.deleted_at is null) as with_notes,
    count(case when deleted_at is not null and merged_into is null then 1 end) as deleted,
    max(updated_at) as changed_at
  from connections where member_id = :member_id`)

const TOP_COMPANIES = memberStatement<object, Count>()(`
  select company as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and company is not null
  group by company order by count(*) desc, company limit 10`)

const TOP_TITLES = memberStatement<object, Count>()(`
  select title as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and title is not null
  group by title order by count(*) desc, title limit 10`)

const TOP_LOCATIONS = memberStatement<object, Count>()(`
  select location as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and location is not null
  group by location order by count(*) desc, location limit 10`)

const TOP_TAGS = memberStatement<object, Count>()(`
  select min(t.tag) as value, count(*) as count from connection_tags t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and c.deleted_at is null
  group by t.tag_key order by count(*) desc, t.tag_key limit 10`)
