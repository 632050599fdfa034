/**
 * Worker threads for computations over a whole network, which would keep the main thread from answering anyone else.
 * Each thread runs one computation at a time and so holds one network in memory; its heap is bounded, and a computation
 * that needs more ends with its thread, not with the process.
 */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { MINUTE } from '../base/clock.ts'
import { KeyedSemaphore } from '../base/keyed-semaphore.ts'
import { RequestError } from '../base/request-error.ts'
import type { ComputeMessage, ComputeTask, ComputeSource } from './compute-messages.ts'
import type { Computation, ComputeOptions } from './database.ts'

/** Callers of one member that wait; the last of them for about a minute where each computation takes 3 to 4 s. */
const MAX_WAITING_PER_MEMBER = 16
/** Of one thread. Finding the duplicates among 60,000 connections takes about 200 MiB. */
const MAX_HEAP_MEBIBYTES = 1024
/** A thread that has nothing to do for this long ends and gives its memory back. */
const IDLE_TIMEOUT_MS = MINUTE

export class ComputeThreads implements AsyncDisposable {
  readonly #source: ComputeSource
  readonly #maxHeapMebibytes: number
  readonly #turns: KeyedSemaphore<number>
  readonly #idle: IdleThread[] = []
  readonly #all = new Set<Worker>()
  readonly #closing = new AbortController()

  /** `size` is the number of threads at most; they start when they are needed. */
  constructor(source: ComputeSource, size: number, maxHeapMebibytes = MAX_HEAP_MEBIBYTES) {
    this.#source = source
    this.#maxHeapMebibytes = maxHeapMebibytes
    this.#turns = new KeyedSemaphore({
      permits: size,
      permitsPerKey: 1,
      waitingPerKey: MAX_WAITING_PER_MEMBER,
    })
  }

  /** As `MemberDatabase.compute`. */
  run<Input, Output>(
    memberId: number,
    { module, name }: Computation<Input, Output>,
    input: Input,
    { signal, report }: ComputeOptions = {},
  ): Promise<Output> {
    const closing = this.#closing.signal
    const stop = signal ? AbortSignal.any([signal, closing]) : closing
    const task: ComputeTask = { memberId, module, name, input }
    // The function that ran is the one whose types the computation has.
    const compute = () => this.#compute(task, stop, report) as Promise<Output>
    return this.#turns.run(memberId, compute, stop)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new RequestError('unavailable', 'The database is closing.'))
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer)
    await Promise.all([...this.#all].map((worker) => worker.terminate()))
  }

  /** Settles once the thread is done with the task or has ended: until then its permit is held. */
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
      if (message.kind === 'error') throw message.error
      throw new RequestError(message.code, message.message, message.details)
    } catch (error) {
      throw stop.aborted ? stop.reason : error
    } finally {
      stop.removeEventListener('abort', terminate)
      // One that is ending, though it may have answered before, gets no further task.
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
    // Neither a thread without work nor its timer keeps a process running.
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
    // The caller of `answerOf` hears of an error too; between tasks no one else does.
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#all.delete(worker)
      this.#forgetIdle(worker)
    })
    return worker
  }
}

interface IdleThread {
  readonly worker: Worker
  readonly timer: NodeJS.Timeout
}

type Answer = Exclude<ComputeMessage, { readonly kind: 'report' }>

/** Rejects when the thread ends before it answers. */
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
