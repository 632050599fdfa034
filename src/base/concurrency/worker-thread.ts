/** Worker threads of this process: how they start, answer, reach a limit and end. */

import { codeOf } from '../thrown.ts'
import { extname } from 'node:path'
import { Worker, type Transferable } from 'node:worker_threads'
import { MINUTE, SECOND } from '../clock.ts'
import { RequestError } from '../request-error.ts'

interface ThreadOptions {
  readonly data?: unknown
  /** Exceeding it ends the thread, not the process. V8's default if undefined. */
  readonly heapMebibytes?: number
}

/** Without a limit, a thread takes 60 MB more and saves no time. */
const YOUNG_HEAP_MEBIBYTES = 6

const CPU_CHECK_INTERVAL_MS = SECOND / 4

interface AnswerOptions<Message, Answer> {
  /** Returns undefined for a message that is not the answer, such as a report of progress. */
  readonly receive: (message: Message) => Answer | undefined
  /** Ends the thread when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Ends the thread when it passes without an answer. */
  readonly timeLimitMs?: number
  /** The same for the time that the thread computes, so that other work of a busy machine does not count. */
  readonly cpuLimitMs?: number
}

interface AskOptions<Message, Answer> extends AnswerOptions<Message, Answer> {
  /** Moved to the thread instead of copied. */
  readonly transfer?: readonly Transferable[]
}

/**
 * A computation exceeded the time or the memory that it may use. It would do so again, so the hint is to ask for less.
 */
export class ThreadLimitExceeded extends RequestError {
  /** Such as `took longer than 2 minutes`. */
  readonly reason: string

  constructor(limit: 'time' | 'memory', timeLimitMs = 0) {
    const reason =
      limit === 'time' ? `took longer than ${durationText(timeLimitMs)}` : OUT_OF_MEMORY
    super('unavailable', `The computation ${reason}, so it was stopped.`, {
      hint: 'Ask for less at a time, for example with more filters. If it happens again, tell your administrator.',
      retryAfter: RETRY_AFTER_SECONDS,
    })
    this.reason = reason
    this.cause = new Error(`a worker thread ${reason}`) // so that it is logged
  }
}

const OUT_OF_MEMORY = 'needed more memory than it may use'

/** Repeating it soon would only keep a thread busy. */
const RETRY_AFTER_SECONDS = 60

/**
 * A thread. It keeps the process running only while it is being asked. It ends when `end` is called, when it fails, or
 * when an answer takes too long; then everyone who waits for an answer gets the reason.
 */
export class WorkerThread {
  /** Resolves when it has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #module: string
  readonly #waiting = new Set<(reason: unknown) => void>()
  #reason: { readonly error: unknown } | undefined
  #isEnding = false
  #hasEnded = false

  /** Runs the module `./name`, given without its extension, next to the module `importer` (`import.meta.url`). */
  constructor(importer: string, module: string, options: ThreadOptions = {}) {
    const { data, heapMebibytes } = options
    this.#module = module
    this.#worker = new Worker(new URL(`${module}${extname(importer)}`, importer), {
      workerData: data,
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_HEAP_MEBIBYTES,
        ...(heapMebibytes !== undefined && { maxOldGenerationSizeMb: heapMebibytes }),
      },
    })
    this.#worker.unref()
    this.#worker.on('error', (error) => this.#failWith(limitErrorOf(error)))
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isEnding = true
        this.#hasEnded = true
        for (const reject of this.#waiting) reject(this.#endReason())
        resolve()
      })
    })
  }

  /** False once it has ended or is about to. */
  get isRunning(): boolean {
    return !this.#isEnding
  }

  /** Calls the listener once it has ended, for whatever reason. */
  onEnded(listener: () => void): void {
    this.#worker.once('exit', listener)
  }

  /** How many answers it still owes. */
  get asked(): number {
    return this.#waiting.size
  }

  /**
   * Sends a request and resolves with its answer. Rejects once the thread has ended: with its error, with the reason of the
   * signal, or with the limit that it exceeded.
   *
   * @throws {ThreadLimitExceeded} when the answer takes longer than `timeLimitMs`, or the heap is full.
   */
  ask<Message, Answer>(request: unknown, options: AskOptions<Message, Answer>): Promise<Answer> {
    return this.#answer(options, () => this.#worker.postMessage(request, options.transfer))
  }

  /** Like `ask`, for a thread that does one thing and has its request in its `data`. */
  answer<Message, Answer>(options: AnswerOptions<Message, Answer>): Promise<Answer> {
    return this.#answer(options, () => {})
  }

  /** Ends the thread after `ms`, what is left of its time limit, unless the result is disposed before. */
  limitTime(ms: number, timeLimitMs = ms): Disposable {
    const stop = () => void this.end(new ThreadLimitExceeded('time', timeLimitMs))
    const timer = setTimeout(stop, ms)
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  }

  /** Ends the thread once it has computed for `ms`, unless the result is disposed before. */
  limitCpuTime(ms: number): Disposable {
    // Rejected while the thread starts, and once it has ended.
    const usage = async () => {
      const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
      return (user + system) / 1000
    }
    const before = usage()
    const check = async () => {
      if ((await usage()) - (await before) >= ms)
        await this.end(new ThreadLimitExceeded('time', ms))
    }
    const timer = setInterval(() => void check(), CPU_CHECK_INTERVAL_MS)
    return { [Symbol.dispose]: () => clearInterval(timer) }
  }

  /** Sends a message that has no answer, such as the request to close. */
  tell(message: unknown): void {
    this.#worker.postMessage(message)
  }

  /** Interrupts what the thread computes, and resolves when it has ended. Callers that wait for an answer get the reason. */
  async end(reason?: unknown): Promise<void> {
    this.#isEnding = true
    if (reason !== undefined) this.#failWith(reason)
    await this.#worker.terminate()
  }

  /** Resolves when the thread has ended by itself, as after a message to close. Keeps the process running until then. */
  async close(): Promise<void> {
    this.#worker.ref()
    await this.ended
  }

  async #answer<Message, Answer>(
    { receive, signal, timeLimitMs, cpuLimitMs }: AnswerOptions<Message, Answer>,
    send: () => void,
  ): Promise<Answer> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    if (this.#hasEnded) throw this.#endReason()
    const onMessage = (message: Message) => {
      if (isWatchReport(message)) return
      const answer = receive(message)
      if (answer !== undefined) resolve(answer)
    }
    const onAbort = () => void this.end(signal?.reason)
    using _time = timeLimitMs === undefined ? undefined : this.limitTime(timeLimitMs)
    using _cpu = cpuLimitMs === undefined ? undefined : this.limitCpuTime(cpuLimitMs)
    this.#worker.on('message', onMessage)
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(reject)
    this.#worker.ref()
    try {
      send()
      return await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#worker.off('message', onMessage)
      this.#waiting.delete(reject)
      if (this.#waiting.size === 0) this.#worker.unref()
    }
  }

  #failWith(error: unknown): void {
    this.#reason ??= { error }
  }

  #endReason(): unknown {
    return this.#reason ? this.#reason.error : new Error(`the thread ${this.#module} ended`)
  }
}

/** Under `node --watch`, threads also send the paths of what they import. */
function isWatchReport(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false
  return 'watch:import' in message || 'watch:require' in message
}

function limitErrorOf(error: unknown): unknown {
  return codeOf(error) === HEAP_IS_FULL ? new ThreadLimitExceeded('memory') : error
}

/** https://nodejs.org/api/errors.html#err_worker_out_of_memory */
const HEAP_IS_FULL = 'ERR_WORKER_OUT_OF_MEMORY'

function durationText(ms: number): string {
  return ms < MINUTE ? `${ms / 1000} seconds` : `${ms / MINUTE} minutes`
}
