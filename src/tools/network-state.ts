/** The version of a member's network. */

import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'

export interface NetworkState {
  /** Every write of connections, tags and notes increments it. */
  readonly search_version: number
  readonly last_connection: number
}

export const NO_NETWORK: NetworkState = { search_version: 0, last_connection: 0 }

/** The network now, for reads outside a metered call. */
export async function readNetworkState(reader: MemberReader): Promise<NetworkState> {
  return (await reader.get(NETWORK, {})) ?? NO_NETWORK
}

/** By primary key. */
const NETWORK = memberStatement<object, NetworkState>()(
  'select search_version, last_connection from networks where member_id = :member_id',
)
