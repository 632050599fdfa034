/** Counts over a whole network: totals and the most frequent values, counted in the search index. */

import { countHaving, topValues, type ValueCount } from '../../search/index/count-values.ts'
import { indexAt, type IndexReader } from '../search/index/network-index.ts'
import { memberStatement } from '../../db/statement.ts'
import { countTags } from '../tags/tags.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { NetworkState } from '../../tools/call-state.ts'

interface NetworkSummary {
  readonly live: number
  readonly withEmail: number
  readonly withNotes: number
  /** Deleted, and can still be restored. */
  readonly deleted: number
  /** In milliseconds; null for an empty network. */
  readonly changedAt: number | null
  readonly companies: readonly ValueCount[]
  readonly titles: readonly ValueCount[]
  readonly locations: readonly ValueCount[]
  readonly tags: readonly ValueCount[]
}

const MOST = 10

/** What connections can be counted by. */
export const COUNTED_BY = ['company', 'title', 'location', 'tag', 'year'] as const

const MOST_COUNTED = 50

/** How many connections there are, and have each value, most frequent first. Years are when they met. */
export async function countBy(
  db: IndexReader & Pick<MemberDatabase, 'heavy'>,
  network: NetworkState,
  by: (typeof COUNTED_BY)[number],
): Promise<{ connections: number; counts: ValueCount[] }> {
  const index = await indexAt(db, network)
  const connections = index.people
  if (by === 'year')
    return { connections, counts: (await db.heavy.all(YEARS, { limit: MOST_COUNTED })).slice() }
  if (by !== 'tag') return { connections, counts: topValues(index, by, MOST_COUNTED) }
  const tags = countTags(index).slice(0, MOST_COUNTED)
  return { connections, counts: tags.map(({ tag, count }) => ({ value: tag, count })) }
}

/** Reads the whole network, so it runs off the main thread. */
const YEARS = memberStatement<{ limit: number }, ValueCount>()(`
  select substr(c.connected_on, 1, 4) as value, count(*) as count from connections c
  where c.member_id = :member_id and c.connected_on is not null and c.deleted_at is null
  group by substr(c.connected_on, 1, 4) order by count(*) desc, substr(c.connected_on, 1, 4) limit :limit`)

/** Counts the people of the network, in all and by the values of the fields that are asked. */
export async function summarizeNetwork(
  db: IndexReader,
  network: NetworkState,
): Promise<NetworkSummary> {
  const index = await indexAt(db, network)
  const { deleted, changedAt } = index.history
  const tags = countTags(index).slice(0, MOST)
  return {
    live: index.people,
    withEmail: countHaving(index, 'email'),
    withNotes: countHaving(index, 'note'),
    deleted: deleted.length,
    changedAt: changedAt === 0 ? null : changedAt,
    companies: topValues(index, 'company', MOST),
    titles: topValues(index, 'title', MOST),
    locations: topValues(index, 'location', MOST),
    tags: tags.map(({ tag, count }) => ({ value: tag, count })),
  }
}
