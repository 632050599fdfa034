/**
 * Worker threads for computations over a whole network, one at a time each. A computation that exceeds the heap limit
 * ends its thread, not the process.
 */

import { MINUTE, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { errorOf } from '../base/concurrency/thread-error.ts'
import { ThreadPool } from '../base/concurrency/thread-pool.ts'
import { WorkerThread } from '../base/concurrency/worker-thread.ts'
import {
  NO_MEMBER,
  type ComputeMessage,
  type ComputeSource,
  type ComputeTask,
} from './compute-messages.ts'
import type { Computation, ComputeOptions, PoolUsage, Reader } from './database.ts'

/** Two threads, so that a member, who uses one at a time, cannot block another. */
export const LEAST_COMPUTE_THREADS = 2
/** At 3 to 4 s each, the last one waits about a minute. */
const MAX_WAITING_PER_MEMBER = 16
/** Duplicates of 60,000 connections take about 200 MiB. */
const MAX_HEAP_MEBIBYTES = 1024
/**
 * A computation that takes longer is stopped. The longest ones read a network of several 100,000 connections, which takes
 * up to 20 s; the rest is for slow and busy machines. Clients of MCP give up after a minute.
 */
const TIME_LIMIT_MS = 2 * MINUTE
/** Idle threads end after this time and free their memory. */
const IDLE_TIMEOUT_MS = 10 * SECOND

interface ThreadLimits {
  readonly maxHeapMebibytes?: number
  readonly timeLimitMs?: number
}

export class ComputeThreads implements AsyncDisposable {
  readonly #timeLimitMs: number
  readonly #pool: ThreadPool<number>
  readonly #closing = new AbortController()

  /** `size` is the maximum number of threads. They start on demand. */
  constructor(source: ComputeSource, size: number, limits: ThreadLimits = {}) {
    const { maxHeapMebibytes = MAX_HEAP_MEBIBYTES, timeLimitMs = TIME_LIMIT_MS } = limits
    this.#timeLimitMs = timeLimitMs
    const options = { data: source, heapMebibytes: maxHeapMebibytes }
    this.#pool = new ThreadPool(
      () => new WorkerThread(import.meta.url, './engines/compute-thread', options),
      { size, waitingPerKey: MAX_WAITING_PER_MEMBER, idleTimeoutMs: IDLE_TIMEOUT_MS },
    )
  }

  /** See `MemberDatabase.compute`. */
  run<Input, Output>(
    memberId: number,
    computation: Computation<Input, Output>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#run({ ...namesOf(computation), memberId, input }, options)
  }

  /** See `Database.compute`. */
  runShared<Input, Output>(
    computation: Computation<Input, Output, Reader>,
    input: Input,
    options?: ComputeOptions,
  ): Promise<Output> {
    return this.#run({ ...namesOf(computation), memberId: NO_MEMBER, input }, options)
  }

  async #run<Output>(task: ComputeTask, { signal, report }: ComputeOptions = {}): Promise<Output> {
    const closing = this.#closing.signal
    const stop = signal ? AbortSignal.any([signal, closing]) : closing
    const options = {
      receive: (message: ComputeMessage) => {
        if (message.kind !== 'report') return message
        report?.(...message.steps)
        return undefined
      },
      signal: stop,
      timeLimitMs: this.#timeLimitMs,
    }
    const answer = await this.#pool.run(task.memberId, (thread) => thread.ask(task, options), stop)
    if (answer.kind !== 'output') throw errorOf(answer)
    // Safe: the function has the types of the computation.
    return answer.output as Output
  }

  get usage(): Omit<PoolUsage, 'pool'> {
    return this.#pool.usage
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new RequestError('unavailable', 'The database is closing.'))
    await this.#pool.close()
  }
}

/** A computation may have properties that cannot be sent. */
function namesOf({ module, name }: Pick<ComputeTask, 'module' | 'name'>) {
  return { module, name }
}
