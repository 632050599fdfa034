/** Reads a contact file in a worker thread: members' files are never parsed on the main thread. */

import { ReadableStream, TransformStream } from 'node:stream/web'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { errorOf, type ThreadError } from '../../base/concurrency/thread-error.ts'
import { ThreadPool, type TakenThread } from '../../base/concurrency/thread-pool.ts'
import { WorkerThread } from '../../base/concurrency/worker-thread.ts'
import type { ImportRow } from '../../contact-files/contact/contact.ts'
import type { ContactFile, Extent } from '../../contact-files/file/contact-file.ts'
import type { FileColumn } from '../../contact-files/columns/file-columns.ts'
import type { FromReadingThread, ReadingRequest, ReadingTask } from './reading-thread.ts'

/** Batches that are read ahead: a few hundred rows each. The thread waits while the main thread plans or saves a batch. */
const BATCHES_AHEAD = 2

/**
 * How long an import waits for its file, in total, before it gives up. The largest file, of 50 MB, takes half a minute; the
 * rest is for slow and busy machines.
 */
const TIME_LIMIT_MS = 5 * MINUTE

const MAX_HEAP_MEBIBYTES = 1024
/** More than jobs run at a time, unless `WEFT_JOB_CONCURRENCY` says otherwise. */
const MAX_THREADS = 8

/**
 * The thread that read the last file waits for the next: compiling its code again takes as long as reading some ten
 * thousand rows. A waiting thread takes about 25 MB.
 */
const threads = new ThreadPool<number>(
  () =>
    new WorkerThread(import.meta.url, './reading-thread', {
      heapMebibytes: MAX_HEAP_MEBIBYTES,
    }),
  { size: MAX_THREADS, idleTimeoutMs: 30 * SECOND, maxIdle: 1 },
)

interface ReadingOptions {
  /** Reads one file at a time. */
  readonly memberId: number
  readonly signal?: AbortSignal
  readonly timeLimitMs?: number | undefined
}

/**
 * Opens the file in a thread, which is free again when the result is disposed or `signal` aborts.
 *
 * @throws {RequestError} `unreadable_file` when the file is not a list of contacts; its rows throw it as well.
 * @throws {ThreadLimitExceeded} when the file takes too much time or memory; its rows throw it as well.
 */
export async function openInThread(
  bytes: AsyncIterable<Uint8Array>,
  task: ReadingTask,
  options: ReadingOptions,
): Promise<ContactFile & { readonly extent: Extent } & AsyncDisposable> {
  const taken = await threads.take(options.memberId, options.signal)
  const thread = new ReadingThread(taken, { bytes, task }, options)
  try {
    const answer = await thread.next()
    if (answer.kind !== 'opened') throw unexpected(answer)
    return {
      ...answer.file,
      columns: () => thread.columns,
      rowBatches: thread.rowBatches(answer.file.extent),
      [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
    }
  } catch (error) {
    await thread[Symbol.asyncDispose]()
    throw error
  }
}

class ReadingThread implements AsyncDisposable {
  /** Empty until the last row. */
  columns: readonly FileColumn[] = []
  readonly #taken: TakenThread
  readonly #thread: WorkerThread
  readonly #answers = new TransformStream<FromReadingThread, FromReadingThread>(undefined, {
    highWaterMark: BATCHES_AHEAD,
  })
  readonly #reader = this.#answers.readable.getReader()
  /** Rejects when the thread has ended, or the bytes of the file cannot be read. */
  readonly #failed = Promise.withResolvers<never>()
  /** Settles when the thread has finished this file or has ended. Never rejects. */
  readonly #finished: Promise<unknown>
  readonly #timeLimitMs: number
  #waitedMs = 0
  /** Whether the thread has sent all it has to say about the file, and can read another. */
  #hasEnded = false

  constructor(
    taken: TakenThread,
    { bytes, task }: { readonly bytes: AsyncIterable<Uint8Array>; readonly task: ReadingTask },
    { signal, timeLimitMs = TIME_LIMIT_MS }: ReadingOptions,
  ) {
    this.#taken = taken
    this.#thread = taken.thread
    this.#timeLimitMs = timeLimitMs
    this.#failed.promise.catch(() => {})
    const chunks = ReadableStream.from(this.#reportingFailure(bytes))
    const request: ReadingRequest = { task, bytes: chunks, answers: this.#answers.writable }
    const transfer = [request.bytes, request.answers]
    this.#finished = this.#thread
      .ask(request, { transfer, signal, receive: () => true })
      .catch((error: unknown) => this.#failed.reject(error))
  }

  async *rowBatches(extent: Extent): AsyncGenerator<ImportRow[], void> {
    for (;;) {
      const answer = await this.next()
      if (answer.kind !== 'rows' && answer.kind !== 'end') throw unexpected(answer)
      if (answer.kind === 'end') {
        this.columns = answer.columns
        return
      }
      extent.read = answer.read
      yield answer.rows
    }
  }

  /** Ends the thread if the import has waited too long for it. What it reads ahead meanwhile does not count. */
  async next(): Promise<FromReadingThread> {
    const startedAt = performance.now()
    const timeLeftMs = this.#timeLimitMs - this.#waitedMs
    using _limit = this.#thread.limitTime(timeLeftMs, this.#timeLimitMs)
    const { value } = await Promise.race([this.#reader.read(), this.#failed.promise])
    if (value === undefined) throw new Error('the thread that read the file closed its stream')
    this.#waitedMs += performance.now() - startedAt
    this.#hasEnded = value.kind === 'end' || value.kind === 'request_error'
    return value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) await this.#finished
    else await this.#thread.end()
    await this.#taken[Symbol.asyncDispose]()
    await this.#reader.cancel().catch(() => {})
  }

  /** A stream would pass on a copy of the error. */
  async *#reportingFailure(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      this.#failed.reject(error)
      throw error
    }
  }
}

function unexpected(answer: FromReadingThread): Error {
  const isError = answer.kind === 'error' || answer.kind === 'request_error'
  return isError
    ? errorOf(answer satisfies ThreadError)
    : new Error(`the thread that read the file sent "${answer.kind}"`)
}
