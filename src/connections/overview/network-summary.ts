/** Counts over a whole network: totals and the most frequent values, counted in the search index. */

import { countHaving, topValues, type ValueCount } from '../../search/index/count-values.ts'
import { indexAt, type IndexReader, type NetworkIndex } from '../search/index/network-index.ts'
import { cachedValue, cacheValue } from '../model/cached-value.ts'
import { countTags } from '../tags/tags.ts'
import { countAllYears } from './count-years.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'

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

/** Values in an answer. One more is read, which tells whether there are more. */
export const MAX_COUNTS = 50
export const MOST_COUNTED = MAX_COUNTS + 1

type CountedReader = IndexReader & Pick<MemberDatabase, 'heavy'>

/** How many connections there are, and have each value, most frequent first. Years are when they met. */
export async function countBy(
  db: CountedReader,
  network: NetworkState,
  by: (typeof COUNTED_BY)[number],
): Promise<Counts> {
  return cacheValue(db, COUNTS[by], () => countNow(db, network, by), network)
}

interface Counts {
  readonly connections: number
  readonly counts: ValueCount[]
}

const COUNTS = {
  company: cachedValue<Counts>('counts-by-company'),
  title: cachedValue<Counts>('counts-by-title'),
  location: cachedValue<Counts>('counts-by-location'),
  tag: cachedValue<Counts>('counts-by-tag'),
  year: cachedValue<Counts>('counts-by-year'),
}

async function countNow(
  db: CountedReader,
  network: NetworkState,
  by: (typeof COUNTED_BY)[number],
): Promise<Counts> {
  const index = await indexAt(db, network)
  const connections = index.people
  if (by === 'year') {
    const years = await countAllYears(db, network)
    const most = years.toSorted((one, other) => other.count - one.count)
    return { connections, counts: most.slice(0, MOST_COUNTED) }
  }
  if (by !== 'tag') return { connections, counts: topValues(index, by, MOST_COUNTED) }
  const tags = countTags(index).slice(0, MOST_COUNTED)
  return { connections, counts: tags.map(({ tag, count }) => ({ value: tag, count })) }
}

/** Counts the people of the network, in all and by the values of the fields that are asked. */
export async function summarizeNetwork(
  db: IndexReader,
  network: NetworkState,
): Promise<NetworkSummary> {
  return cacheValue(db, SUMMARY, async () => summaryOf(await indexAt(db, network)), network)
}

const SUMMARY = cachedValue<NetworkSummary>('network-summary')

function summaryOf(index: NetworkIndex): NetworkSummary {
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
