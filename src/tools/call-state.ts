/**
 * The state that a call reads before it runs, in one statement: the member's balance and the version of the network.
 */

import { balanceIn, creditBalance, type CreditBalance } from '../credits/account.ts'
import { type Account } from '../credits/account-row.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'

/** A network at the start of a call. */
export interface NetworkState {
  /** Every write of connections, tags and notes increments it. */
  readonly search_version: number
  /** The highest number of a connection. */
  readonly last_connection: number
}

interface CallState {
  readonly balance: CreditBalance
  readonly network: NetworkState
}

export async function readCallState(
  reader: MemberReader,
  quota: number,
  now: number,
): Promise<CallState> {
  const row = await reader.get(STATE, {})
  if (!row) return { balance: await creditBalance(reader, quota, now), network: NO_NETWORK }
  const { search_version, last_connection, ...account } = row
  const opened = account.period_start === null ? undefined : (account as Account)
  return {
    balance: await balanceIn(reader, opened, { quota, now }),
    network: { search_version, last_connection },
  }
}

/** The network now, for reads outside a metered call. */
export async function readNetworkState(reader: MemberReader): Promise<NetworkState> {
  return (await reader.get(NETWORK, {})) ?? NO_NETWORK
}

const NO_NETWORK: NetworkState = { search_version: 0, last_connection: 0 }

type StateRow = NetworkState & (Account | { readonly period_start: null })

/** By primary key. */
const NETWORK = memberStatement<object, NetworkState>()(
  'select search_version, last_connection from networks where member_id = :member_id',
)

/** Both by primary key. */
const STATE = memberStatement<object, StateRow>()(`
  select n.search_version, n.last_connection, a.period_start, a.quota, a.remaining, a.last_entry
  from networks n left join credit_accounts a on a.member_id = n.member_id
  where n.member_id = :member_id`)
