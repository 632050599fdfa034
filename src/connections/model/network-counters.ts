/**
 * The counters of a network in a transaction that holds the member's lock: read once, counted in memory, and written without
 * waiting for the database.
 */

import { readNetworkState } from '../../tools/call-state.ts'
import type { MemberTransaction } from '../../db/database.ts'

export class NetworkCounters {
  #lastConnection: number
  #version: number

  private constructor(lastConnection: number, version: number) {
    this.#lastConnection = lastConnection
    this.#version = version
  }

  static async read(tx: MemberTransaction): Promise<NetworkCounters> {
    const { last_connection, search_version } = await readNetworkState(tx)
    return new NetworkCounters(last_connection, search_version)
  }

  /** `search_version` of the network. */
  get version(): number {
    return this.#version
  }

  /** Reserves `count` numbers for new connections and returns the first. */
  numberConnections(count: number): number {
    this.#lastConnection += count
    return this.#lastConnection - count + 1
  }

  /** Returns the new version. */
  countChanges(count: number): number {
    this.#version += count
    return this.#version
  }

  async save(tx: MemberTransaction): Promise<void> {
    await tx.updateMany({
      table: 'networks',
      key: [],
      columns: ['last_connection', 'search_version'],
      rows: [[this.#lastConnection, this.#version]],
    })
  }
}
