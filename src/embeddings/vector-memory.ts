/** Caches the vectors of searched networks in memory, so that searches do not read them again. */

import { SECOND } from '../base/clock.ts'
import { bytesOf, gatherVectors, type NetworkVectors } from './nearest-by-cosine.ts'
import { findVersion, readVectors } from './stored-vectors.ts'
import type { MemberReader } from '../db/database.ts'

export interface VersionedVectors extends NetworkVectors {
  /** `search_version` of the network that they show. */
  readonly version: number
}

export interface VectorMemory {
  /**
   * The member's vectors from this model, or undefined unless the whole network was embedded with it. Not a promise if they
   * are in memory.
   */
  of(
    reader: MemberReader,
    model: string,
    now: number,
  ): VersionedVectors | undefined | Promise<VersionedVectors | undefined>
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
  /** The number of changes to the vectors; undefined for a network that is not embedded. */
  readonly version: number | undefined
  /** A promise while they are read. */
  vectors: VersionedVectors | undefined | Promise<VersionedVectors | undefined>
  checkedAt: number
  bytes: number
}

export function vectorMemory(mostBytes = MAX_BYTES): VectorMemory {
  return new HeldVectors(mostBytes)
}

class HeldVectors implements VectorMemory {
  /** In order of use: the most recently used entry is last. */
  readonly #held = new Map<number, Held>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  of(reader: MemberReader, model: string, now: number): Held['vectors'] {
    const known = this.#held.get(reader.memberId)
    return known && now - known.checkedAt < TRUSTED_FOR
      ? this.#touch(reader.memberId, known)
      : this.#checked(reader, model, now)
  }

  recheck(memberId: number): void {
    const entry = this.#held.get(memberId)
    if (entry) entry.checkedAt = -Infinity
  }

  async #checked(reader: MemberReader, model: string, now: number) {
    const { memberId } = reader
    const stored = await findVersion(reader, model)
    const entry = this.#held.get(memberId)
    if (!entry || entry.version !== stored?.embeddings_version)
      return this.#hold(memberId, {
        version: stored?.embeddings_version,
        vectors: stored && read(reader, model, stored.embedded_version),
        checkedAt: now,
        bytes: EMPTY_BYTES,
      }).vectors
    entry.checkedAt = now
    const vectors = await entry.vectors
    if (vectors && stored && vectors.version !== stored.embedded_version)
      entry.vectors = { ...vectors, version: stored.embedded_version }
    return this.#touch(memberId, entry)
  }

  #touch(memberId: number, entry: Held): Held['vectors'] {
    this.#held.delete(memberId)
    this.#held.set(memberId, entry)
    return entry.vectors
  }

  #hold(memberId: number, entry: Held): Held {
    this.#forget(memberId)
    this.#held.set(memberId, entry)
    this.#bytes += entry.bytes
    this.#makeRoom()
    void this.#weigh(memberId, entry)
    return entry
  }

  /** Adds the size of the vectors once they are read. An entry that fails to load is dropped, so the next caller retries. */
  async #weigh(memberId: number, entry: Held): Promise<void> {
    try {
      const vectors = await entry.vectors
      entry.vectors = vectors
      if (!vectors || this.#held.get(memberId) !== entry) return
      entry.bytes += bytesOf(vectors)
      this.#bytes += bytesOf(vectors)
      this.#makeRoom()
    } catch {
      if (this.#held.get(memberId) === entry) this.#forget(memberId)
    }
  }

  #forget(memberId: number): void {
    this.#bytes -= this.#held.get(memberId)?.bytes ?? 0
    this.#held.delete(memberId)
  }

  #makeRoom(): void {
    for (const memberId of this.#held.keys()) {
      if (this.#bytes <= this.#mostBytes || this.#held.size === 1) return
      this.#forget(memberId)
    }
  }
}

async function read(
  reader: MemberReader,
  model: string,
  version: number,
): Promise<VersionedVectors> {
  return { ...(await gatherVectors(await readVectors(reader, model))), version }
}
