/** Counts over a whole network: totals and the most frequent values, counted in the search index. */

import { countHaving, topValues, type ValueCount } from '../../search/index/count-values.ts'
import { indexAt, type IndexReader } from '../search/network-index.ts'
import { countTags } from '../tags/tags.ts'
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
