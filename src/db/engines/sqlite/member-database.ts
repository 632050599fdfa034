/** A handle for one member's private rows. */

import { givenParams } from '../../database.ts'
import type { ComputeThreads } from '../../compute-threads.ts'
import type {
  Computation,
  ComputeOptions,
  Database,
  MemberDatabase,
  MemberMemory,
  MemberReader,
  MemberTransaction,
  WriteOptions,
} from '../../database.ts'
import type { Memories } from '../../member-memory.ts'
import type { MemberStatement, RecordedUpdate } from '../../statement.ts'
import { allRows, getRow } from './statements.ts'
import { threadReader, type LightConnection } from './thread-reader.ts'
import type { SearchThreads } from './search-threads.ts'

/** Selects where a member's reads run. */
interface Reading {
  readonly light: LightConnection
  readonly threads: SearchThreads
  readonly computing: ComputeThreads
  readonly memories: Memories
}

/** One member's private rows. */
export class SqliteMember implements MemberDatabase {
  readonly memberId: number
  readonly #database: Database
  readonly #light: LightConnection
  readonly #reading: Reading
  #memory: MemberMemory | undefined

  constructor(memberId: number, database: Database, reading: Reading) {
    this.memberId = memberId
    this.#database = database
    this.#light = reading.light
    this.#reading = reading
  }

  compute<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#reading.computing.run(this.memberId, computation, input, options)
  }

  get memory(): MemberMemory {
    return (this.#memory ??= this.#reading.memories.of(this.memberId))
  }

  get heavy(): MemberReader {
    const { memberId } = this
    const { light, threads } = this.#reading
    return { memberId, ...threadReader(light, threads, memberId) }
  }

  async get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    return getRow(this.#light(), statement.text, params as object, this.memberId)
  }

  async all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return allRows(this.#light(), statement.text, params as object, this.memberId)
  }

  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#database.write((tx) => work(tx.member(this.memberId)), options)
  }

  change<P, Row>(change: RecordedUpdate<P, Row>, params: P | (() => P)): Promise<Row | undefined> {
    return this.write((tx) => tx.change(change, givenParams(params)))
  }
}
