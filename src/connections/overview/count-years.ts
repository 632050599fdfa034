/** Counts the people who were met in each year. */

import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import { cachedValue, cacheValue } from '../model/cached-value.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

type HeavyReader = MemberReader & Pick<MemberDatabase, 'heavy' | 'memory'>

/** The latest years in which people were met, in order. */
export async function countYears(
  db: HeavyReader,
  network: NetworkState,
  limit: number,
): Promise<readonly ValueCount[]> {
  return (await countAllYears(db, network)).slice(-limit)
}

/** All years in which people were met, in order. */
export async function countAllYears(
  db: HeavyReader,
  network: NetworkState,
): Promise<readonly ValueCount[]> {
  return cacheValue(db, COUNTED_YEARS, () => db.heavy.all(YEARS, {}), network)
}

const COUNTED_YEARS = cachedValue<readonly ValueCount[]>('years-met')

/** By connections_by_day. */
const YEARS = memberStatement<object, ValueCount>()(`
  select ${WHOLE_NETWORK} substr(connected_on, 1, 4) as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and connected_on is not null
  group by substr(connected_on, 1, 4) order by value`)
