/** The keys that a transaction adds or removes, while others still read them as they were before it. */

import type { ConnectionKey } from '../model/connection-key.ts'

export class KeyChanges {
  readonly #added = new Map<string, number[]>()
  /** Per connection, keys that were there before the transaction. */
  readonly #removed = new Map<number, Set<string>>()
  /** Also those that were added again. */
  readonly #everRemoved = new Map<number, Set<string>>()

  add(connectionId: number, keys: readonly string[]): void {
    for (const key of keys) {
      this.#removed.get(connectionId)?.delete(key)
      const holders = this.#added.get(key)
      if (!holders) this.#added.set(key, [connectionId])
      else if (!holders.includes(connectionId)) holders.push(connectionId)
    }
  }

  remove(connectionId: number, keys: readonly string[]): void {
    for (const key of keys) {
      addTo(this.#removed, connectionId, key)
      addTo(this.#everRemoved, connectionId, key)
      const holders = this.#added.get(key)
      if (holders)
        this.#added.set(
          key,
          holders.filter((holder) => holder !== connectionId),
        )
    }
  }

  /** The connections that have this key since the transaction, unordered. */
  withKey(key: string): readonly number[] {
    return this.#added.get(key) ?? NO_ONE
  }

  hasRemoved(key: string, connectionId: number): boolean {
    return this.#removed.get(connectionId)?.has(key) === true
  }

  /** Whether it removed the key at some time, even if it was added again later. */
  everRemoved(key: string, connectionId: number): boolean {
    return this.#everRemoved.get(connectionId)?.has(key) === true
  }

  /** Whether it removed any key, even if it was added again later. */
  get hasAnyRemoved(): boolean {
    return this.#everRemoved.size > 0
  }

  get added(): readonly ConnectionKey[] {
    return [...this.#added].flatMap(([key, ids]) =>
      ids.map((connectionId) => ({ key, connectionId })),
    )
  }

  get removed(): readonly ConnectionKey[] {
    return [...this.#removed].flatMap(([connectionId, keys]) =>
      [...keys].map((key) => ({ key, connectionId })),
    )
  }
}

function addTo(sets: Map<number, Set<string>>, id: number, key: string): void {
  const set = sets.get(id)
  if (set) set.add(key)
  else sets.set(id, new Set([key]))
}

const NO_ONE: readonly number[] = []
