/** What a database of either engine keeps in the memory of its node, with the threads that compute from it. */

import {
  type Computation,
  type ComputeOptions,
  type MemberDatabase,
  type Reader,
  type SharedMemory,
} from './database.ts'
import { DEFAULT_MEMORY_BYTES, Memories } from './member-memory.ts'
import { TurnReads } from './turn-reads.ts'
import type { Statement } from './statement.ts'
import type { ComputeThreads } from './compute-threads.ts'

export interface LocalOptions {
  /** Budget of `MemberDatabase.memory`. */
  readonly memoryBytes?: number
  /** Closed with the database. */
  readonly computing: ComputeThreads
}

export abstract class LocalState {
  protected readonly memories: Memories
  protected readonly computing: ComputeThreads
  protected readonly turnReads = new TurnReads()

  constructor({ memoryBytes = DEFAULT_MEMORY_BYTES, computing }: LocalOptions) {
    this.computing = computing
    this.memories = new Memories(memoryBytes, (memberId) => this.member(memberId))
  }

  abstract member(memberId: number): MemberDatabase

  /** For light reads of shared tables. */
  protected abstract readonly reader: Reader

  get<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return this.reader.get(statement, params)
  }

  all<P, Row>(statement: Statement<P, Row>, params: P): Promise<Row[]> {
    return this.reader.all(statement, params)
  }

  get memoryBytes(): number {
    return this.memories.bytes
  }

  get memory(): SharedMemory {
    return this.memories.shared
  }

  compute<Input, Output>(
    computation: Computation<Input, Output, Reader>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.computing.runShared(computation, input, options)
  }

  shareRead<T>(key: string, read: () => Promise<T>): Promise<T> {
    return this.turnReads.share(key, read)
  }
}
