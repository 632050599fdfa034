/** Counts the people of a network. */

import { memberStatement } from '../../db/statement.ts'
import { cachedValue, cacheValue } from '../model/cached-value.ts'
import { heldIndex, indexAt, type IndexReader } from '../search/index/network-index.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import type { MemberReader } from '../../db/database.ts'

/** Without deleted ones. Counted in the search index if it is in memory, otherwise once per change of the network. */
export async function countConnections(
  db: IndexReader & { readonly heavy: MemberReader },
): Promise<number> {
  const network = await readNetworkState(db)
  if (heldIndex(db)) return (await indexAt(db, network)).people
  const count = async () => (await db.heavy.get(COUNT, {}))?.count ?? 0
  return cacheValue(db, CACHED, count, network)
}

const CACHED = cachedValue<number>('connection-count')

/** By primary key. */
const COUNT = memberStatement<object, { count: number }>()(`
  select cast(count(*) as integer) as count from connections
  where member_id = :member_id and deleted_at is null`)
