/** Idle worker threads that wait for the next computation, because starting one and compiling its code takes long. */

import type { WorkerThread } from './worker-thread.ts'

interface ThreadPoolOptions {
  /** After this time without work, a thread ends and frees its memory. */
  readonly idleTimeoutMs: number
  /** Additional threads end as soon as they are idle. */
  readonly maxIdle: number
}

export class ThreadPool {
  readonly #start: () => WorkerThread
  readonly #options: ThreadPoolOptions
  /** The longest-waiting first. */
  readonly #idle = new Map<WorkerThread, NodeJS.Timeout>()
  readonly #all = new Set<WorkerThread>()

  constructor(start: () => WorkerThread, options: ThreadPoolOptions) {
    this.#start = start
    this.#options = options
  }

  /** A thread without work. Return it with `give`, or end it. */
  take(): WorkerThread {
    const idle = [...this.#idle.keys()].findLast((thread) => thread.isRunning)
    if (idle === undefined) return this.#startThread()
    this.#forget(idle)
    return idle
  }

  /** Keeps a thread for the next `take`. A thread that is ending is not kept. */
  give(thread: WorkerThread): void {
    if (!thread.isRunning) return
    if (this.#idle.size >= this.#options.maxIdle) return void thread.end()
    // Neither the thread nor the timer keeps the process running.
    const timer = setTimeout(() => void thread.end(), this.#options.idleTimeoutMs).unref()
    this.#idle.set(thread, timer)
  }

  /** Ends all threads, also those that are in use. */
  async close(reason?: unknown): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end(reason)))
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
