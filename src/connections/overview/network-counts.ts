/** Counts of people by two values together, and of contacts with each person. Both read the whole network. */

import { startOfDay } from '../../dates/calendar-day.ts'
import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import { publicConnectionId } from '../model/connection.ts'
import { indexAt, type IndexReader } from '../search/index/network-index.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'
import { MOST_COUNTED, type COUNTED_BY } from './network-summary.ts'

type Reader = IndexReader & Pick<MemberDatabase, 'heavy'>
type Field = (typeof COUNTED_BY)[number]

interface PairCount {
  readonly value: string
  readonly second: string
  readonly count: number
}

/** How many people have each pair of values, most frequent first: `Acme` and `Engineer`. */
export async function countByTwo(db: Reader, network: NetworkState, one: Field, other: Field) {
  const { people: connections } = await indexAt(db, network)
  const counts = await db.heavy.all(PAIRS, { one, other, limit: MOST_COUNTED })
  return { connections, counts: [...counts] }
}

/** How many interactions there were with each person in some days, most first. `until` is exclusive. */
export async function countMeetings(
  db: Reader,
  network: NetworkState,
  { from, until }: { readonly from: string; readonly until: string },
) {
  const { people: connections } = await indexAt(db, network)
  const days = { from: startOfDay(from), until: startOfDay(until), limit: MOST_COUNTED }
  const rows = await db.heavy.all(MEETINGS, days)
  const counts = rows.map(({ connection_id, name, count }) => ({
    value: name,
    connection_id: publicConnectionId(connection_id),
    count,
  }))
  return { connections, counts }
}

const valueOf = (field: ':one' | ':other') => `case cast(${field} as text)
    when 'company' then c.company when 'title' then c.title when 'location' then c.location
    when 'year' then substr(c.connected_on, 1, 4) when 'tag' then g.tag end`

/** By the primary key of connections. */
const PAIRS = memberStatement<{ one: Field; other: Field; limit: number }, PairCount>()(`
  select ${WHOLE_NETWORK} p.value, p.second, cast(count(*) as integer) as count from (
    select ${valueOf(':one')} as value, ${valueOf(':other')} as second
    from connections c left join connection_tags g on g.member_id = :member_id
      and g.connection_id = c.connection_id and (:one = 'tag' or :other = 'tag')
    where c.member_id = :member_id and c.deleted_at is null) p
  where p.value is not null and p.second is not null
  group by p.value, p.second order by count(*) desc, p.value, p.second limit :limit`)

interface MeetingCount {
  readonly connection_id: number
  readonly name: string
  readonly count: number
}

/** By the primary keys of interaction_people and connections. */
const MEETINGS = memberStatement<{ from: number; until: number; limit: number }, MeetingCount>()(`
  select ${WHOLE_NETWORK} p.connection_id, c.name, cast(count(*) as integer) as count from interaction_people p
  join connections c on c.member_id = :member_id and c.connection_id = p.connection_id
  where p.member_id = :member_id and p.local_at >= :from and p.local_at < :until
    and p.deleted_at is null and c.deleted_at is null
  group by p.connection_id, c.name order by count(*) desc, p.connection_id limit :limit`)
