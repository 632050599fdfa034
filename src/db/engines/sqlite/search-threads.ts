/** Worker threads that keep heavy reads off the main thread. */

import { KeyedSemaphore } from '../../../base/concurrency/keyed-semaphore.ts'
import { RequestError } from '../../../base/request-error.ts'
import { WorkerThread } from '../../../base/concurrency/worker-thread.ts'
import { translateFailure } from './failures.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { PoolUsage } from '../../database.ts'
import type { SearchAnswer, SearchQuestion, SearchThreadData } from './search-thread.ts'

/** Queries sent to a thread at a time, so that the next is ready when one completes. */
const SENT_AT_A_TIME = 2

export class SearchThreads {
  readonly #data: SearchThreadData
  readonly #size: number
  /** Members take turns: a busy member delays the next one only by the queries already sent. */
  readonly #turns: KeyedSemaphore<number | undefined>
  readonly #searched: (milliseconds: number) => void
  readonly #threads = new Set<WorkerThread>()
  #questions = 0
  #closed = false

  /** Threads start on demand. `searched` receives the time that each search took, with its wait. */
  constructor(
    data: SearchThreadData,
    size: number,
    searched: (milliseconds: number) => void = () => {},
  ) {
    this.#data = data
    this.#searched = searched
    this.#size = size
    this.#turns = new KeyedSemaphore({ permits: size * SENT_AT_A_TIME })
  }

  /** `memberId` is the owner of the rows; undefined for shared tables. */
  async all(
    text: string,
    values: readonly SQLInputValue[],
    memberId: number | undefined,
  ): Promise<unknown[]> {
    const startedAt = performance.now()
    const rows = await this.#turns.run(memberId, () => this.#ask(text, values))
    this.#searched(performance.now() - startedAt)
    return rows
  }

  get usage(): Omit<PoolUsage, 'pool'> {
    const used = [...this.#threads].filter(({ asked }) => asked > 0).length
    return { size: this.#size, used, waiting: this.#turns.waiting }
  }

  async #ask(text: string, values: readonly SQLInputValue[]): Promise<unknown[]> {
    if (this.#closed) throw new RequestError('unavailable', 'The database is closing.')
    const id = ++this.#questions
    const question: SearchQuestion = { id, text, values }
    const answer = await this.#leastBusy()
      .ask(question, { receive: (one: SearchAnswer) => (one.id === id ? one : undefined) })
      .catch((error: unknown) => {
        throw translateFailure(error)
      })
    if ('rows' in answer) return JSON.parse(answer.rows) as unknown[]
    throw failureOf(answer.error, answer.errcode)
  }

  async close(): Promise<void> {
    this.#closed = true
    const threads = [...this.#threads]
    for (const thread of threads) thread.tell('close')
    await Promise.all(threads.map((thread) => thread.close()))
  }

  #leastBusy(): WorkerThread {
    let best: WorkerThread | undefined
    for (const thread of this.#threads) if (!best || thread.asked < best.asked) best = thread
    if (best && (best.asked === 0 || this.#threads.size >= this.#size)) return best
    return this.#start()
  }

  #start(): WorkerThread {
    const thread = new WorkerThread(import.meta.url, './search-thread', { data: this.#data })
    this.#threads.add(thread)
    thread.onEnded(() => this.#threads.delete(thread))
    return thread
  }
}

/** Recreates the error of the thread. */
function failureOf(message: string, errcode: number | undefined): unknown {
  return translateFailure(Object.assign(new Error(message), errcode !== undefined && { errcode }))
}
