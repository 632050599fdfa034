/** How many people each saved view finds. Counted in the background, so that no page waits for it. */

import { defineMemory, type MemberDatabase } from '../../db/database.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { readCustomFields } from '../custom-fields/custom-fields.ts'
import { countListed } from './find-people.ts'
import { peopleQueryOf } from './list-query.ts'
import { readListState } from './list-state.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { SavedView } from './saved-views.ts'

interface Counting {
  readonly embedder: Embedder
  /** YYYY-MM-DD */
  readonly today: string
  readonly now: number
  readonly timeZone: string
}

interface Counts {
  /** The network and the day that are counted or being counted: filters by days find others tomorrow. */
  readonly at: string
  readonly byQuery: ReadonlyMap<string, number>
}

const COUNTS = defineMemory<Counts>('view-counts', { isSpare: true })
const BYTES_PER_VIEW = 200

/** The latest numbers, by query. They are brought up to date after this, and are absent at first. */
export async function viewCounts(
  db: MemberDatabase,
  views: readonly SavedView[],
  counting: Counting,
): Promise<ReadonlyMap<string, number>> {
  if (views.length === 0) return NONE
  const held = db.memory.read(COUNTS)
  const { search_version: version } = await readNetworkState(db)
  const at = [version, counting.today, ...views.map(({ query }) => query)].join('\n')
  const byQuery = held?.byQuery ?? NONE
  if (held?.at === at) return byQuery
  keep(db, { at, byQuery })
  // The next page counts again if this fails.
  void count(db, views, counting).then(
    (counted) => keep(db, { at, byQuery: counted }),
    () => keep(db, { at: '', byQuery }),
  )
  return byQuery
}

/** Keeps the number of people that a list with this query just found. */
export function noteViewCount(db: MemberDatabase, query: string, total: number): void {
  const { at = '', byQuery = NONE } = db.memory.read(COUNTS) ?? {}
  keep(db, { at, byQuery: new Map([...byQuery, [query, total]]) })
}

const NONE: ReadonlyMap<string, number> = new Map()

function keep(db: MemberDatabase, counts: Counts): void {
  db.memory.keep(COUNTS, counts, counts.byQuery.size * BYTES_PER_VIEW)
}

async function count(
  db: MemberDatabase,
  views: readonly SavedView[],
  { embedder, today, now, timeZone }: Counting,
): Promise<ReadonlyMap<string, number>> {
  const fields = await readCustomFields(db)
  const { signal } = new AbortController()
  const byQuery = new Map<string, number>()
  for (const { query } of views) {
    const asked = peopleQueryOf(readListState(query), { fields, today, now })
    // A search by meaning may be impossible, and a custom field may be gone.
    const total = await countListed(db, asked, { embedder, now, timeZone, signal }).catch(
      () => undefined,
    )
    if (total !== undefined) byQuery.set(query, total)
  }
  return byQuery
}
