/**
 * Worker threads for computations that members cause: a limited number at a time, and one per key, such as a member. Idle threads wait
 * for the next computation, because starting one and compiling its code takes long.
 */

import { KeyedSemaphore } from './keyed-semaphore.ts'
import type { WorkerThread } from './worker-thread.ts'

interface ThreadPoolOptions {
  /** Threads at a time. */
  readonly size: number
  /** Computations of one key that wait. Unlimited by default. */
  readonly waitingPerKey?: number
  /** After this time without work, a thread ends and frees its memory. */
  readonly idleTimeoutMs: number
  /** Additional threads end as soon as they are idle. All are kept by default. */
  readonly maxIdle?: number
}

/** Disposing it gives the thread to the next computation, or waits for its end if it is ending. */
export interface TakenThread extends AsyncDisposable {
  readonly thread: WorkerThread
}

export class ThreadPool<Key> {
  readonly #start: () => WorkerThread
  readonly #turns: KeyedSemaphore<Key>
  readonly #options: Required<Pick<ThreadPoolOptions, 'size' | 'idleTimeoutMs' | 'maxIdle'>>
  /** The longest-waiting first. */
  readonly #idle = new Map<WorkerThread, NodeJS.Timeout>()
  readonly #all = new Set<WorkerThread>()

  constructor(start: () => WorkerThread, options: ThreadPoolOptions) {
    const { size, waitingPerKey, idleTimeoutMs, maxIdle = size } = options
    this.#start = start
    this.#options = { size, idleTimeoutMs, maxIdle }
    this.#turns = new KeyedSemaphore({
      permits: size,
      permitsPerKey: 1,
      ...(waitingPerKey !== undefined && { waitingPerKey }),
    })
  }

  get usage(): { readonly size: number; readonly used: number; readonly waiting: number } {
    const { held, waiting } = this.#turns
    return { size: this.#options.size, used: held, waiting }
  }

  /**
   * Runs `work` with a thread. Keys take turns. A computation that must not go on ends its thread.
   *
   * @throws {RequestError} `rate_limited` when too many computations of this key are waiting.
   */
  async run<T>(
    key: Key,
    work: (thread: WorkerThread) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    await using taken = await this.take(key, signal)
    return await work(taken.thread)
  }

  /** Like `run`, for work that is not one function. The caller must dispose the result. */
  async take(key: Key, signal?: AbortSignal): Promise<TakenThread> {
    await this.#turns.acquire(key, signal)
    const thread = this.#idleThread() ?? this.#startThread()
    return {
      thread,
      [Symbol.asyncDispose]: async () => {
        if (!thread.isRunning) await thread.ended
        else if (this.#idle.size >= this.#options.maxIdle) await thread.end()
        else this.#keep(thread)
        this.#turns.release(key)
      },
    }
  }

  /** Ends all threads, also those that are in use. */
  async close(reason?: unknown): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end(reason)))
  }

  #idleThread(): WorkerThread | undefined {
    const idle = [...this.#idle.keys()].findLast((thread) => thread.isRunning)
    if (idle) this.#forget(idle)
    return idle
  }

  #keep(thread: WorkerThread): void {
    // Neither the thread nor the timer keeps the process running.
    const timer = setTimeout(() => void thread.end(), this.#options.idleTimeoutMs).unref()
    this.#idle.set(thread, timer)
  }

  #startThread(): WorkerThread {
    const thread = this.#start()
    this.#all.add(thread)
    thread.onEnded(() => {
      this.#all.delete(thread)
      this.#forget(thread)
    })
    return thread
  }

  #forget(thread: WorkerThread): void {
    clearTimeout(this.#idle.get(thread))
    this.#idle.delete(thread)
  }
}
