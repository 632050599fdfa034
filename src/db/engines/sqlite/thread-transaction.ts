/** Reads and writes within a transaction that runs in a thread. */

import { transactionEnded } from '../../ended-transaction.ts'
import { sqliteFullText } from './full-text.ts'
import { withMember } from './transaction.ts'
import type {
  DeletedRows,
  MemberReader,
  MemberTransaction,
  Rows,
  SharedTransaction,
  Transaction,
  UpdatedRows,
} from '../../database.ts'
import type { MemberStatement, RecordedUpdate, Statement } from '../../statement.ts'
import type { ThreadWriter } from './thread-writer.ts'
import type { Operands, Operation } from './writing-thread.ts'

interface ThreadTransactionOptions {
  /** Whether other transactions wait for this one. */
  readonly isAwaited: () => boolean
  /** See `MemberTransaction.outside`. */
  readonly outside: (memberId: number) => MemberReader
}

/** Statements that are sent without waiting for an answer: about one batch of an import. More would only take memory. */
const MAX_UNANSWERED = 6

/** The transaction that is open in the thread. Disposed with its `work`, before the commit or rollback. */
export class ThreadTransaction implements Transaction, Disposable {
  readonly fullText = sqliteFullText
  readonly #thread: ThreadWriter
  readonly #options: ThreadTransactionOptions
  readonly #unanswered: Promise<unknown>[] = []
  /** Why the first of the statements that no one waits for failed. */
  #failure: { readonly error: unknown } | undefined
  #hasEnded = false

  constructor(thread: ThreadWriter, options: ThreadTransactionOptions) {
    this.#thread = thread
    this.#options = options
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
  }

  get isAwaited(): boolean {
    return this.#options.isAwaited()
  }

  async ask<Name extends Operation>(
    operation: Name,
    ...operands: Operands<Name>
  ): Promise<unknown> {
    this.#requireOpen()
    return this.#thread.ask(operation, ...operands)
  }

  /** Resolves when the statement is sent. If it fails, the next one throws, or `settle`. */
  async send<Name extends Operation>(operation: Name, ...operands: Operands<Name>): Promise<void> {
    this.#requireOpen()
    this.#unanswered.push(
      this.#thread.ask(operation, ...operands).catch((error: unknown) => {
        this.#failure ??= { error }
      }),
    )
    if (this.#unanswered.length > MAX_UNANSWERED) await this.#unanswered.shift()
  }

  /** Resolves when everything has been answered. Throws if a statement that no one waited for has failed. */
  async settle(): Promise<void> {
    await Promise.all(this.#unanswered.splice(0))
    if (this.#failure) throw this.#failure.error
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw transactionEnded()
    if (this.#failure) throw this.#failure.error
  }

  async get<P, Row>({ text }: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return (await this.ask('get', text, params as object)) as Row | undefined
  }

  async all<P, Row>({ text }: Statement<P, Row>, params: P): Promise<Row[]> {
    return (await this.ask('all', text, params as object)) as Row[]
  }

  async run<P>({ text }: Statement<P, never>, params: P): Promise<number> {
    return (await this.ask('run', text, params as object)) as number
  }

  async insertMany(rows: Rows): Promise<void> {
    await this.send('insert', rows, [])
  }

  member(memberId: number): MemberTransaction {
    return new ThreadMemberTransaction(this, memberId, this.#options.outside(memberId))
  }
}

class ThreadMemberTransaction implements MemberTransaction {
  readonly memberId: number
  readonly outside: MemberReader
  readonly #transaction: ThreadTransaction

  constructor(transaction: ThreadTransaction, memberId: number, outside: MemberReader) {
    this.memberId = memberId
    this.outside = outside
    this.#transaction = transaction
  }

  get shared(): SharedTransaction {
    return this.#transaction
  }

  get isAwaited(): boolean {
    return this.#transaction.isAwaited
  }

  async get<P, Row>({ text }: MemberStatement<P, Row>, params: P): Promise<Row | undefined> {
    const { memberId } = this
    return (await this.#transaction.ask('get', text, params as object, memberId)) as Row | undefined
  }

  async all<P, Row>({ text }: MemberStatement<P, Row>, params: P): Promise<Row[]> {
    return (await this.#transaction.ask('all', text, params as object, this.memberId)) as Row[]
  }

  async run<P>({ text }: MemberStatement<P, never>, params: P): Promise<number> {
    return (await this.#transaction.ask('run', text, params as object, this.memberId)) as number
  }

  async change<P, Row>(change: RecordedUpdate<P, Row>, params: P): Promise<Row | undefined> {
    const { update, record } = change
    const operands = [{ update, record }, params as object, this.memberId] as const
    return (await this.#transaction.ask('change', ...operands)) as Row | undefined
  }

  async insertMany(rows: Rows): Promise<void> {
    await this.#transaction.send('insert', ...withMember(rows, this.memberId))
  }

  async updateMany(rows: UpdatedRows): Promise<void> {
    await this.#transaction.send('update', rows, this.memberId)
  }

  async deleteMany(rows: DeletedRows): Promise<void> {
    await this.#transaction.send('delete', rows, this.memberId)
  }
}
