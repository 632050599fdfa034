/** Caches values derived from a whole network in memory until the network changes. */

import { readNetworkState, type NetworkState } from '../../tools/network-state.ts'
import {
  defineMemory,
  type MemberMemory,
  type MemberReader,
  type MemoryKind,
} from '../../db/database.ts'

interface Kept<T> {
  readonly version: number
  readonly value: T
}

/** `name` is unique in the program. */
export function cachedValue<T>(name: string): MemoryKind<Kept<T>> {
  return defineMemory(name, { isSpare: true })
}

/**
 * The value for the current network: derived only from connections, tags and notes, because only their changes are
 * tracked. Without `network`, the current network is read.
 */
export async function cacheValue<T>(
  reader: MemberReader & { readonly memory: MemberMemory },
  kind: MemoryKind<Kept<T>>,
  derive: () => Promise<T>,
  network?: NetworkState,
): Promise<T> {
  // Read before the rows, so that a change in between makes the next call derive the value again.
  const { search_version: version } = network ?? (await readNetworkState(reader))
  const kept = reader.memory.read(kind)
  if (kept?.version === version) return kept.value
  const value = await derive()
  reader.memory.keep(kind, { version, value }, 2 * JSON.stringify(value).length)
  return value
}
