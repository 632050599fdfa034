/** What a transaction has saved so far, for plans that read the network as it was before. */

import { lostAddressKeys } from '../model/connection-store.ts'
import { NetworkCounters } from '../model/network-counters.ts'
import type { QueuedReview } from '../matching/match-reviews.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** A person before and after a merge. */
interface States {
  /** Undefined for a person that the merge adds. */
  readonly before: Connection | undefined
  readonly now: Connection
}

/** The people that a transaction has added or changed. */
export class UncommittedPeople {
  readonly #byId = new Map<number, Connection>()
  readonly #byKey = new Map<string, number[]>()
  /** Per connection, the stored keys that the transaction has removed. */
  readonly #removed = new Map<number, Set<string>>()

  get(connectionId: number): Connection | undefined {
    return this.#byId.get(connectionId)
  }

  /** The connections that have this key since the transaction, unordered. */
  withKey(key: string): readonly number[] {
    return this.#byKey.get(key) ?? NO_ONE
  }

  hasRemoved(key: string, connectionId: number): boolean {
    return this.#removed.get(connectionId)?.has(key) === true
  }

  /** Adds people of a merge that were added or changed, or have new keys. They have their numbers. */
  add({ before, now }: States, newKeys: readonly string[]): void {
    const { connectionId } = now
    if (before) for (const key of lostAddressKeys(before, now)) this.#remove(key, connectionId)
    this.#byId.set(connectionId, now)
    for (const key of newKeys) {
      this.#removed.get(connectionId)?.delete(key)
      const holders = this.#byKey.get(key)
      if (!holders) this.#byKey.set(key, [connectionId])
      else if (!holders.includes(connectionId)) holders.push(connectionId)
    }
  }

  #remove(key: string, connectionId: number): void {
    const removed = this.#removed.get(connectionId)
    if (removed) removed.add(key)
    else this.#removed.set(connectionId, new Set([key]))
    const holders = this.#byKey.get(key)
    if (holders)
      this.#byKey.set(
        key,
        holders.filter((holder) => holder !== connectionId),
      )
  }
}

const NO_ONE: readonly number[] = []

export class Uncommitted {
  readonly counters: NetworkCounters
  readonly people = new UncommittedPeople()
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
