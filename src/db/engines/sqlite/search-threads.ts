/** Worker threads that keep heavy reads off the main thread. */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { KeyedSemaphore } from '../../../base/keyed-semaphore.ts'
import { RequestError } from '../../../base/request-error.ts'
import { translateFailure } from './failures.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { PoolUsage } from '../../database.ts'
import type { SearchAnswer, SearchQuestion, SearchThreadData } from './search-thread.ts'

interface Pending {
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
}

/** Queries sent to a thread at a time, so that the next is ready when one completes. */
const SENT_AT_A_TIME = 2

export class SearchThreads {
  readonly #data: SearchThreadData
  readonly #size: number
  /** Members take turns: a busy member delays others only by the queries already sent. */
  readonly #turns: KeyedSemaphore<number | undefined>
  readonly #searched: (milliseconds: number) => void
  readonly #threads: Thread[] = []
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
    const used = this.#threads.filter(({ pending }) => pending.size > 0).length
    return { size: this.#size, used, waiting: this.#turns.waiting }
  }

  #ask(text: string, values: readonly SQLInputValue[]): Promise<unknown[]> {
    if (this.#closed)
      return Promise.reject(new RequestError('unavailable', 'The database is closing.'))
    const thread = this.#leastBusy()
    const id = ++this.#questions
    return new Promise((resolve, reject) => {
      // Threads keep the process running only while a search is pending.
      if (thread.pending.size === 0) thread.worker.ref()
      thread.pending.set(id, { resolve, reject })
      thread.worker.postMessage({ id, text, values } satisfies SearchQuestion)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      this.#threads.map(
        ({ worker }) =>
          new Promise<void>((resolve) => {
            worker.ref()
            worker.once('exit', () => resolve())
            worker.postMessage('close')
          }),
      ),
    )
  }

  #leastBusy(): Thread {
    let best: Thread | undefined
    for (const thread of this.#threads)
      if (!best || thread.pending.size < best.pending.size) best = thread
    if (best && (best.pending.size === 0 || this.#threads.length >= this.#size)) return best
    return this.#start()
  }

  #start(): Thread {
    const worker = new Worker(
      new URL(import.meta.resolve(`./search-thread${extname(import.meta.url)}`)),
      {
        workerData: this.#data,
      },
    )
    const thread: Thread = { worker, pending: new Map() }
    worker.on('message', (answer: SearchAnswer) => {
      const pending = thread.pending.get(answer.id)
      thread.pending.delete(answer.id)
      if (thread.pending.size === 0) worker.unref()
      if ('rows' in answer) pending?.resolve(JSON.parse(answer.rows) as unknown[])
      else pending?.reject(failureOf(answer.error, answer.errcode))
    })
    worker.on('error', (error: Error) => this.#lose(thread, error))
    worker.on('exit', () => this.#lose(thread, new Error('the search thread ended')))
    worker.unref()
    this.#threads.push(thread)
    return thread
  }

  #lose(thread: Thread, error: Error): void {
    const index = this.#threads.indexOf(thread)
    if (index >= 0) this.#threads.splice(index, 1)
    for (const pending of thread.pending.values()) pending.reject(translateFailure(error))
    thread.pending.clear()
  }
}

/** Recreates the error of the thread. */
function failureOf(message: string, errcode: number | undefined): unknown {
  return translateFailure(Object.assign(new Error(message), errcode !== undefined && { errcode }))
}
