/** People in an order. That of everyone is kept in memory until the network changes. */

import { defineMemory, type MemberMemory, type MemberReader } from '../../db/database.ts'
import { memberStatement } from '../../db/statement.ts'
import type { Filtered } from './filtered-people.ts'
import type { PeopleSort } from './people-query.ts'

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

/** More people than this are sorted with everyone. */
const MAX_SORTED_ALONE = 5000

/** The people of `among` who are not in `without`. A whole network is read off the main thread. */
export async function orderedPeople(
  db: PeopleReader,
  { sort, version }: { sort: ColumnSort; version: number },
  { among, without }: Filtered,
): Promise<OrderedPeople> {
  const held = db.memory.read(ORDERS)
  const known = held?.version === version ? held.orders : {}
  if (among && !known[sort] && among.size <= MAX_SORTED_ALONE) {
    const ids = [...among].filter((id) => !without.has(id))
    return ids.length === 0 ? NO_PEOPLE : orderOf(await db.heavy.all(SOME[sort], { ids }), sort)
  }
  // A cadence changes due dates, but not the version of the network.
  let everyone = sort === 'due' ? undefined : known[sort]
  if (!everyone) {
    everyone = orderOf(await db.heavy.all(EVERYONE[sort], {}), sort)
    if (sort !== 'due') keep(db.memory, version, { ...known, [sort]: everyone })
  }
  if (!among && without.size === 0) return everyone
  return selected(everyone, (id) => (among?.has(id) ?? true) && !without.has(id))
}

const NO_PEOPLE: OrderedPeople = { ids: [], firstBlank: 0, initials: [] }

function orderOf(rows: readonly Row[], sort: ColumnSort): OrderedPeople {
  const firstBlank = rows.findIndex(({ blank }) => blank === 1)
  return {
    ids: rows.map(({ id }) => id),
    firstBlank: firstBlank < 0 ? rows.length : firstBlank,
    initials: sort === 'name' ? rows.map(({ initial }) => initial) : [],
  }
}

function selected(
  { ids, initials, firstBlank }: OrderedPeople,
  isIn: (id: number) => boolean,
): OrderedPeople {
  return {
    ids: ids.filter(isIn),
    initials: initials.filter((_, at) => isIn(ids[at] ?? 0)),
    firstBlank: ids.slice(0, firstBlank).filter(isIn).length,
  }
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

interface Row {
  readonly id: number
  readonly blank: number
  readonly initial: string
}

/** By name within the same value. */
const BY_NAME = 'c.name_key, c.connection_id'

/** By their cadence. */
const DUE_DAY = "(case when t.basis <> 'rhythm' and t.is_muted = 0 then t.due_day end)"

/** MM-DD of a birthday with or without a year. */
const DAY_OF_YEAR = 'substr(c.birthday, length(c.birthday) - 4)'

const COLUMNS = {
  name: { initial: 'substr(c.name_key, 1, 1)', order: BY_NAME },
  title: { blank: 'c.title', order: `blank, lower(c.title), ${BY_NAME}` },
  company: { blank: 'c.company', order: `blank, lower(c.company), ${BY_NAME}` },
  location: { blank: 'c.location', order: `blank, lower(c.location), ${BY_NAME}` },
  contact: { blank: 't.last_contact_on', order: `blank, t.last_contact_on desc, ${BY_NAME}` },
  due: { blank: DUE_DAY, order: `blank, t.due_day, ${BY_NAME}` },
  since: { blank: 'c.connected_on', order: `blank, c.connected_on desc, ${BY_NAME}` },
  added: { order: 'c.created_at desc, c.connection_id desc' },
  birthday: { blank: 'c.birthday', order: `blank, ${DAY_OF_YEAR}, ${BY_NAME}` },
  jobs: { blank: 'c.job_ended_on', order: `blank, c.job_ended_on desc, ${BY_NAME}` },
} as const satisfies Record<ColumnSort, Column>

interface Column {
  readonly initial?: string
  /** People without a value here are last. */
  readonly blank?: string
  readonly order: string
}

/** By primary key, or connections_by_name. */
function everyoneBy({ initial = "''", blank, order }: Column) {
  return memberStatement<object, Row>()(
    `
    select c.connection_id as id, ${blankOf(blank)} as blank, ${initial} as initial from connections c ${timesOf(order)}
    where c.member_id = :member_id and c.deleted_at is null order by ${order}` as const,
  )
}

/** By primary key. */
function someBy({ initial = "''", blank, order }: Column) {
  return memberStatement<{ ids: readonly number[] }, Row>()(
    `
    select c.connection_id as id, ${blankOf(blank)} as blank, ${initial} as initial
    from connections c each (connection_id = :ids...bigint) ${timesOf(order)}
    where c.member_id = :member_id and c.deleted_at is null order by ${order}` as const,
  )
}

function blankOf(column: string | undefined): string {
  return column === undefined ? '0' : `case when ${column} is null then 1 else 0 end`
}

function timesOf(order: string): string {
  return order.includes(' t.')
    ? 'left join contact_times t on t.member_id = :member_id and t.connection_id = c.connection_id'
    : ''
}

const EVERYONE = mapped(everyoneBy)
const SOME = mapped(someBy)

function mapped<Made>(make: (column: Column) => Made): Record<ColumnSort, Made> {
  const made = Object.entries(COLUMNS).map(([sort, column]) => [sort, make(column)])
  return Object.fromEntries(made) as Record<ColumnSort, Made>
}
