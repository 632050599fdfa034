/**
 * Caches data derived from members' rows, such as search indexes, in memory between calls. When the total exceeds the
 * byte budget, the least recently used data is evicted, spare data first. It is then read or computed again when
 * needed.
 */

import type {
  MemberDatabase,
  MemberMemory,
  MemoryKind,
  SaveStep,
  SharedMemory,
} from './database.ts'
import { NO_MEMBER } from './compute-messages.ts'

export const MEBIBYTE = 1024 * 1024

/** Enough for 1,000 active members with 1,500 connections each. `WEFT_SEARCH_MEMORY_MB` changes it. */
export const DEFAULT_SEARCH_MEMORY_MB = 512

export const DEFAULT_MEMORY_BYTES = DEFAULT_SEARCH_MEMORY_MB * MEBIBYTE

interface Held {
  readonly value: unknown
  readonly bytes: number
  readonly isSpare: boolean
}

export class Memories implements AsyncDisposable {
  /** The most recently used is last. */
  readonly #held = new Map<string, Held>()
  readonly #saving = new Set<Promise<void>>()
  readonly #maxBytes: number
  readonly #open: (memberId: number) => Pick<MemberDatabase, 'write'>
  #bytes = 0
  #isClosing = false

  constructor(maxBytes: number, open: (memberId: number) => Pick<MemberDatabase, 'write'>) {
    this.#maxBytes = maxBytes
    this.#open = open
  }

  /** Bytes held for all members. */
  get bytes(): number {
    return this.#bytes
  }

  /** Memory that belongs to no member. */
  get shared(): SharedMemory {
    return { ...this.of(NO_MEMBER), maxBytes: this.#maxBytes }
  }

  of(memberId: number): MemberMemory {
    return {
      read: <T>(kind: MemoryKind<T>) => this.#read(keyOf(memberId, kind)) as T | undefined,
      keep: (kind, value, bytes) =>
        this.#keep(keyOf(memberId, kind), { value, bytes, isSpare: kind.isSpare === true }),
      save: (work) => this.#save(memberId, work),
    }
  }

  /** Waits until everything is saved. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await Promise.all(this.#saving)
    this.#held.clear()
    this.#bytes = 0
  }

  #read(key: string): unknown {
    const held = this.#held.get(key)
    if (!held) return undefined
    this.#held.delete(key)
    this.#held.set(key, held)
    return held.value
  }

  #keep(key: string, held: Held): void {
    this.#forget(key)
    this.#held.set(key, held)
    this.#bytes += held.bytes
    this.#makeRoom(({ isSpare }) => isSpare, key)
    if (!held.isSpare) this.#makeRoom(() => true, key)
    else if (this.#bytes > this.#maxBytes) this.#forget(key)
  }

  #makeRoom(isDropped: (held: Held) => boolean, latest: string): void {
    if (this.#bytes <= this.#maxBytes) return
    for (const [oldest, held] of this.#held) {
      if (oldest === latest) return
      if (isDropped(held)) this.#forget(oldest)
      if (this.#bytes <= this.#maxBytes) return
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#held.get(key)?.bytes ?? 0
    this.#held.delete(key)
  }

  #save(memberId: number, work: (write: SaveStep) => Promise<void>): Promise<void> {
    if (this.#isClosing) return Promise.resolve()
    const member = this.#open(memberId)
    const write: SaveStep = async (step) => {
      if (!this.#isClosing) await member.write(step, { bulk: true })
    }
    const saving = work(write)
      .catch(() => {})
      .finally(() => this.#saving.delete(saving))
    this.#saving.add(saving)
    return saving
  }
}

function keyOf(memberId: number, { name }: MemoryKind<unknown>): string {
  return `${memberId} ${name}`
}
