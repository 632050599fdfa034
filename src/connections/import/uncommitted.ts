/** What a transaction has saved so far, for plans that read the network as it was before. */

import { KeyChanges } from './key-changes.ts'
import { NetworkCounters } from '../model/network-counters.ts'
import type { QueuedReview } from '../matching/match-reviews.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export class Uncommitted {
  readonly counters: NetworkCounters
  /** The people that it has added or changed, by connection ID. */
  readonly people = new Map<number, Connection>()
  readonly keys = new KeyChanges()
  /** Queued at the end, because that waits for the database. */
  readonly reviews: QueuedReview[] = []
  /** Reads the network as it was before the transaction. */
  readonly outside: MemberReader
  /** Connections whose changes by the import the transaction has recorded. */
  readonly #changed = new Set<number>()

  private constructor(outside: MemberReader, counters: NetworkCounters) {
    this.outside = outside
    this.counters = counters
  }

  /** `outside` is that of the transaction. From then on, no one else changes the network. */
  static async begin(tx: MemberTransaction, outside: MemberReader): Promise<Uncommitted> {
    return new Uncommitted(outside, await NetworkCounters.read(tx))
  }

  /** Reads the changes of the import to these connections so far, from outside if that suffices: it answers sooner. */
  readerOfChanges(tx: MemberTransaction, ids: readonly number[]): MemberReader {
    return ids.some((id) => this.#changed.has(id)) ? tx : this.outside
  }

  addChanges(ids: readonly number[]): void {
    for (const id of ids) this.#changed.add(id)
  }
}
