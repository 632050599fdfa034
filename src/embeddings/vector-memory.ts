/** Caches the vectors of searched networks in memory, so that searches do not read them again. */

import { SECOND } from '../base/clock.ts'
import { bytesOf, gatherVectors, type NetworkVectors } from './network-vectors.ts'
import { findVersion, readVectors } from './stored-vectors.ts'
import type { MemberReader } from '../db/database.ts'

export interface VectorMemory {
  /** The member's vectors from this model, or undefined when there are none. */
  of(reader: MemberReader, model: string, now: number): Promise<NetworkVectors | undefined>
  /** Makes the next call of `of` check the database for changes. Call it after a change is committed. */
  recheck(memberId: number): void
}

/**
 * How long a cached entry is used without checking the database. Changes by other processes are visible after this time.
 */
const TRUSTED_FOR = 5 * SECOND

/** For all members together. The most recently used network is kept regardless of its size. */
const MAX_BYTES = 128 * 1024 * 1024
/** The approximate size of an entry without vectors. */
const EMPTY_BYTES = 256

interface Held {
  readonly version: number
  readonly vectors: Promise<NetworkVectors | undefined>
  checkedAt: number
  bytes: number
}

export function vectorMemory(mostBytes = MAX_BYTES): VectorMemory {
  /** In order of use: the most recently used entry is last. */
  const held = new Map<number, Held>()
  let bytes = 0

  function forget(memberId: number): void {
    bytes -= held.get(memberId)?.bytes ?? 0
    held.delete(memberId)
  }

  function makeRoom(): void {
    for (const memberId of held.keys()) {
      if (bytes <= mostBytes || held.size === 1) return
      forget(memberId)
    }
  }

  function hold(memberId: number, version: number, now: number, reading: Held['vectors']): Held {
    forget(memberId)
    const entry: Held = { version, vectors: reading, checkedAt: now, bytes: EMPTY_BYTES }
    held.set(memberId, entry)
    bytes += entry.bytes
    makeRoom()
    void weigh(memberId, entry)
    return entry
  }

  /** Adds the size of the vectors once they are read. An entry that fails to load is dropped, so the next caller retries. */
  async function weigh(memberId: number, entry: Held): Promise<void> {
    try {
      const vectors = await entry.vectors
      if (!vectors || held.get(memberId) !== entry) return
      entry.bytes += bytesOf(vectors)
      bytes += bytesOf(vectors)
      makeRoom()
    } catch {
      if (held.get(memberId) === entry) forget(memberId)
    }
  }

  return {
    async of(reader, model, now) {
      const { memberId } = reader
      const known = held.get(memberId)
      if (known && now - known.checkedAt < TRUSTED_FOR) return touch(memberId, known)
      const version = await findVersion(reader)
      const entry = held.get(memberId)
      if (entry?.version !== version)
        return hold(memberId, version, now, read(reader, model, version)).vectors
      entry.checkedAt = now
      return touch(memberId, entry)
    },
    recheck(memberId) {
      const entry = held.get(memberId)
      if (entry) entry.checkedAt = -Infinity
    },
  }

  function touch(memberId: number, entry: Held): Held['vectors'] {
    held.delete(memberId)
    held.set(memberId, entry)
    return entry.vectors
  }
}

async function read(
  reader: MemberReader,
  model: string,
  version: number,
): Promise<NetworkVectors | undefined> {
  if (version === 0) return undefined
  const vectors = await gatherVectors(await readVectors(reader, model))
  return vectors.ids.length === 0 ? undefined : vectors
}
