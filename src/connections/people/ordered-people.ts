/** Everyone in a network in an order, with the filters that need rows. Kept in memory until the network changes. */

import { defineMemory, type MemberMemory, type MemberReader } from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import type { PeopleSort, RowFilters } from './people-query.ts'

type PeopleReader = MemberReader & {
  readonly heavy: MemberReader
  readonly memory: MemberMemory
}

export interface OrderedPeople {
  readonly ids: readonly number[]
  /** People from here on have no value in the column; they are last in both directions. */
  readonly firstBlank: number
  /** The first character of each name, sorted by name; otherwise empty. */
  readonly initials: readonly string[]
}

type ColumnSort = Exclude<PeopleSort, 'relevance'>

/** Reads the whole network, so it runs off the main thread. */
export async function orderedPeople(
  db: PeopleReader,
  { sort, filters, version }: { sort: ColumnSort; filters: RowFilters; version: number },
): Promise<OrderedPeople> {
  const isEveryone = Object.keys(filters).length === 0
  const held = db.memory.read(ORDERS)
  const known = held?.version === version ? held.orders : {}
  const kept = isEveryone ? known[sort] : undefined
  if (kept) return kept
  const rows = await db.heavy.all(ORDERED[sort], parametersOf(filters))
  const firstBlank = rows.findIndex(({ blank }) => blank === 1)
  const people = {
    ids: rows.map(({ id }) => id),
    firstBlank: firstBlank < 0 ? rows.length : firstBlank,
    initials: sort === 'name' ? rows.map(({ initial }) => initial) : [],
  }
  if (isEveryone) keep(db.memory, version, { ...known, [sort]: people })
  return people
}

type Orders = Partial<Record<ColumnSort, OrderedPeople>>

const ORDERS = defineMemory<{ version: number; orders: Orders }>('ordered-people', {
  isSpare: true,
})

/** An ID, and a character that most people share. */
const BYTES_PER_PERSON = 16

function keep(memory: MemberMemory, version: number, orders: Orders): void {
  const people = Object.values(orders).reduce((sum, { ids }) => sum + ids.length, 0)
  memory.keep(ORDERS, { version, orders }, people * BYTES_PER_PERSON)
}

interface Parameters {
  readonly source: string | null
  readonly import_job_id: number | null
  readonly silent_since: string | null
  readonly added_since: number | null
  readonly changed_jobs: number | null
  readonly met_in: string | null
}

function parametersOf(filters: RowFilters): Parameters {
  return {
    source: filters.source ?? null,
    import_job_id: filters.importJobId ?? null,
    silent_since: filters.silentSince ?? null,
    added_since: filters.addedSince ?? null,
    changed_jobs: filters.changedJobs === true ? 1 : null,
    met_in: filters.metIn ?? null,
  }
}

interface Row {
  readonly id: number
  readonly blank: number
  readonly initial: string
}

const FROM = `from connections c
    left join contact_times t on t.member_id = :member_id and t.connection_id = c.connection_id
    where c.member_id = :member_id and c.deleted_at is null
      and (cast(:source as text) is null or c.source = :source)
      and (cast(:import_job_id as bigint) is null or c.import_job_id = :import_job_id)
      and (cast(:silent_since as text) is null or t.last_contact_on is null or t.last_contact_on < :silent_since)
      and (cast(:added_since as bigint) is null or c.created_at >= :added_since)
      and (cast(:changed_jobs as bigint) is null or c.job_ended_on is not null)
      and (cast(:met_in as text) is null or substr(c.connected_on, 1, 4) = :met_in)` as const

/** By name within the same value. */
const BY_NAME = 'c.name_key, c.connection_id'

const orderedBy = memberStatement<Parameters, Row>()

/** By primary key, or connections_by_name. */
const ORDERED = {
  name: orderedBy(`select c.connection_id as id, 0 as blank, substr(c.name_key, 1, 1) as initial
    ${FROM} order by ${BY_NAME}`),
  title:
    orderedBy(`select c.connection_id as id, case when c.title is null then 1 else 0 end as blank, '' as initial
    ${FROM} order by blank, lower(c.title), ${BY_NAME}`),
  company:
    orderedBy(`select c.connection_id as id, case when c.company is null then 1 else 0 end as blank, '' as initial
    ${FROM} order by blank, lower(c.company), ${BY_NAME}`),
  location:
    orderedBy(`select c.connection_id as id, case when c.location is null then 1 else 0 end as blank, '' as initial
    ${FROM} order by blank, lower(c.location), ${BY_NAME}`),
  contact:
    orderedBy(`select c.connection_id as id, case when t.last_contact_on is null then 1 else 0 end as blank, '' as initial
    ${FROM} order by blank, t.last_contact_on desc, ${BY_NAME}`),
  since:
    orderedBy(`select c.connection_id as id, case when c.connected_on is null then 1 else 0 end as blank, '' as initial
    ${FROM} order by blank, c.connected_on desc, ${BY_NAME}`),
  added: orderedBy(`select c.connection_id as id, 0 as blank, '' as initial
    ${FROM} order by c.connection_id desc`),
  jobs: orderedBy(`select c.connection_id as id, case when c.job_ended_on is null then 1 else 0 end as blank, '' as initial
    ${FROM} order by blank, c.job_ended_on desc, ${BY_NAME}`),
} as const
