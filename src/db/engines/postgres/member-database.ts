/** A handle for one member's private rows. */

import type {
  Computation,
  ComputeOptions,
  MemberDatabase,
  MemberMemory,
  MemberReader,
  MemberTransaction,
  WriteOptions,
} from '../../database.ts'
import type { MemberStatement, RecordedUpdate } from '../../statement.ts'

/** What the database does for the handles of members. */
export interface MemberAccess {
  /** See `MemberDatabase.memory`. */
  memoryOf(memberId: number): MemberMemory
  /** See `MemberDatabase.compute`. */
  computeFor<Input, Output>(
    memberId: number,
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output>
  /** Like `Database.write`, while holding the member's lock. */
  writeFor<T>(
    memberId: number,
    work: (tx: MemberTransaction) => Promise<T>,
    options?: WriteOptions,
  ): Promise<T>
  /** One statement with its own commit. Those of the same member wait for its row. */
  changeFor<P, Row>(
    memberId: number,
    change: RecordedUpdate<P, Row>,
    params: P | (() => P),
  ): Promise<Row | undefined>
}

/** One member's private rows. */
export class PostgresMember implements MemberDatabase {
  readonly memberId: number
  readonly heavy: MemberReader
  readonly #light: MemberReader
  readonly #database: MemberAccess

  constructor(database: MemberAccess, light: MemberReader, heavy: MemberReader) {
    this.memberId = light.memberId
    this.#database = database
    this.#light = light
    this.heavy = heavy
  }

  get<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    return this.#light.get(statement, params)
  }

  all<P, Row>(statement: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return this.#light.all(statement, params)
  }

  get memory(): MemberMemory {
    return this.#database.memoryOf(this.memberId)
  }

  compute<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#database.computeFor(this.memberId, computation, input, options)
  }

  write<T>(work: (tx: MemberTransaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#database.writeFor(this.memberId, work, options)
  }

  change<P, Row>(change: RecordedUpdate<P, Row>, params: P | (() => P)): Promise<Row | undefined> {
    return this.#database.changeFor(this.memberId, change, params)
  }
}
