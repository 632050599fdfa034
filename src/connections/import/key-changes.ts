/**
 * The keys that a transaction adds or removes, while others still read them as they were before it. Added ones are numbers
 * in typed arrays, because an import adds thousands and looks for tens of thousands.
 */

import { emptyRun, filterRun, highOf, lowOf, sortedRun, type KeyRun } from '../model/key-run.ts'
import { pairOf, type FoundKey } from '../model/connection-key.ts'

const MIN_ENTRIES = 1024

export class KeyChanges {
  /** In the order they were added. The connection is 0 if the key was removed again. */
  #entries: KeyRun = emptyRun(MIN_ENTRIES)
  #size = 0
  /** By the first bits of a key: the latest entry with them, counted from 1. */
  #latest = new Uint32Array(MIN_ENTRIES)
  /** The entry before each with the same first bits, counted from 1. */
  #before = new Uint32Array(MIN_ENTRIES)
  #shift = 32 - Math.log2(MIN_ENTRIES)
  /** Pairs (`pairOf`) that were there before the transaction. */
  readonly #removed = new Set<string>()
  /** Also those that were added again. */
  readonly #everRemoved = new Set<string>()

  add(connectionId: number, keys: readonly string[]): void {
    for (const key of keys) {
      const high = highOf(key)
      const low = lowOf(key)
      if (this.#removed.size > 0) this.#removed.delete(pairOf({ key, connection_id: connectionId }))
      if (this.#entryOf(high, low, connectionId) === 0) this.#append(high, low, connectionId)
    }
  }

  remove(connectionId: number, keys: readonly string[]): void {
    for (const key of keys) {
      const pair = pairOf({ key, connection_id: connectionId })
      this.#removed.add(pair)
      this.#everRemoved.add(pair)
      const entry = this.#entryOf(highOf(key), lowOf(key), connectionId)
      if (entry > 0) this.#entries.ids[entry - 1] = NO_ONE
    }
  }

  /** Adds the connections that have this key since the transaction to `found`. */
  addHolders(high: number, low: number, found: number[]): void {
    const { high: highs, low: lows, ids } = this.#entries
    let entry = this.#latest[high >>> this.#shift] ?? 0
    for (; entry > 0; entry = this.#before[entry - 1] ?? 0) {
      const at = entry - 1
      const id = ids[at] ?? NO_ONE
      if (highs[at] === high && lows[at] === low && id !== NO_ONE) found.push(id)
    }
  }

  has({ key, connection_id }: FoundKey): boolean {
    return this.#entryOf(highOf(key), lowOf(key), connection_id) > 0
  }

  /** Without the keys that were removed. */
  withoutRemoved(found: readonly FoundKey[]): readonly FoundKey[] {
    if (this.#removed.size === 0) return found
    return found.filter((one) => !this.#removed.has(pairOf(one)))
  }

  /** The keys that were added and not removed again. */
  get added(): KeyRun {
    const { ids } = this.#entries
    return sortedRun(filterRun(this.#entries, (at) => at < this.#size && ids[at] !== NO_ONE))
  }

  /** Pairs (`pairOf`) that were there before the transaction, and were removed. */
  get removed(): ReadonlySet<string> {
    return this.#removed
  }

  /** The same with those that were added again. */
  get everRemoved(): ReadonlySet<string> {
    return this.#everRemoved
  }

  /** The entry, counted from 1; 0 if there is none. */
  #entryOf(high: number, low: number, connectionId: number): number {
    const { high: highs, low: lows, ids } = this.#entries
    let entry = this.#latest[high >>> this.#shift] ?? 0
    for (; entry > 0; entry = this.#before[entry - 1] ?? 0) {
      const at = entry - 1
      if (highs[at] === high && lows[at] === low && ids[at] === connectionId) return entry
    }
    return 0
  }

  #append(high: number, low: number, connectionId: number): void {
    if (this.#size === this.#before.length) this.#grow()
    const at = this.#size
    this.#entries.high[at] = high
    this.#entries.low[at] = low
    this.#entries.ids[at] = connectionId
    this.#size += 1
    this.#link(at)
  }

  #link(at: number): void {
    const slot = (this.#entries.high[at] ?? 0) >>> this.#shift
    this.#before[at] = this.#latest[slot] ?? 0
    this.#latest[slot] = at + 1
  }

  #grow(): void {
    const length = this.#before.length * 2
    const entries = emptyRun(length)
    entries.high.set(this.#entries.high)
    entries.low.set(this.#entries.low)
    entries.ids.set(this.#entries.ids)
    this.#entries = entries
    this.#latest = new Uint32Array(length)
    this.#before = new Uint32Array(length)
    this.#shift -= 1
    for (let at = 0; at < this.#size; at += 1) this.#link(at)
  }
}

/** No connection has this number. */
const NO_ONE = 0
