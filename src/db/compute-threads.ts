/**
 * Worker threads for computations over a whole network, which would block the main thread. Each thread runs one
 * computation at a time, so it holds one network in memory. Its heap is limited: a computation that exceeds the limit ends
 * its thread, not the process.
 */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { MINUTE } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/keyed-semaphore.ts'
import { RequestError } from '../base/request-error.ts'
import { errorOf } from '../base/thread-error.ts'
import {
  NO_MEMBER,
  type ComputeMessage,
  type ComputeSource,
  type ComputeTask,
} from './compute-messages.ts'
import type { Computation, ComputeOptions, PoolUsage, Reader } from './database.ts'

/** Maximum waiting calls per member. At 3 to 4 s per computation, the last one waits about a minute. */
const MAX_WAITING_PER_MEMBER = 16
/** Heap limit per thread. Finding the duplicates among 60,000 connections takes about 200 MiB. */
const MAX_HEAP_MEBIBYTES = 1024
/** Idle threads end after this time and free their memory. */
const IDLE_TIMEOUT_MS = MINUTE

export class ComputeThreads implements AsyncDisposable {
  readonly #source: ComputeSource
  readonly #size: number
  readonly #maxHeapMebibytes: number
  readonly #turns: KeyedSemaphore<number>
  readonly #idle: IdleThread[] = []
  readonly #all = new Set<Worker>()
  readonly #closing = new AbortController()

  /** `size` is the maximum number of threads. They start on demand. */
  constructor(source: ComputeSource, size: number, maxHeapMebibytes = MAX_HEAP_MEBIBYTES) {
    this.#source = source
    this.#size = size
    this.#maxHeapMebibytes = maxHeapMebibytes
    this.#turns = new KeyedSemaphore({
      permits: size,
      permitsPerKey: 1,
      waitingPerKey: MAX_WAITING_PER_MEMBER,
    })
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

  #run<Output>(task: ComputeTask, { signal, report }: ComputeOptions = {}): Promise<Output> {
    const closing = this.#closing.signal
    const stop = signal ? AbortSignal.any([signal, closing]) : closing
    // Safe: the function that ran has the types of the computation.
    const compute = () => this.#compute(task, stop, report) as Promise<Output>
    return this.#turns.run(task.memberId, compute, stop)
  }

  get usage(): Omit<PoolUsage, 'pool'> {
    const { held, waiting } = this.#turns
    return { size: this.#size, used: held, waiting }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new RequestError('unavailable', 'The database is closing.'))
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer)
    await Promise.all([...this.#all].map((worker) => worker.terminate()))
  }

  /** Settles when the thread has completed the task or has ended. Until then, the permit is held. */
  async #compute(
    task: ComputeTask,
    stop: AbortSignal,
    report: ComputeOptions['report'],
  ): Promise<unknown> {
    const worker = this.#takeThread()
    const terminate = () => void worker.terminate()
    stop.addEventListener('abort', terminate, { once: true })
    try {
      const message = await answerOf(worker, task, report)
      if (message.kind === 'output') return message.output
      throw errorOf(message)
    } catch (error) {
      throw stop.aborted ? stop.reason : error
    } finally {
      stop.removeEventListener('abort', terminate)
      // A thread that is ending gets no further task, even if it has responded.
      if (stop.aborted) await worker.terminate()
      else this.#giveBack(worker)
    }
  }

  #takeThread(): Worker {
    const idle = this.#idle.pop()
    if (!idle) return this.#start()
    clearTimeout(idle.timer)
    idle.worker.ref()
    return idle.worker
  }

  #giveBack(worker: Worker): void {
    if (!this.#all.has(worker)) return
    const timer = setTimeout(() => {
      this.#forgetIdle(worker)
      void worker.terminate()
    }, IDLE_TIMEOUT_MS)
    // Idle threads and their timers do not keep the process running.
    timer.unref()
    worker.unref()
    this.#idle.push({ worker, timer })
  }

  #forgetIdle(worker: Worker): void {
    const index = this.#idle.findIndex((idle) => idle.worker === worker)
    for (const { timer } of index < 0 ? [] : this.#idle.splice(index, 1)) clearTimeout(timer)
  }

  #start(): Worker {
    const worker = new Worker(
      new URL(import.meta.resolve(`./engines/compute-thread${extname(import.meta.url)}`)),
      {
        workerData: this.#source,
        resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMebibytes },
      },
    )
    this.#all.add(worker)
    // During a task, `answerOf` also receives the error. Between tasks, only this listener does.
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#all.delete(worker)
      this.#forgetIdle(worker)
    })
    return worker
  }
}

/** A computation may have more properties than can be sent. */
function namesOf({ module, name }: Pick<ComputeTask, 'module' | 'name'>) {
  return { module, name }
}

interface IdleThread {
  readonly worker: Worker
  readonly timer: NodeJS.Timeout
}

type Answer = Exclude<ComputeMessage, { readonly kind: 'report' }>

/** Rejects if the thread ends before it answers. */
function answerOf(
  worker: Worker,
  task: ComputeTask,
  report: ComputeOptions['report'],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    const onMessage = (message: ComputeMessage) => {
      if (message.kind === 'report') return report?.(...message.steps)
      settle()
      resolve(message)
    }
    const onError = (error: Error) => {
      failure = error
    }
    const onExit = () => {
      settle()
      reject(failure ?? new Error(`the thread that computed ${task.name} ended`))
    }
    const settle = () => worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(task)
  })
}
